"""Multilingual date reader: every date expression of a text with its value, precision and how it was read."""

from __future__ import annotations

from s2r.lang.dates.reader import COUNTRY_ZONES, date_order, find_dateline, language_guess, read_dates

__all__ = ["COUNTRY_ZONES", "date_order", "find_dateline", "language_guess", "read_dates"]
