"""Lists that are not the list of quoted securities: "the list" of a sentence is the one that the sentences before it name."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.models import BlockKind

HEADS = (BlockKind.TITLE, BlockKind.HEADING)
BEFORE = 2  # sentences before one among which the list is named
# "the list", by itself: what list it is, another sentence tells
BARE = Guarded(
    r"\b(?:from|off|on) (?:the|that|this) (?:said )?list\b(?! of)|\bvon (?:der|dieser|jener) liste\b|\b(?:de|dans|sur) (?:la|cette|ladite) liste\b(?! (?:des|de) )|\bde (?:la|dicha|esta|esa) (?:lista|relación)\b(?! (?:de|oficial))|\bd(?:a|essa|esta|aquela) (?:lista|relação)\b(?! (?:de|oficial))"
    r"|\bda(?:lla|l|lle| questa| tale| detta) (?:lista|elenco)\b(?! (?:di|ufficiale))|\bdall'elenco\b|\bvan (?:de|deze|die) lijst\b|\b(?:från|fra|av) (?:den |denna |denne )?(?:listan|listen|lista)\b|\blist(?:alta|oilta)\b|\bz (?:tej )?listy\b|\blisteden\b|\bdari(?:pada)? (?:daftar|senarai)(?: (?:itu|tersebut|ini))?\b|\bkhỏi danh sách\b(?! (?:niêm|chứng khoán niêm))"
    r"|(?:从|從|自)(?:该|該|此)?名[单單](?:中)?|リストから|명단에서|من (?:هذه )?القائمة|ออกจากรายชื่อ|सूची से"
)
_WARNING = r"(?:watch|observation|surveillance|alert|caution|restricted|monitor(?:ing)?|threshold|late[- ]filers?|sanctions?|defaulters?|penalty|bench|short[- ]sell(?:ing|able)|marginable|eligible|compliance|deficien\w+|non-?compliant|risk|index|takeover|recovery|special treatment)"
# a list that warns, measures or admits to something else
OTHER = re.compile(
    rf"\b{_WARNING}[- ]lists?\b|\blists? of (?:[\w'-]+ ){{0,3}}?(?:eligible|suspended|deficient|late|delinquent|non-?compliant|warned|watched|marginable|restricted|sanctioned|defaulting|short|constituents|index|securities (?:eligible|subject)|entities (?:suspended|that)|stocks (?:eligible|for|that)|companies (?:that|below|under|which|in (?:default|breach)))|\bpenalty bench\b|\brecovery (?:box|segment)\b"
    r"|\b(?:beobachtungs|überwachungs|warn|sanktions|sperr|index|empfehlungs|straf)liste\b|\bstrafbank\b|\bliste der (?:[\w-]+ )?(?:leerverkauf|säumig|index|mitglieder)\w*|\bpenalty bench\b|\b(?:sous surveillance|liste noire|liste d'alerte|liste de surveillance|liste des valeurs (?:éligibles|admises au srd)|éligibles au (?:srd|pea))"
    r"|\blista (?:negra|de (?:vigilancia|observación|alerta|morosos|valores (?:vigilados|elegibles)))|\blista de (?:empresas|companhias|valores|ações) (?:em|sob|elegíveis|inadimplentes)[\w ]*|\blista de (?:observação|alerta|vigilância)|\bblack ?list\b|\b(?:lista|elenco) (?:nera|di (?:osservazione|sorveglianza|vigilanza)|degli emittenti (?:con|sotto|soggetti))"
    r"|\b(?:strafbank\w*|waarschuwingslijst|observatielijst|zwarte lijst|volglijst)\b|\b(?:observations|bevaknings|straff|varnings|spärr)listan?\b|\bsærlig observasjon|\b(?:observations|advarsels|straffe)listen?\b|\bstraffebenk\w*|\b(?:tarkkailu|valvonta|varoitus)lista\w*|\blist\w+ alertów|\bkara\w* list"
    r"|监[视視]|風險警示|融[资資]融券|可充抵|名[单單]|監理|注意喚起|貸借銘柄|관리종목|투자(?:경고|위험|주의)|공매도|\bdiện (?:cảnh báo|kiểm soát|hạn chế)|\bdanh sách (?:chứng khoán|cổ phiếu) (?:bị|không|đủ)|\bpemantauan|\bsenarai (?:pn ?17|gn ?3|pemerhatian)|\bpn17\b|\b(?:gözaltı|izleme|yakın izleme)\b|قائمة (?:المراقبة|الشركات المخالفة|المخالفين|الإنذار)|निगरानी"
)
# the list itself, or the venue, named where the act is
QUOTED = re.compile(
    r"official list|\blisting\b|\bquotation\b|\btrading\b|de-?list|zulassung|notierung|börsenliste|kurszettel|\bcote\b|cotation|négociation|cotización|negociación|negociação|quotazion|notering|avnoter|afnoter|börslistan|\bhandel|pörssilist|kaupankäyn|obrot|giełd|上場|上市|掛牌|挂牌|상장|niêm yết|pencatatan|kotasyon|\bkot\b|جداول|القيد|البورصة"
)


def other_list(doc: Document, unit: Unit, start: int, end: int) -> tuple[int, int] | None:
    """The words for "the list" that the step [start, end) of folded text takes the shares off, where the same block or the headline
    above names a list that warns and this sentence no listing."""
    scan = doc.scan
    bare = BARE.search(scan, max(unit.fstart, start - 60), min(unit.fend, end + 60))
    if bare is None or QUOTED.search(scan.text, unit.fstart, unit.fend):
        return None
    before = doc.units[max(0, unit.index - BEFORE) : unit.index + 1]
    heads = [u for u in doc.units[: unit.index] if u.kind in HEADS]
    named = any((u.block == unit.block or u.kind in HEADS) and OTHER.search(scan.text, u.fstart, u.fend) for u in (*before[:-1], *heads))
    listed = any(u.block == unit.block and QUOTED.search(scan.text, u.fstart, u.fend) for u in before[:-1])
    return bare.span() if named and not listed else None
