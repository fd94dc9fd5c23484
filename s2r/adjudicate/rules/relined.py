"""Lines, series and codes that end while the quotation goes on under another one: no end of a listing."""

from __future__ import annotations

from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.lexis import Scan

# what ends: codes, lines or series, and not "the shares"
CODES = Guarded(
    r"\b(?:lines|codes|symbols|tickers|series|(?:old|former|existing) (?:line|code|symbol|ticker))\b|\b(?:gattungen|linien|kürzel|serien|(?:alte[sn]?|bisherige[sn]?) (?:kürzel|wkn|gattung|linie))\b"
    r"|\b(?:lignes|séries|codes|mnémoniques|symboles|(?:ancien(?:ne)?) (?:ligne|code|mnémonique|symbole))\b|\b(?:claves|series|serie [a-z]|nemotécnicos|códigos|(?:clave|código|nemotécnico) (?:anterior|antigu[oa]))\b"
    r"|\b(?:códigos|séries|código (?:anterior|antigo))\b|\b(?:linee|codici|serie|(?:vecchi[oa]|precedente) (?:linea|codice))\b|\b(?:lijnen|codes|symbolen|series|reeksen|(?:oude|bestaande) (?:lijn|code|symbool|tickersymbool))\b"
    r"|\b(?:serierna|kortnamnen|koderna|(?:gamla|tidigare) (?:kortnamnet|koden))\b|\b(?:tickerne|kodene|seriene|(?:gamle|tidligere) (?:tickeren|koden))\b|\b(?:koderne|serierne|symbolerne|(?:gamle|tidligere) (?:kode|symbol))\b"
    r"|\b(?:tunnukset|sarjat|kaupankäyntitunnukset|(?:vanha|entinen) (?:tunnus|kaupankäyntitunnus))\b|\b(?:kody|serie|linie|oznaczenia|(?:dotychczasowy|stary) kod)\b"
    r"|旧(?:証券)?コード|[旧舊原](?:股份)?(?:证券)?(?:證券)?代[码號]|(?:기존|종전|구) ?(?:종목)?(?:코드|단축코드)|\bmã (?:cũ|chứng khoán cũ|ck cũ)|\bkode (?:lama|saham lama)\b|\bkod (?:lama|kaunter lama)\b|\b(?:kodları|kodlarının|eski kod\w*)\b|الكود القديم|الرمز القديم|الأكواد"
)
# from then on the quotation stands under another code
UNDER_ANOTHER = Guarded(
    r"\b(?:(?:from|as of|with effect from|on) (?:that|the same|this) (?:date|day)|thereafter|thereupon|instead)\b(?:[^.]|\.\S){0,90}?\b(?:under|with|by) (?:the |a )?(?:\w+ )?(?:code|symbol|ticker|series|line)\b"
    r"|\b(?:ab|von|seit|mit) (?:diesem|demselben|dem gleichen|jenem) (?:tag|datum|zeitpunkt)\b(?:[^.]|\.\S){0,90}?\b(?:unter|mit) (?:dem|der|einem) (?:\w+ )?(?:kürzel|wkn|tickersymbol|symbol|gattung)\b"
    r"|\bà (?:compter|partir) de (?:cette|la même) date\b(?:[^.]|\.\S){0,90}?\b(?:sous|avec) (?:le |la )?(?:seul |nouveau )?(?:code|mnémonique|symbole|ligne)\b"
    r"|\b(?:a partir de|desde) (?:esa|dicha|esta|la misma) fecha\b(?:[^.]|\.\S){0,90}?\b(?:con|bajo) (?:la |el )?(?:nuev[oa] |únic[oa] )?(?:clave|serie|código|nemotécnico|símbolo)\b"
    r"|\ba partir (?:dessa|desta|da mesma) data\b(?:[^.]|\.\S){0,90}?\b(?:sob|com) (?:o |a )?(?:novo |único )?(?:código|ticker|símbolo|série)\b"
    r"|\b(?:da|a partire da|a decorrere da) (?:tale|quella|questa|stessa|detta) data\b(?:[^.]|\.\S){0,90}?\b(?:con|sotto) (?:il |la |l')?(?:nuov[oa] |unic[oa] )?(?:codice|linea|simbolo|ticker)\b"
    r"|\b(?:vanaf|met ingang van) (?:die|deze|dezelfde) (?:dag|datum)\b(?:[^.]|\.\S){0,90}?\b(?:onder|met) (?:het |de )?(?:nieuwe |enige )?(?:symbool|code|lijn|tickersymbool)\b"
    r"|\b(?:från|fr\.o\.m|från och med) (?:den|samma) (?:dagen|dag)\b(?:[^.]|\.\S){0,90}?\bunder (?:det |den )?(?:nya )?(?:kortnamnet|koden|beteckningen|tickern)\b"
    r"|\bfra (?:og med )?(?:samme|den) dag(?:en)?\b(?:[^.]|\.\S){0,90}?\bunder (?:den |det )?(?:nye )?(?:tickeren|koden|symbolet|kortnavnet)\b"
    r"|\b(?:siitä lähtien|samasta päivästä (?:alkaen|lähtien)|siitä päivästä)\b(?:[^.]|\.\S){0,90}?\b(?:uudella |yhdellä )?(?:tunnuksella|kaupankäyntitunnuksella|sarjana)\b"
    r"|\b(?:od (?:tego|tegoż|tego samego) dnia)\b(?:[^.]|\.\S){0,90}?\bpod (?:nowym |jednym )?(?:kodem|oznaczeniem|symbolem|skrótem)\b"
    r"|(?:同日|その日)(?:から|以降|より)[^。]{0,24}コード|[自同][该該]?日起[^。]{0,24}代[码號]|같은 날부터[^.]{0,30}코드|\bkể từ ngày đó[^.]{0,60} mã\b|\bsejak tanggal (?:itu|tersebut)[^.]{0,60} kode\b"
    r"|\bmulai tarikh (?:itu|tersebut)[^.]{0,60} kod\b|\bbu tarihten itibaren[^.]{0,60} kod\w+|من ذلك التاريخ[^.]{0,40}(?:بالكود|بالرمز)|(?:بالكود|بالرمز)[^.]{0,20}من ذلك التاريخ"
)
# the other code is one of another market
ELSEWHERE = Guarded(
    r"\b(?:otc\w*|over[- ]the[- ]counter|pink|pinks|grey market|expert market|aim|growth|aquis|nex|plus|nasdaq|nyse|first north|spotlight|ngm|newconnect|mtf|scale|freiverkehr\w*|quotation board|open market|access|expand|mab|bme|acceso|venture|tsxv|cse|neo)\b"
    r"|店頭|グロース市場|新三板|股转系统|老三板|興櫃|櫃買|코넥스|k-otc|\bupcom\b"
)

# shares that are put together, split or given another nominal value
_RECUT = Guarded(
    r"\b(?:consolidation|sub-?division|re-?denomination|(?:share|stock|reverse) split|reverse stock split)\b|\b(?:aktien)?zusammenlegung\b|\baktiensplit\b|\bnennwertumstellung\b|\bregroupement (?:d['’]|des |de )|\bdivision du nominal\b"
    r"|\b(?:contrasplit|agrupación (?:de|y)|desdoblamiento|desdobramento|grupamento|raggruppamento|frazionamento|aandelensplitsing|omgekeerde splitsing|samenvoeging van aandelen|sammanläggning\w*|aktiesplit|aksjespleis\w*|aksjesplitt\w*|spleis\w*|sammenlægning\w*"
    r"|osakkeiden yhdistämi\w+|scaleni\w+ akcji|podział\w* akcji|gộp cổ phiếu|penggabungan (?:nilai nominal )?saham|reverse stock|penyatuan saham)\b|株式(?:併合|分割)|缩股|縮股|股份(?:合併|合并|拆细|拆細)|(?:주식|액면) ?(?:병합|분할)"
)
# and what comes in their place in the same breath
_ADMITTED = Guarded(
    r"(?:[,;]| and) (?:[^.;]|\.\S){0,60}?\b(?:admits|(?:is|are|have been|has been|will be|shall be) (?:\w+ )?admitted)\b|(?:[,;]| und) (?:[^.;]|\.\S){0,110}?\b(?:zugelassen|aufgenommen|einbezogen)\b|(?:[,;]| et) (?:[^.;]|\.\S){0,90}?\b(?:admet|admises?|inscrites?)\b"
    r"|(?:[,;]| y) (?:[^.;]|\.\S){0,90}?\b(?:admite|admitid[oa]s?|inscrib\w+)\b|(?:[,;]| e) (?:[^.;]|\.\S){0,90}?\b(?:admite|admitid[oa]s?|ammett\w+|ammess[eoi])\b|(?:[,;]| en) (?:[^.;]|\.\S){0,90}?\b(?:laat|toegelaten)\b|(?:[,;]| och| og) (?:[^.;]|\.\S){0,90}?\b(?:upptas|tas upp|optages|opptas|tas opp)\b"
    r"|(?:[,;]| ja) (?:[^.;]|\.\S){0,90}?\b(?:otetaan|ottaa)\b|(?:[,;]| i| a) (?:[^.;]|\.\S){0,90}?\b(?:dopuszcz\w+|wprowadz\w+)\b|[、,，;；][^。]{0,60}?(?:上場(?:する|され|いたし)|挂牌|掛牌|上市(?!地位))|(?:고|며|,) [^.]{0,60}?(?:상장(?!폐지)[^.]{0,4}다|신규 ?상장)|(?:,| và) [^.;]{0,90}?niêm yết (?:bổ sung|mới)|(?:,| dan) [^.;]{0,90}?(?:mencatatkan|menyenaraikan|disenaraikan|dicatatkan)"
)
# a deal for which the shares of another company come: the class of its own
_BY_DEAL = ("reason.merger_acquisition",)


def swapped(scan: Scan, start: int, end: int) -> bool:
    """The sentence [start, end) of folded text ends a line and admits another one, in consequence of shares being put together or split."""
    if _RECUT.search(scan, start, end) is None or (new := _ADMITTED.search(scan, start, end)) is None:
        return False
    return not ELSEWHERE.search(scan, new.start(), end) and not any(scan.within(family, start, end) for family in _BY_DEAL)


def relined(scan: Scan, start: int, end: int) -> bool:
    """The sentence [start, end) of folded text ends codes, lines or series, and has the quotation go on under another code of no
    other market; or it admits another line of the same shares."""
    if swapped(scan, start, end):
        return True
    if (after := UNDER_ANOTHER.search(scan, start, end)) is None or not CODES.search(scan, start, after.start()):
        return False
    return not ELSEWHERE.search(scan, after.start(), end)
