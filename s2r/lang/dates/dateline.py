# ruff: noqa: E501 - patterns stay on one line
"""Where a text carries its own date: at the head of a line after at most a place and an agency, or after a label of publication."""

from __future__ import annotations

import re

from s2r.lang.literals import Hint

PAGE_STAMP = re.compile(
    r"updat|modif|mise? à jour|aggiornat|ultima revis|actualiz|atualiz|actualis|aktualis|zuletzt|bijgewerkt|gewijzigd|ändrad|uppdater|endret|oppdater|opdater|ændret|päivit|muokat|zmodyf|最終更新|更新|수정|업데이트|갱신|cập nhật|diperbarui|dikemas|güncelle|แก้ไข|ปรับปรุง|تحديث|अपडेट|copyright|©|retrieved|accessed|archiv|crawled|abgerufen|consult",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"^[\s(\[*\"'】【]*(?:[^\W\d_][\w.'/&-]*+[,.]?\s{0,2}){0,5}(?:\([^()]{0,24}\)\s?)?[-–—:,、，(【|]*\s*(?:le|den|the|am|il|a|dne|dn\.|em|di|lunedì|ngày|في|वि|วันที่)?\s*$",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"^\s{0,2}(?:r\.|г\.)?\s?(?:[),\]】]\s?)?(?:\([^)]{0,30}\)\s?)?(?:/[^/]{1,30}/\s?)?(?:\.?-|--|[–—―:：|】/)]|kl\b|klo\b|,?\s?\d{1,2}\s?(?:h\d{0,2}|u\d\d|uhr)\b|,?\s?(?:um|alle|ore|om|à|at|a las|às)\s\d|\.\s|\n|$|,?\s?\d{1,2}[:.]\d\d|\s{1,2}(?=[A-ZÀ-ÞĄ-Ž東名札福大각한])|\u3000(?=[\u3041-\u9fff]))"
)
_CLOCKED = re.compile(
    r"\s?/\s?\d{1,2}[:.]\d\d\b|,?\s\d{1,2}[:.]\d\d\s(?:uhr|cet|cest|mez|mesz|gmt|bst|edt|est|et)\b", re.IGNORECASE
)  # a date of a wire, with its hour
_PREPOSITION = re.compile(
    r"^\s*(?:on|am|le|el|il|op|em|no dia|den|dnia|w dniu|in|by|ngày|pada|vom|per|since|from|until|por)\s*$", re.IGNORECASE
)
_STOP = re.compile(r"[.。!?](?<!\b[Nn]r\.)(?<!\b[Nn]o\.)(?<!\b[Nn]\.)\s")
_LABEL = re.compile(
    r"(?:press|communiqu|comunicad|comunicato|hecho|fato|facto|mitteilung|meldung|meddeland|meddelels|melding|bericht|tiedote|komunikat|raport|notice|avis|aviso|avviso|bekannt|announcement|公告|発表|開示|공시|thông báo|siaran|pengumuman|duyuru|release|news|date|datum|dato|fecha|data|日付|公開日|掲載日|发布|發布|日期|등록|작성|rns|posted|published|veröffentlicht|publicado|publié|pubblicat)[^.;。\d]{0,24}(?:(?:nr|no|n|núm|num)?[.º°]{0,2}\s?\d{1,6}[\w/-]{0,10}[^.;。\d]{0,12})?$",
    re.IGNORECASE,
)
_MAY_LABEL, _MAY_STAMP = Hint(_LABEL), Hint(PAGE_STAMP)


def is_stamp(text: str) -> bool:
    """Whether a text holds a word of the last change or of the copyright of a page."""
    return _MAY_STAMP(text) and PAGE_STAMP.search(text) is not None


# place and comma before the date that ends a notice: "…之上市地位。香港,二零一四年十一月十日"
_SIGNED = re.compile(r"[.。!?！]\s*[^\W\d_]{2,16}(?: [^\W\d_]{2,12}){0,2}[,，、]\s?(?:a |le |den |il |em )?$")


def is_dateline_position(text: str, start: int, end: int) -> bool:
    """Whether a date at [start:end) of the original text stands where a notice carries its own date."""
    if start > 600:
        return False
    line = text.rfind("\n", 0, start) + 1
    head = text[line:start]
    if not text[end : end + 200].strip(" .。\n") and _SIGNED.search(head[-48:]):
        return True
    sentence = _STOP.split(head)[-1]
    if not _stands_as_date(text, start, end, head, sentence):
        return False
    return not is_stamp(sentence[-40:])


def _stands_as_date(text: str, start: int, end: int, head: str, sentence: str) -> bool:
    """What stands around the date is as around that of a notice; `head` is its line before it, `sentence` the last one of that."""
    tail = _TAIL.match(text[end : end + 45])
    if tail is None:
        return not head.strip() and text[end : end + 1] in (" ", "\t", "") and text[end - 4 : end].isdigit()
    if len(sentence) <= 90 and _MAY_LABEL(sentence) and _LABEL.search(sentence):
        return True
    stripped = head.strip(" (*[【")
    if not sentence.strip() and _CLOCKED.match(text, end):
        return True
    if len(head) > 60 or _HEAD.match(head) is None:
        return False
    if _PREPOSITION.match(head) and text[end : end + 4].strip()[:1] not in ("-", "–", "—", ":", "|"):
        return False
    if len(stripped.split()) > 2 and not any(c in head for c in ",:-–—(|/】，、"):
        return False
    return not stripped or not stripped[0].isalpha() or not stripped[0].islower()
