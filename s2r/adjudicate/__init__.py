"""Listing + pages + policy -> one verdict, by deterministic rules that explain themselves."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2r.adjudicate.verdict import adjudicate, adjudicate_documents, lexis_for, names_listing, read_document

__all__ = ["adjudicate", "adjudicate_documents", "lexis_for", "names_listing", "read_document"]


def __getattr__(name: str) -> object:
    """The rules are imported on first use: a process that only sends rows to workers, or judges none, does without them."""
    if name not in __all__:
        raise AttributeError(f"module 's2r.adjudicate' has no attribute {name!r}")
    return getattr(import_module("s2r.adjudicate.verdict"), name)
