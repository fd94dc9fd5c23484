"""A page prepared for judgement: units (sentences, headings, rows), phrase hits, dates with kinds, and asides marked."""

from __future__ import annotations

import bisect
import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache, partial, wraps
from typing import Any, NamedTuple, TypeVar, cast

from s2r.adjudicate.rules.datekinds import DateKinds, classify_dates
from s2r.adjudicate.rules.lexis import Lexis, Scan
from s2r.lang.dates import read_dates
from s2r.lang.detect import detect_language
from s2r.lang.sentences import split_sentences
from s2r.lang.text import Folded, fold, fold_text
from s2r.models import Block, BlockKind, DateKind, DateMention, Page
from s2r.policy import DateLexicon

T = TypeVar("T")
_WHOLE = {BlockKind.TITLE, BlockKind.HEADING, BlockKind.ROW}


class Unit(NamedTuple):
    """One sentence, heading or table row: offsets into the page text (`start`, `end`) and into its folded form."""

    index: int  # type: ignore[assignment]  # nobody looks for a value in a unit
    block: int
    kind: BlockKind
    main: bool
    start: int
    end: int
    fstart: int
    fend: int


class Dated:
    """A date mention with its kind, which is worked out when it is first asked for: most dates of a page decide nothing."""

    __slots__ = ("_kind", "_may_announce", "_tell", "day", "mention")

    def __init__(self, mention: DateMention, tell: Callable[[], DateKind], may_announce: Callable[[], bool] | None = None) -> None:
        self.mention, self._tell, self._may_announce = mention, tell, may_announce
        self.day: dt.date | None = mention.day  # calendar day when known
        self._kind: DateKind | None = None

    @property
    def kind(self) -> DateKind:
        """What the date is the date of."""
        if self._kind is None:
            self._kind = self._tell()
        return self._kind

    @property
    def may_announce(self) -> bool:
        """False where the kind, which costs more to tell, is surely not that of an announcement."""
        return self._may_announce is None or self._may_announce()


@dataclass(slots=True, eq=False)
class Document:
    """One page with all that the rules look at. Built once, read only."""

    page: Page
    folded: Folded
    scan: Scan
    units: tuple[Unit, ...]
    source_kind: str
    order: int  # position among the documents of the listing
    read_dates: Callable[[Scan], tuple[Dated, ...]]
    _dates: tuple[Dated, ...] | None = None
    _date_starts: list[int] = field(default_factory=list)
    told: dict[tuple[Any, int], Any] = field(default_factory=dict)  # by function and number of the unit, see `once`

    @property
    def dates(self) -> tuple[Dated, ...]:
        """All dates in reading order, read when first asked for: many pages state no step and need none."""
        if self._dates is None:
            dates = self.read_dates(self.scan)
            self._date_starts = [d.mention.start for d in dates]
            self._dates = dates
        return self._dates

    def text(self, unit: Unit) -> str:
        """Original text of a unit."""
        return self.page.text[unit.start : unit.end]

    def folded_text(self, unit: Unit) -> str:
        """Folded text of a unit."""
        return self.folded.text[unit.fstart : unit.fend]

    def dates_in(self, start: int, end: int) -> list[Dated]:
        """Dates whose mention starts in [start, end) of the page text."""
        dates = self.dates
        low = bisect.bisect_left(self._date_starts, start)
        high = bisect.bisect_left(self._date_starts, end)
        return list(dates[low:high])

    def block(self, unit: Unit) -> Block:
        """The block a unit lies in."""
        return self.page.blocks[unit.block]


def once(tell: Callable[[Document, Unit], T]) -> Callable[[Document, Unit], T]:
    """A function of a document and one of its units, worked out once for each."""

    @wraps(tell)
    def told(doc: Document, unit: Unit) -> T:
        key = (tell, unit.index)
        if key not in doc.told:
            doc.told[key] = tell(doc, unit)
        return cast("T", doc.told[key])

    return told


def folded_offset(folded: Folded, offset: int) -> int:
    """Offset in folded text of an offset in the original."""
    return bisect.bisect_left(folded.starts, offset)


LANG_SAMPLE = (80, 400)  # shorter blocks do not tell their language; more characters add nothing


def block_languages(page: Page, expected: AbstractSet[str]) -> dict[int, str]:
    """Language of each block that differs from the page's, among the expected ones: bilingual notices say each thing twice."""
    found: dict[int, str] = {}
    if not expected - {page.lang}:
        return found
    for number, block in enumerate(page.blocks):
        if block.main and block.end - block.start >= LANG_SAMPLE[0]:
            lang = detect_language(page.text[block.start : min(block.end, block.start + LANG_SAMPLE[1])])
            if lang in expected and lang != page.lang and not (lang.startswith("zh") and page.lang.startswith("zh")):
                found[number] = lang
    return found


def prepare(
    page: Page,
    *,
    lexis: Lexis,
    cues: Sequence[DateLexicon],
    languages: Mapping[int, str],
    source_kind: str,
    country: str,
    anchor: dt.date | None,
    timezone: str = "",
    order: int = 0,
    market: str = "",
) -> Document:
    """Split, scan and date one page. `anchor` is the day relative dates refer to, when known from outside the text;
    `languages` gives the language of blocks that differ from the page's, `market` the one in which dates are read on a page too
    short to tell its own."""
    folded = fold(page.text)
    spans = [
        (n, start, end, folded_offset(folded, start), folded_offset(folded, end))
        for n, block in enumerate(page.blocks)
        for start, end in _spans(page, block)
    ]
    scan = lexis.scan(folded.text, sorted({fend for *_, fend in spans}))
    units = _units(page, folded, scan, spans)

    @lru_cache(maxsize=1)  # copies of the document for other listings share what was read
    def dater(scan: Scan) -> tuple[Dated, ...]:
        dated: list[Dated] = []
        rows = [block for block in page.blocks if block.kind is BlockKind.ROW]
        for lang in dict.fromkeys((page.lang, *languages.values())):
            mentions = read_dates(page.text, lang=lang or market, country=country, anchor=anchor, timezone=timezone)
            if market and lang and market != lang and not any(m.day for m in mentions):
                mentions = read_dates(page.text, lang=market, country=country, anchor=anchor, timezone=timezone)
            kinds = DateKinds(page.text, mentions, cues=cues, anchor=anchor)
            for number, mention in enumerate(mentions):
                if _language_at(page, languages, mention.start) == lang:
                    row = _row_of(rows, mention)
                    if row is None:
                        dated.append(Dated(mention, partial(kinds.kind, number)))
                    else:
                        tell = partial(_row_kind, page, mention, scan, folded, row, cues)
                        dated.append(Dated(mention, tell, partial(_row_may_announce, page, mention, row)))
        return tuple(sorted(dated, key=lambda d: d.mention.start))

    return Document(page, folded, scan, units, _kind(source_kind, scan, page), order, dater)


def _language_at(page: Page, languages: Mapping[int, str], offset: int) -> str:
    if not languages:
        return page.lang
    number = bisect.bisect_right([block.start for block in page.blocks], offset) - 1
    return languages.get(number, page.lang)


DATE_LABEL = re.compile(
    r"(?:^|[ |(/])(?:notice |release |issue |announcement |publication |bulletin |filing |press |report )?(?:dates?|dated|issued|published|released|posted)"
    r"(?: issued| of (?:notice|issue|release|publication)| on)?:? *$"
    r"|(?:veröffentlicht am|publi[ck]erad den|publisert den|(?:offentliggjort|udsendt) (?:den|d\.)|(?:publicad|publicid)[oa] (?:el|em|en)|(?:pubblicat|diffus)[oa] (?:il|in data)|(?:publié|diffusé|mis en ligne)e? (?:le|en date du)"
    r"|(?:gepubliceerd|geplaatst|verschenen) op|opublikowano (?:dnia|w dniu)|(?:diterbitkan|diumumkan|disiarkan|dipublikasikan|dikeluarkan) (?:pada|tanggal|tarikh)|(?:divulgad|postad)[oa] em|đăng ngày|(?:yayı(?:n|m)lan(?:ma|dığı)|yayın) tarihi):? *$"
    r"|(?:datum|veröffentlicht|veröffentlichung|meldedatum|datoen?|dato|julkaistu|päivämäärä|päiväys|publicerad|publicerat|publisert|offentliggjort|gepubliceerd|fecha|publicado|"
    r"data|pubblicato|publié|date|data publikacji|opublikowano|ngày(?: đăng(?: tin)?| công bố)|(?:(?<![^\W\d_] )ngày)|tarih|tarihi|(?<![^\W\d_] )(?:tanggal|tarikh)|वर्ष|दिनांक|วันที่|التاريخ"
    r"|日付|公表日|公開日|発表日|掲載日|(?<![\u4e00-\u9fff])日期|(?:发布|公告|發佈|發布|刊發|通知|发文|發文|成文|披露|本函|函件)日期"
    r"|공시일|공시일자|작성일|등록일|(?<![\uac00-\ud7a3])일자|게시일자?|게시일시|게시|(?:작성|등록|공고|발신|시행)일자|发布于|發佈於|发布时间|發佈時間):? *$"
    # with the preposition of the day: "Publicado em |", "Veröffentlicht am |"
    r"|(?:^|[ |(/])(?:(?:published|issued|released|posted|dated) on|veröffentlicht (?:am|den)|publiée? le|publicad[oa] (?:em|el)|pubblicato il|divulgad[oa] em|difundid[oa] el|publi(?:sert|ceret|cerad|cerat) (?:den|på)|offentlig(?:gjort|jort) (?:den|på)"
    r"|gepubliceerd (?:op|per)|opublikowano (?:w )?dni[au]|(?:di(?:publikasikan|terbitkan|umumkan|siarkan)) (?:pada|tanggal)|được đăng ngày|yayımlandığı tarih):? *$"
)
_DATE_WORD = re.compile(r"(?:date|datum|fecha|data|dato|ngày|tarih|tanggal|tarikh|dated)\b")
_OTHER_DATE = re.compile(
    r"effect|meeting|delist|de-list|suspen|listed|listing|record|payment|expir|birth|incorp|removal|last|trading|wirks|letzt|gültig|efect|última|efetiv|"
    r"skuteczn|wygaśn|ikraft|verkn|voimaan|hiệu lực|hủy|yürürlük|efektif|kuat kuasa|redempt|matur|cancel"
)
_NEWS = (DateKind.OTHER, DateKind.ANNOUNCEMENT, DateKind.DECISION, DateKind.FILING)  # what a bare "date" of a notice can be
# "Avviso n. | 18214 - 5 ottobre 2018": the number of the notice and its day in one cell
_NUMBERED = re.compile(
    r"(?:notice|bulletin|circular|announcement|release|ref(?:erence)?|bekanntmachung|mitteilung|rundschreiben|avis|communiqué|aviso|anuncio|comunicado|circular|ofício|oficio|avviso|comunicato|mededeling"
    r"|bericht|meddelande|meddelelse|melding|kunngjøring|tiedote|ilmoitus|uchwała|komunikat|raport bieżący|quyết định|thông báo|duyuru|pengumuman|公告|通知|文書番号|文号|文號|문서번호)"
    r" ?(?:n(?:o|r|um(?:ber)?|ummer|umero|úmero|°|º)?\b\.?[°º]?|číslo|số|番号|编号|編號|번호)? ?:? ?[a-z]{0,6}[-/ ]?\d[\w/.-]{0,20} ?(?:[-/,;·|(]|of|vom|du|del|di|de|van|av|af|z dnia|dated)? ?$"
)
_HOUR = re.compile(r"\b\d{1,2}[:.h]\d\d(?:[:.]\d\d)?(?: ?(?:[ap]\.?m\.?|uhr|h|cet|gmt|bst))?")  # between a label and its day
_NOT_A_LABEL = re.compile(r"[\d]{3,}")


def _row_of(rows: Sequence[Block], mention: DateMention) -> Block | None:
    """The table row that a date stands in."""
    at = bisect.bisect_right(rows, mention.start, key=lambda row: row.start) - 1
    return rows[at] if at >= 0 and mention.end <= rows[at].end else None


def _row_label(page: Page, mention: DateMention, row: Block) -> tuple[str, str]:
    """What names a date in a table row, the cell before it or the head of its column; as it stands and folded."""
    cells = page.text[row.start : mention.start].split(" | ")
    column = len(cells) - 1
    head = row.header[column] if column < len(row.header) and row.header[column] else ""
    label = head or (cells[-2] if column >= 1 and not _NOT_A_LABEL.search(cells[-2]) else "") or ""
    label = f"{label} {cells[-1]}".strip()
    return label, _HOUR.sub("", fold_text(label)).strip(" :,")


def _labels_notice(plain: str) -> bool:
    """The folded label is that of the day of a notice."""
    return DATE_LABEL.search(plain) is not None or _NUMBERED.match(plain) is not None


def _labels_news(plain: str) -> bool:
    """The folded label is a bare word for a date, whatever that is the date of."""
    return _DATE_WORD.match(plain) is not None and not _OTHER_DATE.search(plain)


def _row_may_announce(page: Page, mention: DateMention, row: Block) -> bool:
    """Whether `_row_kind` can make the date that of an announcement."""
    plain = _row_label(page, mention, row)[1]
    return _labels_notice(plain) or _labels_news(plain)


def _row_kind(page: Page, mention: DateMention, scan: Scan, folded: Folded, row: Block, cues: Sequence[DateLexicon]) -> DateKind:
    """Kind of a date in a table row, by what names it; a date says nothing by itself there."""
    label, plain = _row_label(page, mention, row)
    if not plain:
        return DateKind.OTHER
    if _labels_notice(plain):
        return DateKind.ANNOUNCEMENT
    text = f"{label}: {mention.raw}"
    moved = mention.model_copy(update={"start": len(text) - len(mention.raw), "end": len(text)})
    kind = classify_dates(text, (moved,), cues=cues)[0]
    if kind in _NEWS and _labels_news(plain):
        return DateKind.ANNOUNCEMENT
    if kind in (DateKind.OTHER, DateKind.ANNOUNCEMENT, DateKind.DECISION):
        low, high = folded_offset(folded, row.start), folded_offset(folded, mention.start)
        if scan.within("object", low, high) or any(
            scan.within(f"stage.{name}", low, high) for name in ("determination", "removal", "decision")
        ):
            return DateKind.EFFECTIVE
        return DateKind.OTHER if kind is DateKind.ANNOUNCEMENT else kind
    return kind


def _kind(by_address: str, scan: Scan, page: Page) -> str:
    """Kind of source where the address says little, by how the page looks: a release or notice carries numbers, contacts and
    formulas of its own ("by order of the board", notice numbers); a page of the press or a list carries theirs."""
    if by_address not in ("press", "unknown"):
        return by_address
    counts = {name: len({hit.rule for hit in scan.all(f"section.{name}")}) for name in _LOOKS}
    first_hand = counts["issuer"] + counts["exchange_notice"]
    others = counts["press"] + counts["aggregator"] + counts["forum"]
    if first_hand >= 2 or (by_address == "unknown" and first_hand and others < 2):
        return "exchange" if counts["exchange_notice"] > counts["issuer"] else "wire"
    if any(RELEASE.match(page.text, block.start, block.end) for block in page.blocks[:16] if block.main):
        return "wire"
    labels = {m.group() for block in page.blocks[:16] if block.kind is BlockKind.ROW and (m := _LABELS.match(page.text, block.start))}
    if len({label.lower() for label in labels}) >= 2:
        return "wire"
    if by_address == "unknown" and counts["aggregator"] + counts["forum"] >= 2:
        return "forum" if counts["forum"] > counts["aggregator"] else "aggregator"
    return by_address


# "ROCHESTER, N.Y., Oct. 3, 2016 (Service) -- ": the full dateline of a release; news agencies leave the year out
RELEASE = re.compile(
    r"[A-Z][A-Za-zÀ-ÿ .,'&()/-]{2,70}?[,.(]? ?(?:le |den |the |el |il )?(?:[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}|\d{1,2}(?:\.|er|º)? (?:de )?[A-Za-zÀ-ÿ]{3,12} (?:de )?\d{4}"
    r"|\d{1,2}\.\d{1,2}\.\d{4}|\d{4}-\d\d-\d\d)\)?"
    r" ?(?:(?:\([^)]{2,40}\)|/[^/]{2,40}/) ?(?:--?|[–—]|:)|--|[–—]|:) ?[A-ZÀ-Þ“\"«„]"
    # with one hyphen, as reports have it too, where the issuer itself speaks: "... - Tuckamore Lithium Inc. (TSXV: TKL) announces"
    r"|[A-Z][A-Za-zÀ-ÿ .,'&()/-]{2,70}?,? (?:le |the )?(?:[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}|\d{1,2}(?:er)? [A-Za-zÀ-ÿ]{3,12}\.? \d{4}) - [A-ZÀ-Þ][^;:()]{2,80}(?:\([^()]{2,80}\) ?){1,3},?"
    r"[^.;:]{0,60}?\b(?:announces|(?:is|are) pleased|today announced|announced today|reports that|annonce)\b"
    # by two parties in two towns: "Apeldoorn/Arras, 26 april 2017 - In"
    r"|[A-Z][A-Za-zÀ-ÿ' -]{2,24}(?:/| / | & | (?:and|und|en|et|y|e|och|og|ja) )(?!Main|Oder)[A-Z][A-Za-zÀ-ÿ' -]{2,24}, (?:le |den |the )?(?:[A-Z][a-z]{2,8} \d{1,2}, \d{4}|\d{1,2}(?:\.|er|º)? (?:de )?[A-Za-zÀ-ÿ]{3,12} (?:de )?\d{4}) - [A-ZÀ-Þ]"
    # the day above it: "SAN MATEO, Calif.--Tuckamore Systems (NYSE: TKL) today announced"
    r"|[A-ZÀ-Þ][A-Za-zÀ-ÿ .,'&/-]{2,50}? ?(?:--|–|—) ?(?:\([A-Z ]{2,30}\) ?(?:--|–|—) ?)?[A-ZÀ-Þ][^;:()]{2,80}\([^():]{2,40}: ?[A-Z0-9][A-Z0-9. -]{0,9}[^()]{0,60}\),?"
    r"[^.;:]{0,60}?\b(?:announces|(?:is|are) pleased|today announced|announced today|annonce|annonçait|anuncia|annuncia|gibt bekannt|teilt mit|meddelar|meddeler|tiedottaa)\b"
)
# the head of a regulatory announcement as its service shows it: a table of two columns
_LABELS = re.compile(
    r"(?:company|issuer|headline|released|announcement(?: (?:type|title|number|no\.?))?|tidm|epic|subject|category|number|security|symbol"
    r"|emittent(?:in)?|gesellschaft|betreff|gegenstand|valor|uitgevende instelling|onderwerp|fonds|émetteur|société|objet|emisor[a]?|asunto|emittente|oggetto|emissor|assunto"
    r"|utsteder|udsteder|emittent|bolag|ämne|emne|liikkeeseenlaskija|aihe|emitent|temat|銘柄(?:名)?|会社名|件名|종목명?|회사명|제목|公司名称|公司名稱|主旨) ?(?=\|)",
    re.I,
)
_LOOKS = ("issuer", "exchange_notice", "press", "aggregator", "forum")


OPENING = 3  # folded characters before the words that head other matters, in the sentence that they open


def _units(page: Page, folded: Folded, scan: Scan, spans: Sequence[tuple[int, int, int, int, int]]) -> tuple[Unit, ...]:
    """Units of spans: block, start and end in the page, start and end in folded text."""
    units: list[Unit] = []
    aside_list = False
    current, cut = -1, None
    asides = scan.can_hold(*_ASIDES)
    for number, start, end, fstart, fend in spans:
        block = page.blocks[number]
        if asides and number != current:
            current = number
            low = folded_offset(folded, block.start)
            cut = _aside_from(scan, low, folded_offset(folded, block.end))
            if cut is not None and cut - low <= 3:
                aside_list = True
            elif block.kind not in (BlockKind.ITEM, BlockKind.ROW):
                aside_list = False
        main = block.main and not aside_list and (cut is None or fstart + OPENING < cut)
        units.append(Unit(len(units), number, block.kind, main, start, end, fstart, fend))
    return tuple(units)


_ASIDES = ("section.related", "section.other_notices")


def _aside_from(scan: Scan, start: int, end: int) -> int | None:
    """Folded offset from which a block speaks of other matters ("Other notices today: ..."), None if it does not."""
    return min((hit.start for family in _ASIDES for hit in scan.within(family, start, end)), default=None)


def _spans(page: Page, block: Block) -> list[tuple[int, int]]:
    if block.kind in _WHOLE:
        return [(block.start, block.end)]
    text = page.text[block.start : block.end]
    return [(block.start + s, block.start + e) for s, e in split_sentences(text, page.lang)]
