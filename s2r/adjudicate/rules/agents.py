"""Who speaks and who only helps: announcements that address the holders of their own company, and companies named for the office that
they hold (depositaries, trustees, transfer and paying agents), about which no step is."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.document import Document

_AS = re.compile(
    r"(?: (?:Company|Corporation|Services|Limited|Inc\.|N\.A\.|LLC|AG|SA|S\.A\.|NV|AB|A/S))*,? \(?(?:"
    r"(?:(?:acting|serving) )?(?:as|in its capacity as) (?:the |its |our |their )?(?:\w+ ){0,2}?(?:depositary|depository|trustee|custodian|registrar|(?:transfer|paying|redemption|conversion|exchange|escrow|fiscal|calculation|warrant|rights|information|settlement) agent)"
    r"|als (?:\w+ )?(?:Zahlstelle|Treuhänder\w*|Verwahrstelle|Depotbank|Hinterlegungsstelle|Abwicklungsstelle|Umtauschtreuhänder\w*)|(?:en (?:sa )?qualité (?:de|d['’])|agissant comme) ?(?:\w+ )?(?:dépositaire|fiduciaire|mandataire|agent|centralisateur)"
    r"|(?:en (?:su )?calidad de|como|na qualidade de) (?:\w+ )?(?:depositari[oa]|depositári[oa]|fiduciari[oa]|agente|representante común|escriturador[a]?|custodio|custodiante)|(?:in qualità di|quale) (?:\w+ )?(?:depositari[oa]|agente|rappresentante comune|fiduciari[oa])"
    r"|als (?:\w+ )?(?:bewaarder|betaalkantoor|betaalagent|omwisselagent)|(?:som|i egenskap av|i egenskab af) (?:\w+ )?(?:depå\w*|förvaringsinstitut|emissionsinstitut|kontofører\w*|tillitsmann|depotbank|udstedende institut|agent|betalningsombud)"
    r"|jako (?:\w+ )?(?:depozytariusz|powiernik|agent \w+)|(?:を|が)(?:預託機関|受託者|受託会社)として|作[为為](?:存[托託]|受[托託]|存管)[人银銀]"
    r")"
)


def in_office(text: str, end: int) -> bool:
    """What follows a company's name, which ends at `end`, says in which office it acts for the issuer or the holders."""
    return _AS.match(text, end) is not None


_TO_HOLDERS = re.compile(
    r"\b(?:share|stock|unit|security)holders are (?:hereby |accordingly |further )?(?:advised|referred|reminded|informed|notified) (?:that|to)\b|\b(?:les actionnaires|aux actionnaires|os acionistas|los accionistas|gli azionisti|die aktionäre|de aandeelhouders)\b"
    r" (?:sont|são|son|quedan|sono|werden|worden) (?:\w+ )?(?:informés|avisés|informados|avisados|informati|avvisati|informiert|darauf hingewiesen|geïnformeerd|erop gewezen)"
)


def to_holders(doc: Document) -> bool:
    """The document addresses the holders of the company that issues it."""
    return any(unit.main and _TO_HOLDERS.search(doc.folded.text, unit.fstart, unit.fend) for unit in doc.units)
