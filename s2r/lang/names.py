"""Company names: normal forms, local and former names, variants, mentions of an issuer and of other companies."""

from __future__ import annotations

from s2r.lang.name_extract import NameSpan, extract_names
from s2r.lang.name_forms import Strength
from s2r.lang.name_match import NameMatcher, NameMention, name_matcher
from s2r.lang.name_parts import NameParts, acronym, core_name, former_names, local_names, name_variants, parse_name

__all__ = [
    "NameMatcher",
    "NameMention",
    "NameParts",
    "NameSpan",
    "Strength",
    "acronym",
    "core_name",
    "extract_names",
    "former_names",
    "local_names",
    "name_matcher",
    "name_variants",
    "parse_name",
]
