"""Steps that the text around them keeps open: nothing is decided yet, or the day of the step still lies ahead."""

from __future__ import annotations

import datetime as dt
import re

from s2r.adjudicate.rules.docdate import published
from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.stage import Reading
from s2r.models import BlockKind, Stage

AFTERWARDS = 2  # sentences after a step in which the text may say that nothing is decided
AHEAD_DAYS = 5  # a designation may begin after a weekend and a holiday
BESIDE = 45  # characters between a designation and its day

# "no decision has been taken": said of the step, not of a dividend or a date
NOTHING_DECIDED = Guarded(
    r"\bno (?:(?:final|formal|definitive|binding) )?decisions? (?:on (?:this|it|the (?:matter|proposal|delisting)) )?(?:has|have|had) (?:yet |so far )?been (?:made|taken|reached)\b(?! (?:on|about|regarding|as to|with respect))"
    r"|\b(?:has|have|had) not (?:yet )?(?:made|taken|reached) (?:a|any)(?: final| formal)? decision\b(?! (?:on|about|regarding|as to) (?!the (?:delisting|matter|proposal)))"
    r"|\b(?:process|de-?listing|withdrawal (?:of (?:the )?listing)?|delisting (?:offer|process|proposal)) may or may not (?:be (?:completed|implemented|successful)|proceed|succeed|complete|take place|materiali[sz]e|happen)\b"
    r"|(?:除牌|退市|終止上市|终止上市|撤銷上市(?:地位)?|撤销上市)(?:可能會|可能会|可能)(?:或|亦|也)(?:可能)?(?:不會|不会|未必)(?:進行|进行|落實|落实|完成)"
    r"|(?:決定|確定)(?:した|している|された|されている)(?:事実|もの|こと|事項)(?:は|では|が)?(?:、?(?:現時点で|今のところ))?(?:ありません|ございません|ない|なく)|(?:まだ|現時点では?)(?:何も)?決(?:まって|定して)(?:いない|いません|おりません)"
    r"|(?:尚|并|並|仍|亦|暂|暫|均)?未(?:有|就此|就有关事项|就有關事項)?(?:作出|做出|作成|形成|达成|達成)(?:任何|最终|最終|正式|具体|具體)*(?:的)?(?:决定|決定|结论|結論|定论|定論|决议|決議)"
    r"|(?:没有|並無|并无|沒有)(?:作出|做出)?(?:任何|最终|最終|正式)*(?:决定|決定|定案)"
    r"|(?:확정|결정)(?:된|한) ?(?:사항|바|내용|것)(?:은|는|이|가|도)? ?(?:전혀 ?|아직 ?)?(?:없|아니)|아직 ?(?:확정|결정)(?:되지|하지|된 ?바) ?(?:않|못|없)"
    r"|\b(?:chưa|vẫn chưa|hiện chưa) (?:có|đưa ra|ra|ban hành) (?:bất kỳ |bất cứ )?(?:quyết định|kết luận)(?! (?:về )?(?:chia|trả|ngày|thời điểm))"
    r"|\b(?:belum|tidak) (?:ada|membuat|mengambil|menetapkan) (?:sebarang |suatu )?(?:keputusan|kepastian)\b(?! (?:mengenai|tentang|soal) (?:dividen|tanggal|tarikh))|\bbelum (?:memutuskan|diputuskan|memutuskannya)\b"
    r"|\b(?:henüz|şu an itibarıyla|şu aşamada)\b[^.;]{0,40}\b(?:karar\w*|kesinleş\w*)[^.;]{0,30}?(?:yok\w*|bulunma\w+|alınma(?:mış|dı)\w*|verilme(?:miş|di)\w*|değil\w*)|\b(?:alınmış|verilmiş) (?:herhangi )?bir karar (?:yok|bulunma)\w*"
    r"|(?:لم|لا) (?:يتخذ|تتخذ|يصدر|تصدر|يتم اتخاذ|يوجد)[^.؛]{0,25}?قرار|لم يُ?حسم"
    r"|(?:심의|결정|판단|결론)(?:을|를) [^.]{0,16}(?:미뤘|미루|연기|유보|보류)|(?:判断|決定|審査|審議)を[^。]{0,10}(?:先送り|持ち越|延期|保留)"
    r"|(?:推迟|推遲|延后|延後|押后|押後|暂缓|暫緩)(?:作出|就此|对此|對此)?(?:的)?(?:决定|決定|审议|審議|裁决|裁決)"
    r"|ยัง(?:ไม่มี|ไม่ได้มี|มิได้มี|ไม่ได้)(?:การ)?(?:มติ|ข้อสรุป|ตัดสินใจ|ข้อยุติ)"
)
_DESIGNATION = re.compile(r"整理(?:銘柄|ポスト)")
_END_OF_LISTING = re.compile(r"(?:付け?|をもって|を以て|に|限り)?(?:で|に)?、?(?:同社株(?:式)?を|株式を)?上場 ?(?:を)?廃止")
_FROM_TODAY = re.compile(r"本日|同日|即日|今日|明日|翌日")


def kept_open(doc: Document, unit: Unit, reading: Reading) -> str:
    """Why the text keeps the step of a sentence open; "" when it does not."""
    own_headline = doc.source_kind in ("exchange", "regulator") and unit.kind in (BlockKind.TITLE, BlockKind.HEADING)
    if not own_headline and (undecided := _nothing_decided(doc, unit)) is not None:
        return f"the text says that nothing is decided: {doc.text(undecided)[:80]!r}"
    if (ahead := _lies_ahead(doc, unit, reading)) is not None:
        return f"announced for {ahead}, which still lies ahead"
    return ""


def _nothing_decided(doc: Document, unit: Unit) -> Unit | None:
    """The sentence of a step, or one of the next two, says that nothing is decided yet."""
    for other in doc.units[unit.index : unit.index + 1 + AFTERWARDS]:
        if other.main and NOTHING_DECIDED.search(doc.scan, other.fstart, other.fend):
            return other
    return None


def _lies_ahead(doc: Document, unit: Unit, reading: Reading) -> dt.date | None:
    """The day of a designation that a document which is not the exchange's announces for later ("整理銘柄指定日 2月10日" in December)."""
    if reading.stage is not Stage.DETERMINATION or doc.source_kind in ("exchange", "regulator"):
        return None
    text = doc.page.text
    marks = list(_DESIGNATION.finditer(text, unit.start, unit.end))
    if not marks or _FROM_TODAY.search(text, unit.start, unit.end):
        return None
    found = [d for d in doc.dates_in(unit.start, unit.end) if not _END_OF_LISTING.match(text, d.mention.end)]
    dates = [(d.day, d.mention) for d in found if d.day is not None]
    beside = [day for day, m in dates for mark in marks if 0 <= m.start - mark.end() <= BESIDE]
    beside = beside or [day for day, m in dates for mark in marks if 0 <= mark.start() - m.end <= BESIDE]
    day = published(doc)
    first = min(beside, default=None)
    return first if day is not None and first is not None and first > day.day + dt.timedelta(days=AHEAD_DAYS) else None
