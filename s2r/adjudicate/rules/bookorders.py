"""Orders, quotes and trades that are cancelled or deleted: what happens to them says nothing of the listing."""

from __future__ import annotations

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.guarded import Guarded

# a few words of one phrase: no comma, and no second thing joined by "and"
_FEW = r"(?:(?!(?:and|und|et|y|e|og|och|en|ja|oraz|i|dan|và|ve|shares?|listing|aktien?|actions|acciones|ações|azioni|aandelen|aktier(?:na|ne)?|aksjer|aksjene|osakkeet|akcje|quotation|admission|zulassung|notierung|notering(?:en)?) )[^\s,;:.]+ ){0,5}?"
_THEN = r"(?: (?!(?:and|und|et|y|e|og|och|en|ja|oraz|i|dan|và|ve) )[^\s,;:]+){0,9}?"
_VERB = r"(?:cancel(?:s|l?ed|l?ing)?|delet(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|purg(?:e|es|ed|ing)|withdraw(?:s|n|ing)?|drop(?:s|ped)?|eject(?:s|ed)?|pull(?:s|ed)?)"
_ORDERS = r"(?:orders|order entries|quotes|bids|trades|executions|good[- ]till[- ]cancell?ed instructions)"
ORDERS = Guarded(
    rf"\b{_VERB} {_FEW}{_ORDERS}\b(?! (?:of|by) (?:the |a )?(?:court|tribunal|commission|authority|panel|judge))|\b{_ORDERS}{_THEN} (?:are|is|were|be|been|being) (?:\w+ ){{0,2}}?{_VERB}\b"
    rf"|\b(?:löscht|löschen|streicht|streichen|entfernt|annulliert) {_FEW}(?:\w*orders?|\w*aufträge|quotes)\b|\b(?:\w*orders?|\w*aufträge|quotes){_THEN} (?:wird|werden|wurden|sind)(?: \w+){{0,4}}? (?:gelöscht|gestrichen|entfernt|annulliert)\b"
    rf"|\b(?:annul|radi|purg|supprim|élimin|retir)\w+ {_FEW}(?:d[e']s? ?)?ordres\b|\bordres{_THEN} (?:seront|sont|ont été|étant) (?:\w+ )?(?:annul|radi|purg|supprim|élimin|retir)és\b"
    rf"|\b(?:cancel|elimin|anul|exclu|retir|borr)\w+ {_FEW}(?:órdenes|ordens|ofertas de (?:compra|venda)|posturas|posiciones de compra)\b|\b(?:órdenes|ordens|ofertas de (?:compra|venda)|posturas){_THEN} (?:serán|son|quedarán|han sido|fueron|serão|são|foram) (?:\w+ )?(?:cancel|elimin|anul|exclu|retir|borr)[^\W\d_]+"
    rf"|\b(?:cancell|elimin|annull|rimuov|ritir|revoc)\w* {_FEW}(?:ordini|proposte di negoziazione|pdn)\b|\b(?:ordini|proposte di negoziazione|pdn){_THEN} (?:saranno|sono|verranno|vengono) (?:\w+ )?(?:cancellat|eliminat|annullat|rimoss|ritirat|revocat)\w"
    rf"|\b(?:verwijder|schrap|annuleer|annuler|haal)\w* {_FEW}\w*orders\b|\b\w*orders{_THEN} (?:worden|zijn|zullen)(?: \w+){{0,3}}? (?:verwijderd|geschrapt|geannuleerd)\b|\b\w*orders{_THEN} (?:verwijderd|geschrapt|geannuleerd) worden\b"
    rf"|\b(?:stryker|tar bort|makulerar|raderar|annullerar|avför|sletter|stryker|annullerer|kansellerer|fjerner) {_FEW}(?:\w*ordrar(?:na)?|order|orderna|ordrer?|ordrene|ordrerne|ordre)\b|\b(?:ordrar|order|ordrarna|orderna|ordrer|ordrene|ordrerne|ordre){_THEN} (?:stryks|tas bort|makuleras|raderas|annulleras|slettes|strykes|annulleres|kanselleres|fjernes)\b"
    rf"|\b(?:poista|mitätöi|peru)\w* {_FEW}(?:toimeksianno\w+|avoimet tarjoukset|(?:osto|myynti)tarjou\w+|kauppatarjou\w+)|\b(?:toimeksiannot|avoimet tarjoukset|(?:osto|myynti)tarjoukset){_THEN} (?:poistetaan|mitätöidään|perutaan|peruutetaan)\b"
    rf"|\b(?:usuw|anulu|kasu|skreśl|wykreśl|wycof)\w+ {_FEW}(?:zlece\w+|ofert\w{{0,2}} (?:kupna|sprzedaży))\b|\b(?:zlecenia|zleceń){_THEN} (?:zostaną|zostały|są|będą) (?:\w+ )?(?:usunięt|anulowan|skreślon|wykreślon|wycofan)\w+"
    r"|(?:未約定|全)?注文(?:[^、,。]{0,12})?(?:を|の|は|が)(?:全て|すべて)?(?:取り?消|削除|失効)|(?:撤[销銷]|取消|[删刪]除|清除)[^,,、。]{0,14}?(?:委托|委託|申[报報]|買賣盤|买卖盘)|(?:委托|委託|申[报報]|買賣盤|买卖盘)[^,,、。]{0,8}?(?:撤[销銷]|取消|[删刪]除|清除)"
    r"|(?:호가|주문)(?:는|은|를|을|이|가)?(?: \S+){0,2} ?(?:취소|삭제|효력)|\b(?:hủy|xóa)(?: bỏ)?(?: [^\s,.]+){0,3} lệnh\b|\b(?:menghapus|membatalkan|menarik)(?: [^\s,.]+){0,3} (?:order|pesanan)\b|\bemir\w*(?: [^\s,.]+){0,3} (?:iptal|sil\w+)|(?:إلغاء|حذف)(?: \S+){0,2} (?:ال)?(?:أوامر|عروض)|(?:ยกเลิก|ลบ)คำสั่ง(?:ซื้อ|ขาย)"
)
# what leaves a list, beside the orders
QUOTED = Guarded(
    r"de-?list|\b(?:listing|admission|quotation|official list|form 25)\b|zulassung|notierung|kotierung|\bcote\b|cotation|\bcotización\b|\blistado\b|negociação|listagem|quotazione|\bnoterings?\b|avnoter|afnoter|pörssilist|\bobrot|上場|上市|挂牌|掛牌|상장|niêm yết|pencatatan|kotasyon|القيد|เพิกถอน"
)


def only_orders(doc: Document, unit: Unit, start: int, end: int) -> tuple[int, int] | None:
    """Words that cancel orders or trades in which the step [start, end) of folded text has its verb, with no word for a listing in it."""
    if QUOTED.search(doc.scan, start, end):
        return None
    return next((m.span() for m in ORDERS.finditer(doc.scan, unit.fstart, unit.fend) if m.start() < end and start < m.end()), None)
