"""Conditions: those that a text denies ("not subject to any condition") hold nothing back; those that no conjunction opens."""

from __future__ import annotations

import re
from collections.abc import Sequence

from s2r.adjudicate.rules.document import Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.lexis import Hit, Scan

DENIED = Guarded(
    r"\b(?:not|no longer|never|neither|nor|without being)\b (?:[\w-]+ ){0,3}?(?:subject to|conditional|conditioned|contingent|dependent)\b[^.;]{0,50}"
    r"|\b(?:free (?:of|from)|without) (?:any )?(?:further )?(?:conditions?|reserv\w+)\b|\b(?:has|have|contains?|carr(?:y|ies)) no (?:further )?conditions?\b"
    r"|\b(?:nicht|nicht mehr|keine[rnms]?) (?:[\wäöüß]+ ){0,3}?(?:bedingung\w*|bedingt|abhängig|vorbehalt\w*)|\bohne (?:jede |weitere )?(?:bedingung\w*|vorbehalt\w*)"
    r"|\bn[e'](?: ?est| sont)? (?:plus |pas )?(?:soumise?s?|subordonnée?s?|conditionnée?s?|assortie?s?)[^.;]{0,30}(?:aucune|de) condition\w*|\bn'est (?:plus|pas) (?:soumis|subordonn|condition)\w*|\bsans (?:aucune )?(?:condition|réserve)s?\b"
    r"|\bno (?:está|estan|están|queda|quedan|depende) (?:ya )?(?:sujet[ao]s?|condicionad[ao]s?|subordinad[ao]s?|de)\b[^.;]{0,40}|\bsin (?:ninguna )?(?:condici\w+|reservas?)\b"
    r"|\bnão (?:está|estão|fica|depende) (?:mais )?(?:sujeit[ao]s?|condicionad[ao]s?|subordinad[ao]s?|de)\b[^.;]{0,40}|\bsem (?:qualquer )?(?:condiç\w+|reservas?)\b"
    r"|\bnon (?:è|sono) (?:più )?(?:soggett|subordinat|condizionat)\w+[^.;]{0,30}|\bsenza (?:alcuna )?(?:condizion\w+|riserv\w+)"
    r"|\bniet (?:langer |meer )?(?:afhankelijk|onderworpen|voorwaardelijk)\b[^.;]{0,30}|\b(?:geen|zonder) (?:enkele )?(?:opschortende )?voorwaarde\w*"
    r"|\binte (?:längre )?(?:villkora\w*|föremål)\b[^.;]{0,30}|\b(?:inga|utan) (?:ytterligare )?villkor\b|\bikke (?:længere |lenger )?(?:betinget|underlagt|avhengig|afhængig)\b[^.;]{0,30}"
    r"|\b(?:ingen|uten|uden) (?:ytterligere |yderligere )?(?:betingelser|vilkår|forbehold)\b|\bei (?:ole )?(?:enää )?(?:ehdolli\w+|riipu)\b[^.;]{0,30}|\bilman ehtoja\b"
    r"|\bnie (?:jest|są|podlega) (?:już )?(?:uzależnion\w+|warunk\w+|żadn\w+)[^.;]{0,30}|\bbez (?:żadnych )?(?:warunków|zastrzeżeń)\b"
    r"|\bkhông (?:còn )?(?:kèm|phụ thuộc|có|chịu)[^.;]{0,20}điều kiện|\btidak (?:lagi )?(?:tunduk|bergantung|bersyarat)\b[^.;]{0,30}|\btanpa syarat\b|\bhiçbir (?:koşul|şart)\w*"
    r"|(?:無|无)(?:条件|條件)|不(?:附带?|附帶|受)(?:任何)?(?:条件|條件)|条件(?:は|が)?(?:付されて|付いて|つけて)?(?:いない|おりません|いません|なし)|(?:아무런|어떠한) 조건도|조건 ?없이|무조건"
)
# a sentence that opens with its verb and goes on after the comma: "Sollte die Versammlung zustimmen, wird ...", "Should the court ..., the"
VERB_FIRST = re.compile(
    r"\W*(?:sollten?|stimm(?:t|en)|kommt|gelingt|erreich(?:t|en)|erhält|genehmigt|billigt|wird|werden)\b[^?]{8,170}?, (?:so |dann )?(?:wird|werden|würde|will|soll|ist|kann|könnte|droht|endet|erlischt)\b"
    r"|\W*(?:mocht(?:en)?|stem(?:t|men)|wordt|worden|haalt|bereikt|krijgt|slaagt)\b[^?]{8,170}?, (?:dan )?(?:zal|zullen|wordt|worden|kan|volgt|verdwijnt|eindigt)\b"
    r"|\W*(?:skulle|godkänner|godkender|godkjenner|fullföljs|genomförs|gennemføres|gjennomføres|når|får|blir|bliver|vedtar|vedtager)\b[^?]{8,170}?, (?:så )?(?:kommer|ska|skal|vil|vill|avnoteras|afnoteres|strykes|slettes)\b"
    r"|\W*(?:should|were|had)\b[^?]{8,170}?, [^,?]{3,60}?\b(?:will|would|could|may|might|intends?|shall)\b"
)


def open_conditions(scan: Scan, start: int, end: int) -> list[Hit]:
    """Words of a condition in [start, end) of the folded text that the text does not deny."""
    return undenied(scan, scan.within("modality.conditional", start, end), start, end)


def undenied(scan: Scan, hits: Sequence[Hit], start: int, end: int) -> list[Hit]:
    """Those of the phrases `hits` in [start, end) that reach over no denial of a condition."""
    if not hits:
        return []
    denied = [match.span() for match in DENIED.finditer(scan, start, end)]
    return [hit for hit in hits if not any(low < hit.end and hit.start < high for low, high in denied)]


def waits(scan: Scan, unit: Unit) -> bool:
    """The sentence holds words of a condition that it does not deny."""
    return bool(open_conditions(scan, unit.fstart, unit.fend))
