"""Events stated in an article (title, date, text), by rules: type, firms, roles, date. A model extractor has the same contract."""

from __future__ import annotations

from s2r.events.extract.article import Article, Extractor, extract_events

__all__ = ["Article", "Extractor", "extract_events"]
