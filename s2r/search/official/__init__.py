"""Registers and filing systems: asked about a listing rather than with words, under the same evidence model as the web."""
