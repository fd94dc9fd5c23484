"""A sentence that goes on about a debt: "The 6% issue of 2016 matures. It is removed from the list on 2 May." names no class, and means no shares."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.document import Document, Unit

_COUPON = re.compile(r"(?<![\d.,])\d{1,2}(?:[.,]\d{1,4})? ?%")
# a sentence whose subject is what the one before it spoke of: a pronoun for things, or a verb without a subject
_GOES_ON = re.compile(
    r"\W*(?:(?:they|these|those|all of them|the latter|it) (?:are|were|is|was|will|have|has|shall|cease\w*)\b|(?:sie|diese|dieselben|es) (?:wird|werden|wurden?|sind|ist)\b|(?:elles?|ils?|celles?-ci|ceux-ci) (?:ont|a|sont|est|seront|sera|cess\w+)\b"
    r"|(?:(?:ést[ao]s?|est[ao]s|ellas|la misma|las mismas) )?(?:se (?:excluyen?|retiran?|cancelan?|dan? de baja)|fue(?:ron)?|ha(?:n)? sido|será[n]?|quedan?|quedará[n]?|causan?|causará[n]?|dejan?|dejará[n]?)\b"
    r"|(?:(?:est[ae]s|elas|eles|a mesma|as mesmas) )?(?:foi|foram|serão|será|deixam?|deixará|deixarão|saem|sai|são excluídas)\b|(?:(?:esse|essi|queste|questi|le stesse|gli stessi) )?(?:sono stat[ei]|è stat[ao]|saranno|sarà|vengono|viene|verranno|verrà|cessano|cessa)\b"
    r"|(?:ze|zij|deze|die) (?:zijn|werden|worden|is|werd|wordt)\b|(?:de|dessa|disse|den|det|denna|denne) (?:har|avnoter\w+|blir|blev|ble|er|är|stryk\w+|slett\w+|afnoter\w+|tas|tages)\b|(?:ne|nämä|se|ne) (?:poist\w+|lakka\w+)|(?:one |te )?(?:zostały|zostaną|zostanie|została|są|będą)\b)"
)


def goes_on_about_debt(doc: Document, unit: Unit) -> bool:
    """The sentence takes up one of its block that tells of the end of a debt with a coupon."""
    if unit.index == 0 or (before := doc.units[unit.index - 1]).block != unit.block or "%" not in doc.folded_text(before):
        return False
    text = doc.folded.text
    if _COUPON.search(text, before.fstart, before.fend) is None or _GOES_ON.match(text, unit.fstart, unit.fend) is None:
        return False
    return bool(doc.scan.within("reason.expiry_redemption", before.fstart, before.fend))
