"""Companies of which a report tells beside the issuer: the topic of a sentence set off from the rest ("the same day, for its part, Corvane
said ..."), and the company from which a page only tells the issuer apart."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.guarded import Guarded
from s2r.lang.text import fold_text

_UPPER = r"[^\W\d_a-zà-öø-ÿßığşçöüłńśźżąęćđ]"
_NAME = rf"(?P<name>{_UPPER}[\w&’'.-]*[\w](?: (?:{_UPPER}[\w&’'.-]*\w|&|de|du|van|von|y|e)){{1,3}})"
# what sets a sentence off from those before it, in folded text
SET_OFF = Guarded(
    r"\b(?:(?:on |also )?(?:the|that) same (?:day|week)|meanwhile|elsewhere|separately|in other news|by contrast)\b|\b(?:am (?:selben|gleichen) tag|zeitgleich|unterdessen|derweil|andernorts|hingegen|dagegen)\b"
    r"|\b(?:le même jour|par ailleurs|de son côté|pour sa part|dans le même temps)\b|\b(?:el mismo día|por otra parte|por su parte|mientras tanto)\b|\b(?:no mesmo dia|por sua vez|já a|enquanto isso)\b|\b(?:lo stesso giorno|nello stesso giorno|nel frattempo|dal canto suo)\b"
    r"|\b(?:dezelfde dag|op dezelfde dag|intussen|ondertussen)\b|\b(?:samma dag|under tiden)\b|\b(?:samme dag|imens)\b|\b(?:samana päivänä|samaan aikaan)\b|\b(?:tego samego dnia|tymczasem|z kolei)\b"
    r"|\b(?:aynı gün|öte yandan|diğer yandan|bu arada|[^\W\d_]+ ise)\b|\b(?:cùng ngày|trong khi đó)\b|\b(?:pada hari yang sama|sementara itu|di sisi lain)\b"
)
_OPENING = re.compile(
    r"\W*(?:(?:(?:[Oo]n |[Aa]lso )?(?:[Tt]he|[Tt]hat) same (?:day|week)|[Mm]eanwhile|[Ee]lsewhere|[Ss]eparately|[Ii]n other news|[Bb]y contrast|(?:[Ll]e|[Dd]ans le) même (?:jour|temps)|[Pp]ar ailleurs|[Dd]e son côté|[Pp]our sa part"
    r"|[Ee]l mismo día|[Pp]or (?:otra|su) parte|[Mm]ientras tanto|[Nn]o mesmo dia|[Pp]or sua vez|[Ee]nquanto isso|(?:[Ll]o|[Nn]ello) stesso giorno|[Nn]el frattempo|[Dd]al canto suo|[Aa]ynı gün|[Öö]te yandan|[Dd]iğer yandan|[Bb]u arada"
    r"|[Cc]ùng ngày|[Tt]rong khi đó|[Pp]ada hari yang sama|[Ss]ementara itu|[Dd]i sisi lain|[Ss]amana päivänä|[Ss]amaan aikaan),? (?:the |le |la |el |los |o |a |il )?(?:retailer |miner |broker |fabricante |minera )?"
    r"|(?:[Aa]m (?:selben|gleichen) Tag|[Zz]eitgleich|[Uu]nterdessen|[Dd]erweil|[Aa]ndernorts|(?:[Oo]p )?[Dd]ezelfde dag|[Ii]ntussen|[Oo]ndertussen|[Ss]amm?[ae] dag|[Uu]nder tiden|[Ii]mens|[Tt]ego samego dnia|[Tt]ymczasem),? [a-zæøåäöüß]+ (?:auch |die |der |de |den )?)"
    rf"{_NAME}"
)
_TOPIC = re.compile(rf"(?:^|[\s\"“(]){_NAME} ise\b")
# words in capitals that are no company's name
_NO_COMPANY = re.compile(
    r"\b(?:board|directors?|company|group|shares?|shareholders?|exchange|court|authority|commission|trading|regulat\w+|offer|bidco|borsa|börse|bolsa|bourse|beurs|børs|børsen|giełd\w+|euronext|nasdaq|nyse|london stock|yönetim|kurul\w*|spk|cnmv|cvm"
    r"|bafin|consob|amf|fca|sec|knf|vorstand|aufsichtsrat|hauptversammlung|gericht|conseil|tribunal|autorité|consejo|junta|conselho|assembleia|consiglio|assemblea|raad|styrelsen|styret|bestyrelsen|hallitus|zarząd|sąd|hđqt|ủy ban|bursa|otoritas|bei|pay|paylar\w*)\b"
)
PAGES = frozenset({"press", "aggregator", "unknown"})  # whose sentences go from one company to another


def topic_of(sentence: str, folded: str, page: str) -> str:
    """The company that a sentence, set off from those before it, opens with as its topic; "" where the page names it again, as it does
    the bidder of an offer."""
    if len(folded) > 600:
        return ""
    found = _OPENING.match(sentence) or _TOPIC.search(sentence)
    if found is None:
        return ""
    name = found["name"]
    return "" if _NO_COMPANY.search(fold_text(name)) or page.count(name) > 1 else name
