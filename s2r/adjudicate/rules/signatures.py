"""At which exchange a notice was made that names no exchange: by its signature ("Düsseldorf, den 2. Oktober 2013 - Die Geschäftsführung")
and by the site that prints it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from s2r.adjudicate.rules.document import Document
from s2r.lang.text import fold_text
from s2r.policy import Policy

# place, day, and who signs for an exchange, in folded text
_SIGNED = re.compile(
    r"(?:^|[\n.;|>] ?)(?P<place>[^\W\d_][^\n,.;:|\d]{2,30}), (?:den |le |a |em |il |li |op |the )?(?:\d{1,2}(?:\.|º|er|st|nd|rd|th)? ?(?:de |d')?[^\W\d_]{3,12}\.?,? (?:de |del )?|[^\W\d_]{3,9}\.? \d{1,2}, |\d{1,2}[./]\d{1,2}[./])\d{4}\.?\W{0,6}"
    r"(?:die |der |la |le |el |il |de |o |a |the )?(?:geschäftsführung|geschäftsleitung|zulassungsstelle|börsenrat|zulassungsausschuss|direction (?:de la bourse|générale|des marchés)|société (?:rectora|de la bourse)|entreprise de marché|sociedad rectora"
    r"|directora? general|director del mercado|direzione|consejo rector|diretoria|direção|directie|listing department|listings? (?:department|division|team)|exchange operations|market operations|börsledning\w*|pörssin johto)\b"
)
_EXCHANGE_HOST = re.compile(r"b(?:oe|ö|o)rsen?|bourse|bolsa|borsa|beurs|exchange|stockex|giełd|gield")
_LONG = 5  # letters of a place that a host's name is searched for


def notice_home(doc: Document, policy: Policy) -> frozenset[str]:
    """Codes of the venues at which the exchange that made a notice is at home; empty where nothing tells."""
    if doc.source_kind != "exchange":
        return frozenset()
    places = _places(policy)
    signed = [m["place"].strip() for m in _SIGNED.finditer(doc.folded.text)]
    if signed:
        return frozenset(mic for place in signed for mic in places.get(place, places.get(place.split()[0], frozenset())))
    host = fold_text(urlsplit(doc.page.url).hostname or "")
    official = {mic for mic, venue in policy.venues.items() for o in venue.official if o.kind == "exchange" and _on(host, o.domain)}
    if official or not _EXCHANGE_HOST.search(host):
        return frozenset(official)
    return frozenset(mic for place, mics in places.items() if len(place) >= _LONG and place in host for mic in mics)


def _on(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")


_PLACES: dict[str, dict[str, frozenset[str]]] = {}


def _places(policy: Policy) -> dict[str, frozenset[str]]:
    if policy.digest not in _PLACES:
        found: dict[str, set[str]] = {}
        for mic, venue in policy.venues.items():
            for place in venue.city_aliases:
                found.setdefault(fold_text(place).strip(), set()).add(mic)
        _PLACES[policy.digest] = {place: frozenset(mics) for place, mics in found.items()}
    return _PLACES[policy.digest]
