"""Companies that a sentence names without their legal form, as those whose shares it speaks of ("the common stock of Harlow Ventures")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2r.adjudicate.rules.guarded import Guarded
from s2r.lang.literals import Nearby
from s2r.lang.name_words import ROLE_WORDS, STRUCTURE
from s2r.lang.text import fold_text

_WORD = r"[^\W\d_a-zß-ÿ][\w&'’-]+"
_NAME = rf"(?P<name>{_WORD}(?: (?:& )?{_WORD}){{1,4}})"  # two words at least: one alone may be a class, a month, a place
# In headlines every word has a capital, so these words for shares must not.
_OWNED = re.compile(
    r"\b(?:(?:shares|stock|units|securities|warrants|notes|receipts) of|delist(?:s|ed|ing)?|de-list(?:s|ed|ing)?|(?:[Aa]ktien|actions ordinaires|actions|acciones|azioni|ações"
    r"|aandelen|aktierna|aktier|aktierne|aksjene|akcji|akcje) (?:ordinarias |ordinárias |ordinarie )?(?:von|der|de|du|da|do|di|van|i|spółki)"
    r"|(?:azioni|actions)(?: ordinarie| ordinaires)?|(?:titol[oi]|revoca|azioni) (?:dei|delle|degli|della|del|di)|(?:registro|desliste|deslistado|deslistagem|listado|cotización|radiation) (?:de|da|do|del)"
    r"|(?:compraventa forzosa|venta forzosa|retrait obligatoire|aquisição potestativa|offre de reprise) (?:sobre|sur|de|da|du|visant)(?: las acciones de| les actions)?)"
    rf" {_NAME}|{_NAME.replace('<name>', '<left>')}(?:の|的)(?:普通)?(?:株式|股票|股份)"
)
# as the subject of the step: "Barwon River Gold was removed from the list", "Jurong Foundry, whose delisting was approved"
_SUBJECT = re.compile(
    rf"{_NAME}(?:,? (?:which|that|who|que|qui|che|die|der|som|który|która|whose (?:shares|stock|listing)|deren Aktien|dont les actions|cuyas acciones|le cui azioni|cujas ações|waarvan de aandelen|vars aktier|hvis aksjer|hvis aktier),?)?"
    r" (?:(?:was|were|has been|had been|is|is being|will be|is to be|got|gets) (?:\w+ ){0,2}(?:de-?listed|removed|struck|booted|dropped|kicked|cancelled|thrown)"
    r"|(?:wurde|wird|ist|war)(?: [\w.]+){0,8} (?:delistet|delisted|gestrichen|dekotiert|gelöscht|vom Kurszettel|von der Börse)"
    r"|(?:a été|ont été|est|sont|sera|seront|fut|avait été) (?:\w+ )?(?:radiée?s?|retirée?s?)|(?:fue(?:ron)?|ha(?:n)? sido|serán?|quedó|quedaron|quedará[n]?|quedan?) (?:\w+ )?(?:excluid[ao]s?|deslistad[ao]s?|retirad[ao]s?)"
    r"|(?:è stat[ao]|sono stat[ei]|sarà|saranno|viene|vengono|fu) (?:\w+ )?(?:revocat|esclus|delistat|ritirat)[aoei]|(?:foi|foram|será|serão|teve|tiveram) (?:\w+ )?(?:deslistad|excluíd|retirad)[ao]s?"
    r"|(?:werd|wordt|is)(?: [\w.]+){0,6} (?:geschrapt|van de beurs|gedelist)|(?:avnoteras|avnoterades|har avnoterats|avförs|avfördes|strykes|ble strøket|slettes|blev slettet|afnoteres|blev afnoteret)"
    r"|(?:poistettiin|poistetaan|poistui)|(?:zosta(?:ł|ła|ło|nie) )(?:\w+ ){0,2}(?:wykluczon|wycofan)\w)"
)
_OWNED_LINES, _SUBJECT_LINES = Nearby(_OWNED), Nearby(_SUBJECT)
# folded words by which a page says that two companies of like names have nothing to do with each other
UNRELATED = Guarded(
    r"\bno (?:connection|relation|link|affiliation)|\bunrelated\b|\bnot (?:connected|related|affiliated|associated|to be confused)\b|\bnothing to do with\b"
    r"|\bkein(?:e|en|erlei)? (?:verbindung|zusammenhang|bezug)|\bnicht (?:verbunden|zu verwechseln)|\bnichts zu tun\b|\baucun (?:lien|rapport)|\bne pas confondre|\bninguna relación|\bno (?:guarda|tiene) relación"
    r"|\bnenhuma? (?:relação|vínculo)|\bsem (?:relação|vínculo)|\bnessun (?:legame|rapporto)|\bgeen (?:verband|relatie|band(?:en)?) \w+|\binget samband|\bingen (?:koppling|forbindelse|tilknytning)"
    r"|\bei liity\b|\bnie (?:jest |są )?(?:powiązan|związan)|関係(?:は|が)?(?:ありません|ない|なく)|無関係|无关|無關|没有(?:任何)?关联|沒有(?:任何)?關聯|관련(?:이|은)? 없|무관"
    r"|\bsimilar(?:ly)?[- ]nam(?:ed|e|es)\b|\bsame name\b|\bnamesake|\b(?:mistaken|mistake) (?:it )?for\b|\b(?:namensähnlich|namensgleich)|\bähnlich(?:e[rnm]?|en) namen|\bverwechs(?:eln|elt|lung)|\bà ne pas confondre|\bhomonyme|\bnom (?:proche|similaire|voisin)"
    r"|\bno (?:se )?(?:debe )?confundir(?:se)?\b|\bhomónim|\bnombre (?:parecido|similar)|\bnão (?:se )?(?:deve )?(?:ser )?confund|\bhomônim|\bnome (?:parecido|semelhante|simile)|\b(?:da )?non (?:va )?confus|\bda non confondere|\bomonim|\b(?:te )?verwarren met|\bgelijknamig"
    r"|\bförväxl|\bliknande namn|\bforveksl|\blignende navn|\bsekoit\w+|\bsamannimi|\bmylić|\bpodobn\w+ nazw|\bzbieżność nazw|\bkarıştırılma|\bisim benzerliği|\bbenzer (?:isim|ad)|\b(?:ilgisi|bağlantısı|ilişkisi) (?:yok|bulunma)|\bnhầm lẫn|\btrùng tên|\bkhông liên quan"
    r"|\btidak (?:ada hubungan|terkait|berkaitan)|\bnama (?:yang )?(?:mirip|serupa)|社名が(?:似|類似|酷似|同じ)|混同|資本関係(?:は|も|が)?(?:ない|ありません|なく)|名[称稱]相[近似]|混淆|(?:이름|사명|상호)(?:이|은)? ?(?:비슷|유사|같|흡사)|혼동|لا علاقة|تشابه الأسماء|ชื่อคล้าย"
)
_NO_COMPANY = frozenset(
    {
        *(
            "class",
            "series",
            "common",
            "ordinary",
            "preferred",
            "preference",
            "american",
            "depositary",
            "beneficial",
            "capital",
            "record",
            "rule",
        ),
        *(
            "section",
            "form",
            "merger",
            "parent",
            "purchaser",
            "offeror",
            "bidder",
            "board",
            "exchange",
            "listing",
            "official",
            "main",
            "market",
        ),
    }
)
# what ends a phrase that names shares, a market or a body rather than a company
_NO_SUBJECT = frozenset(
    {
        *("shares", "share", "stock", "stocks", "securities", "security", "units", "warrants", "notes", "options", "listing", "listings", "ads", "adss"),
        *("adr", "adrs", "gdrs", "company", "issuer", "bonds", "debentures", "fund", "trust", "aktie", "aktien", "actions", "acciones", "azioni"),
        *("ações", "aandelen", "aktier", "aktierna", "aksjer", "aksjene", "aktierne", "osakkeet", "osake", "akcje", "titres", "titolo", "titre"),
    }
)  # fmt: skip


def owners(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, folded name) of each; whether it is the issuer, a venue or a class is for the caller to say."""
    for match in (*_OWNED_LINES.finditer(text), *_SUBJECT_LINES.finditer(text)):
        group = "name" if match["name"] else "left"
        words = fold_text(match[group]).split()
        if words[0] in _NO_COMPANY or words[-1] in _NO_SUBJECT or all(word in ROLE_WORDS or word in STRUCTURE for word in words):
            continue
        yield match.start(group), match.end(group), " ".join(words)


# "لأسهم شركة طنطا للكتان": in Arabic no capital tells where a name ends, but a preposition or a verb does
_ARABIC = re.compile(
    r"(?<!\w)(?:[وف]?[بلك]?(?:ال)?(?:أسهم|اسهم|سهم|شطب|سندات)|لأسهم|لاسهم|لسهم) (?:شركة|مجموعة|بنك|مصرف) (?P<name>[\u0621-\u064a]{2,}(?: [\u0621-\u064a]{2,}){0,3})"
)
_STOPS_TEXT = (
    "من في على عن إلى الى مع بعد قبل منذ حتى خلال لدى عند التي الذي وذلك وفقا بناء بناءً اعتبارا اعتباراً ابتداء ابتداءً نتيجة بسبب لعدم بالبورصة بورصة البورصة المقيدة المدرجة"
    " تم قررت قرر أعلنت وافقت كما وقد قد اختياريا إجباريا نهائيا اليوم أمس غدا بالسوق السوق بجداول جداول وأسهم وشركة بقيمة بعدد لأن إذا أن"
)
_ARABIC_STOPS = frozenset(_STOPS_TEXT.split())


def arabic_owners(text: str) -> Iterator[tuple[int, int, str]]:
    """As `owners`, of Arabic text: companies whose shares are spoken of."""
    for match in _ARABIC.finditer(text) if "شركة" in text or "بنك" in text or "مجموعة" in text or "مصرف" in text else ():
        words = match["name"].split()
        kept = next((n for n, word in enumerate(words) if word in _ARABIC_STOPS), len(words))
        if kept:
            name = " ".join(words[:kept])
            yield match.start("name"), match.start("name") + len(name), fold_text(name)


_PERCENT = r"(?:%|per ?cent|pct|procent|prosent|prozent|pour ?cent|por ?cien(?:to)?|por cento|per cento|prosentti\w*)"
# after a name: "Corvane's holding", "Corvanes ägande", "Corvane now holds 96 per cent"
_HOLDS_AFTER = re.compile(
    r"(?:'s|’s|s['’]|s|:s|:n|n)? (?:[^\W\d_]+ ){0,2}?(?:(?:share)?holding|ownership|stake|majority|ägande|ägarandel|(?:aktie)?innehav|eierandel|eierskap|aksjepost|aktiepost|ejerandel|ejerskab|omistus\w*|pay oranı)(?![^\W\d_])"
    rf"|[^.;,]{{0,30}}? (?:now |nu |nun |har |hat |a |ha |detiene |)(?:holds|holding|owns|owning|held|innehar|äger|uppnått|nått|eier|ejer|oppnådd|opnået|hält|erreicht|détient|détenir|posee|alcanzado|detém|atingiu|raggiunto|detiene|bezit|houdt|omistaa|posiada)\b[^.;]{{0,40}}?{_PERCENT}",
    re.I,
)
# before it: "in view of the holding of Corvane", "angesichts der Beteiligung der Corvane", "compte tenu de la participation de Corvane"
_HOLDS_BEFORE = re.compile(
    r"\b(?:(?:share)?holding|ownership|stake|majority|\w*beteiligung(?:shöhe)?|mehrheit|anteilsbesitz\w*|participation|détention|participación|participação|partecipazione|belang|deelneming|udział\w*)"
    r" (?:(?:majoritaire|mayoritaria|majoritária|maggioritaria|now|\d[\d.,]* ?%) )?(?:of|held by|by|der|von|des|de|du|d['’]|detenue par|détenue par|de la|del|da|do|di|della|van|spółki) ?(?:the |la |l'|de )?$",
    re.I,
)
# the document's own company as the one whose shares are meant
_ITS_SHARES = re.compile(
    r"\b(?:the company['’]s|its (?:own |\w+ )?(?:shares|stock|listing|units)|bolagets|selskapets|selskabets|yhtiön|der gesellschaft|ihrer (?:eigenen )?(?:\w+ )?aktien|de la société|de ses actions|de la sociedad|de sus acciones|da companhia|das suas ações|della società|delle proprie azioni"
    r"|van de (?:vennootschap|onderneming)|spółki)\b",
    re.I,
)


# after a name: that the company became the owner of all the shares, without a word on whose they are
_ALL = r"(?:all|every|remaining|outstanding|alle[nr]?|sämtliche[rn]?|restlichen|übrigen|verbliebenen|samtliga|återstående|resterande|samtlige|resterende|gjenværende|resten av|kaikkien|kaikki|kaikkiin|loput|overige)"
_SHARES = r"(?:shares?|\w*aktien|\w*aktie(?:r|rna|rne)|\w*aksje(?:r|ne)|\w*osak\w*|aandelen|egenkapitalbevis\w*)"
_OWN = (
    r"(?:owns|owner|holds|acquired|hält|inhaberin|eigentümerin|erworben|übernommen|äger|ägare|innehar|innehavare|förvärvat|inlöst|eier|ervervet|innløst|overtatt|ejer|erhvervet|overtaget|indløst"
    r"|eigenaar|bezit|verworven|overgenomen|omistaa|omistajaksi|lunastanut|hankkinut)"
)
_OWNS_ALL = re.compile(
    rf"[^.;]{{0,90}}?\b(?:{_OWN}\b[^.;]{{0,40}}?\b{_ALL}\b[^.;]{{0,40}}?\b{_SHARES}|{_ALL}\b[^.;]{{0,40}}?\b{_SHARES}\b[^.;]{{0,50}}?\b{_OWN})\b",
    re.I,
)


def owns_all(text: str, high: int, end: int) -> bool:
    """A sentence that ends at `high` says of the company whose name ends at `end` that it owns all the shares or takes them over."""
    return _OWNS_ALL.match(text, end, high) is not None


def only_holds(text: str, low: int, high: int, start: int, end: int) -> bool:
    """A sentence [low, high) about the shares of the document's own company names another one, at [start, end), for its holding alone."""
    if not _HOLDS_AFTER.match(text, end, high) and not _HOLDS_BEFORE.search(text, max(low, start - 60), start):
        return False
    return _ITS_SHARES.search(text, low, high) is not None
