"""Typed event tuples, and questions over them that are compiled to SQL and executed, never generated."""
