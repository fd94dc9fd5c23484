"""What a step leaves as it is: a place that no venue of the document is named by ("the quotation of the shares in Brussels is not affected"),
a security that a sentence excludes ("the decision does not apply to the bonds")."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.guarded import Guarded

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


# said of a security that the step does not reach
_EXCLUDED = Guarded(
    r"\b(?:(?:is|are|was|were|be|remains?) (?:not|un)(?: be)? ?-?(?:affected|concerned|included|covered|impacted|touched)|unaffected|(?:does|do|shall|will|did) not (?:in any way )?(?:affect|apply|concern|cover|extend|relate|include|impact|touch)|without prejudice to|excluded from this)\b"
    r"|\b(?:nicht|nicht hiervon|nicht davon|unberührt|unbetroffen)\b[^.;]{0,60}?\b(?:betroffen|erfasst|umfasst|berührt|einbezogen)\b|\b(?:betrifft|berührt|umfasst|erfasst|gilt)\b[^.;]{0,60}?\bnicht\b|\b(?:bleib(?:t|en)|ist|sind)\b[^.;]{0,40}?\b(?:unberührt|unbetroffen)\b"
    r"|\bne (?:sont|est|seront|sera) (?:pas|nullement|aucunement) (?:concern|affect|visé|touch|impact|inclus)\w*|\bne (?:concerne|vise|touche|porte|s'applique|affecte|s'étend)(?:nt)? (?:pas|ni|nullement)\b|\bsans incidence sur\b"
    r"|\bno (?:(?:se )?(?:afectan?|alcanzan?|aplican?|extienden?|refieren?|incluyen?|comprenden?|conciernen?|afectará)|(?:está|son|resulta|se ven?|quedan?)(?:n)? (?:afectad|incluid|comprendid|alcanzad)\w+)\b"
    r"|\bnão (?:(?:se )?(?:afetam?|alcançam?|aplicam?|estendem?|referem?|incluem?|abrangem?|atingem?)|(?:é|são|está|estão|será|serão) (?:afetad|abrangid|incluíd|alcançad)\w+)\b"
    r"|\bnon (?:(?:si )?(?:riguarda|interessa|tocca|comprende|include|estende|applica|concerne)(?:no)?|(?:è|sono|saranno) (?:interessat|toccat|compres|inclus)\w+)\b"
    r"|\b(?:vallen|valt|zijn|is|worden|wordt|hebben|heeft)\b[^.;]{0,30}? (?:niet|geen)\b[^.;]{0,30}? ?(?:onder|betrokken|geraakt|gevolgen|beïnvloed|betrekking)\b|\b(?:raakt|betreft|geldt)\b[^.;]{0,40}? niet\b|\bniet van toepassing op\b"
    r"|\b(?:berör|omfattar|gäller|avser|påverkar|gjelder|omfatter|berører|påvirker|vedrører|gælder|berørte|angår)s? (?:ikke|inte|ej)\b|\b(?:omfattas|berörs|påverkas|omfattes|berøres|påvirkes|er|är) (?:ikke|inte|ej)(?: (?:omfattet|berørt|omfattade|berörda))?\b(?= av| af|[.,;]|$)"
    r"|\b(?:ei|eivät|eikä) (?:koske|vaikuta|kohdistu|sisällä)\b|\bnie (?:dotycz\w+|obejmuj\w+|wpływ\w+|ma wpływu|mają wpływu)\b|(?:影響|影响)(?:し|は|を)?(?:ない|ありません|及ぼさ|ございません)|対象(?:外|では(?:ない|ありません)|に含(?:まれ|み)ま?せ?ん?)|(?:不|並不|并不|未)(?:受[^。,,]{0,6}影[响響]|影[响響]|涉及|包括|适用|適用)"
    r"|영향(?:을|이|은)? ?(?:미치지|받지|없)|해당(?:되지|하지) ?않|포함(?:되지|하지) ?않|\bkhông (?:ảnh hưởng|áp dụng|bao gồm|liên quan)|\btidak (?:termasuk|mempengaruhi|memengaruhi|berlaku|mencakup|terpengaruh|melibatkan|menjejaskan|terjejas)\b|\b(?:etkilemez|etkilemem\w+|kapsamaz|kapsamam\w+|etkilenme\w+|dahil değil)|لا (?:يشمل|يؤثر|يسري|ينطبق|تشمل|تؤثر)|ไม่(?:กระทบ|รวมถึง|มีผล)|लागू नहीं|प्रभावित नहीं"
)


def excludes(doc: Document, unit: Unit, *, goes_on: bool) -> bool:
    """The sentence says what a step does not reach, or with `goes_on` of what the listing goes on."""
    if _EXCLUDED.search(doc.scan, unit.fstart, unit.fend) is not None:
        return True
    return goes_on and bool(doc.scan.within("stage.reversal", unit.fstart, unit.fend))
