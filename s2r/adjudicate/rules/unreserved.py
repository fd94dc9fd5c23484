"""Conditions: those that a text denies ("not subject to any condition") hold nothing back; those that no conjunction opens; filings denied."""

from __future__ import annotations

import re
from collections.abc import Sequence

from s2r.adjudicate.rules.document import Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.lexis import Hit, Scan

_STATE_EN = r"(?:proceedings?|bankruptcy|insolvency|receivership|liquidation|administration|winding[- ]up|cease[- ]trade|creditor protection|sanctions)\b"
DENIED = Guarded(
    r"\b(?:not|no longer|never|neither|nor|without being)\b (?:[\w-]+ ){0,3}?(?:subject to|conditional|conditioned|contingent|dependent)\b[^.;]{0,50}"
    # a state of the company: "having become subject to insolvency proceedings"
    rf"|\b(?:becom\w+|became|been|being) subject to (?:[\w'’-]+ ){{0,5}}?{_STATE_EN}|\b(?:étant|est|sont|été) (?:désormais )?(?:soumise?s?|assujettie?s?) à (?:\w+ ){{0,3}}?(?:procédure|faillite|liquidation|redressement|interdiction)"
    r"|\b(?:está|están|estar|quedado|hallarse|encontrarse|encontra-se|estarem?) (?:sujet|sujeit|sometid|submetid)[ao]s? (?:a|à|ao) (?:\w+ ){0,3}?(?:concurso|quiebra|liquidaci\w+|liquidação|falência|recuperação judicial|insolvenc\w+|insolvência|procedimiento|processo)"
    r"|\b(?:essendo|è|sono|stata|risult\w+) (?:soggett|assoggettat|sottopost)[aoe] (?:a|alla|ad) (?:\w+ ){0,3}?(?:procedur\w+|fallimento|liquidazione|amministrazione straordinaria|concordato)"
    r"|\bonderworpen aan (?:\w+ ){0,2}?(?:faillissement\w*|surseance\w*|insolventie\w*)|\b(?:föremål för|underlagt|genstand for|gjenstand for) (?:\w+ ){0,2}?(?:konkurs\w*|insolven\w*|rekonstruk\w*|likvidation\w*|avvikling\w*)"
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
    r"|(?:並無|概無|沒有|并无|没有|再无|再無)[^。;,]{0,8}?(?:条件|條件)(?:尚待|仍待|有待|须待|須待|尚未|尚需|尚須)?[^。;,]{0,4}|(?:無|无)(?:条件|條件)|不(?:附带?|附帶|受)(?:任何)?(?:条件|條件)|条件(?:は|が)?(?:付されて|付いて|つけて)?(?:いない|おりません|いません|なし)|(?:아무런|어떠한) 조건도|조건 ?없이|무조건"
)
# what a headline says of an offer or a meeting that is over: its outcome proposes nothing
OUTCOME = Guarded(
    r"\b(?:results?|outcome|settlement) of (?:the |its )?(?:\w+ ){0,3}?(?:offer|bid|tender|meeting|acceptance period)\b|\b(?:offer|bid|meeting|tender)\b[:,]? (?:final |voting )?(?:results?|outcome)\b"
    r"|\b(?:end)?ergebnis(?:se)? (?:de[sr] |zum )?\w*(?:angebot|frist|versammlung)|\brésultats? (?:définitifs? )?(?:de l'|du )(?:offre|assemblée|opa|vote)|\bresultados? (?:final |definitivo )?d[aeo]l? (?:la |las |los )?(?:oferta|opa|leilão|subasta|junta|assembleia)"
    r"|\b(?:esito|risultati) (?:\w+ )?dell['a] ?(?:offerta|opa|assemblea)|\b(?:uitkomst|uitslag|resulta(?:at|ten)) (?:van )?(?:het |de )?(?:na-?aanmeld\w*|bod|openbaar bod|aanbod|vergadering)|\b(?:utfall(?:et)?|resultat(?:et)?) (?:av|i|af) (?:\w+ )?(?:\w*bud\w*|erbjudande\w*|tilbud\w*|stämma\w*|general\w*)"
    r"|\b(?:osto)?tarjouksen (?:lopullinen )?tulos|\bwyniki? (?:wezwania|oferty|zgromadzenia)|\bkết quả (?:chào mua|đại hội)|\bhasil (?:penawaran|rups)|\b(?:teklif|genel kurul) sonuç\w*|(?:要约收购|要約|収购|公開買付け?|공개매수|주주총회)(?:[のの의]|등의)?\s?(?:结果|結果|결과)"
)
TOLD = 60  # folded characters around words of a proposal within which its outcome is named
# a sentence that opens with its verb and goes on after the comma: "Sollte die Versammlung zustimmen, wird ...", "Should the court ..., the"
VERB_FIRST = re.compile(
    r"\W*(?:sollten?|stimm(?:t|en)|kommt|gelingt|erreich(?:t|en)|erhält|genehmigt|billigt|wird|werden)\b[^?]{8,170}?, (?:so |dann )?(?:wird|werden|würde|will|soll|ist|kann|könnte|droht|endet|erlischt|verliert|verlieren|entfällt|verfällt|scheide[nt]|verschwinde[nt]|verlässt|verlassen|fliegt|folgt|hat)\b"
    r"|\W*(?:mocht(?:en)?|stem(?:t|men)|wordt|worden|haalt|bereikt|krijgt|slaagt)\b[^?]{8,170}?, (?:dan )?(?:zal|zullen|wordt|worden|kan|volgt|verdwijn(?:t|en)|eindigt|verliest|vervalt|verlaat)\b"
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


# "has not been filed", "n'ayant pas été déposé": said of the words for a filing, or right before them
UNFILED = re.compile(
    r"\b(?:not|never|failed to have|nicht|pas|no|não|non|niet|inte|ikke|ei|nie|belum|tidak|chưa|không)\b(?! only| nur| seulement| sólo| solo| só| bara| kun)"
)
UNFILED_BEFORE = 20  # folded characters


def done(scan: Scan, act: str, start: int, end: int) -> list[Hit]:
    """Words of an act in [start, end) of the folded text; what is not filed ends no listing."""
    hits = scan.within(f"act.{act}", start, end)
    if act != "filing" or not hits:
        return hits
    return [hit for hit in hits if not UNFILED.search(scan.text, max(start, hit.start - UNFILED_BEFORE), hit.end)]
