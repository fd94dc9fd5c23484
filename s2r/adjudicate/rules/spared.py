"""What a step leaves as it is, at a place that no venue of the document is named by ("the quotation of the shares in Brussels is not affected")."""

from __future__ import annotations

import re

# said of what the step does not reach
_SPARED = re.compile(
    r"affect|concerned|impact|touch|unchanged|no change|visée?s?|concernée?s?|modifi|afe[ct]+ad|abrangid|alcanzad|cambio|interessat|toccat|riguarda|geraakt|gevolgen|ongewijzigd|onveranderd|betroffen|berührt|berör|påverk|berør|påvirk"
    r"|koske|vaikuta|dotycz|wpływ|영향|影響|影响|ảnh hưởng|terpengaruh|terdampak|terjejas|etkilen|تتأثر"
)
# a preposition of place before a name
_PLACE = re.compile(
    r"\b(?:in|at|on|en|em|à|w|we|na|på|te|aan|op|tại|di)(?: (?:the|la|le|el|lo|los|las|het|de|sàn|bursa))? (?P<name>[A-ZÀ-ÞŁŚŻĐ][^\W\d_]{2,})"
    r"|(?P<ko>(?!한국|국내|코스)[가-힣]{2,4})(?=증시|증권거래소| 증시| 증권거래소)"
)
_NO_PREPOSITIONS = frozenset({"de", "fi", "tr", "ja", "zh", "zh-Hans", "zh-Hant"})  # nouns with capitals, cases or no capitals at all


def place_of_spared(words: str, sentence: str, lang: str) -> re.Match[str] | None:
    """The place in a sentence whose decisive (folded) words say that something is not affected."""
    if lang in _NO_PREPOSITIONS or not _SPARED.search(words):
        return None
    return _PLACE.search(sentence)
