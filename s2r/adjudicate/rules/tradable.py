"""Modal verbs that say until when a security can be traded ("the last day on which the shares can be dealt in"): they keep no step open."""

from __future__ import annotations

import re

REACH = 130  # folded characters before and after a modal verb within which the last day and the trading are named
# "the last day on which", "laatste dag waarop", "sista dagen då"
_LAST_DAY_ON_WHICH = re.compile(
    r"\b(?:last|final) (?:\w+ )?(?:day|date|session)s? (?:on|in|at|during) which\b|\b(?:letzter?|letzte[nms]) (?:\w*tag|termin|sitzung)(?: (?:ist|sein wird))?, an (?:dem|der|welchem)\b|\blaatste (?:\w*dag|zitting) (?:(?:is|wordt|zal zijn),? )?(?:waarop|dat)\b"
    r"|\bderni(?:er|ère) (?:jour|séance|date)(?: de bourse)? (?:où|auquel|à laquelle|durant laquelle|pendant lequel|lors de laquelle)\b|\b[uú]ltim[oa] (?:d[ií]a|sesi[oó]n|fecha|sessão|data|pregão) (?:en|em) (?:el |la |o |a )?(?:que|cual|qual)\b"
    r"|\bultim[oa] (?:giorno|seduta|data) (?:in cui|nel quale|nella quale)\b|\b(?:sista|siste|sidste) (?:\w*dag(?:en)?) (?:(?:är|er|blir|bliver) )?(?:då|som|når|hvor|der|på vilken|på hvilken)\b|\bviimei\w+ (?:\w*päivä\w*),? (?:jolloin|jona)\b"
    r"|\bostatni\w* (?:dzie[nń]|dni\w+|sesj\w+),? (?:w którym|w której|kiedy|na której)\b"
)
_TRADED = re.compile(
    r"\b(?:trade[ds]?|dealt|deal|bought|sold|\w*handel\w*|gehandelt|gekauft|négoci\w+|échang\w+|negoci\w+|cotiz\w+|operar\w*|negoziat\w+|scambiat\w+|handlas|handles|omsätt\w+|omset\w+|omsæt\w+|käydä kauppa\w*|kaupankäy\w*|obrot\w*|handlować|notowan\w*)\b"
)
AFTER = 50


def on_last_day(text: str, low: int, start: int, end: int) -> bool:
    """A modal verb [start, end) of folded text, in a clause from `low` on, tells on which last day a security can be traded."""
    opening = _LAST_DAY_ON_WHICH.search(text, max(low, start - REACH), start)
    if opening is None or any(mark in text[opening.end() : start] for mark in ";,"):
        return False
    return _TRADED.search(text, opening.end(), end + AFTER) is not None
