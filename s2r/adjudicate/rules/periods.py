"""Words for an expiry that end a period, not a security: "at the expiry of the notice period", "nach Ablauf der Frist"."""

from __future__ import annotations

import re

_NOUN = (
    r"(?:(?:\w+[- ])?periods?|deadlines?|time limit|term of (?:office|notice)|\w*frist(?:ens?|s)?|\w*periode[nr]?|\w*zeitraum\w*|délais?|périodes?|plazos?|prazos?|periodos?|períodos?|termin[ei]|periodi|termijn(?:en)?|\w*period(?:en|ens|er)?"
    r"|\w*(?:määrä|tarjous)\w*aja\w*|terminu|okresu|waktu|tempoh|jangka waktu|tenggat|thời hạn|thời gian|süre\w*)\b|期間|期限|期间|기간|기한"
)
_AFTER = re.compile(
    rf"\s?(?:(?:of|der|des|dieser|jener|einer|du|de la|de l'|de|del|della|dello|do|da|dos|das|van (?:de|het|een)|af|av|på|on) ?)?(?:(?:this|that|the|such|said|den|det|denne|dette|die|ces|cette|ce|dicho|dicha|este|referido|tale|detto|deze) )?"
    rf"(?:(?!(?:warrants?|rights|notes?|bonds?|within|during|before|by|innerhalb|binnen|während|dans|pendant|dentro|durante|entro|inom|innen|inden)\b)[\w-]+ ){{0,2}}?{_NOUN}"
)
_BEFORE = re.compile(rf"(?:{_NOUN})(?:['’]s|s|ens)? ?(?:has |have |had |is |er |är |ist |are )?$")
REACH = 40  # folded characters before the expiry within which the period is named


def of_a_period(text: str, start: int, end: int) -> bool:
    """What expires at [start, end) of folded text is a period or a deadline."""
    return _AFTER.match(text, end) is not None or _BEFORE.search(text, max(0, start - REACH), start) is not None
