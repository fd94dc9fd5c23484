"""Ends of a listing that come after a scheme, offer or merger ("following implementation of the scheme") of which another sentence of the
document says that it is only proposed, or what it waits for."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.reason import acting
from s2r.adjudicate.rules.stage import Reading
from s2r.adjudicate.rules.unreserved import waits
from s2r.models import BlockKind, Stage

_EN = r"scheme|offer|merger|transaction|acquisition|arrangement|amalgamation|privati[sz]ation|take-?over|proposal|combination|buy-?out|deal|plan"
_DE = r"verschmelzung|übernahme|angebots?|erwerbsangebots?|umwandlung|transaktion|abfindung|eingliederung|zusammenschlusses|fusion|squeeze-?outs?"
_RO = r"fusion|offre|opération|acquisition|transaction|rachat|apport|regroupement|arrangement|fusión|oferta|operación|adquisición|transacción|opa|fusão|incorporação|operação|aquisição|transação|reorganização|fusione|offerta|operazione|acquisizione|incorporazione|opas?"
_NL = r"fusie|bod|overname|transactie|omzetting|aanbieding"
_NO = r"fusion\w*|fusjon\w*|bud\w*|erbjudande\w*|tilbud\w*|transaktion\w*|transaksjon\w*|förvärv\w*|oppkjøp\w*|opkøb\w*|sammanslag\w*|sammenslut\w*"
_FI = r"sulautumi\w+|ostotarjou\w+|yritysosto\w*|järjestely\w*|fuusio\w*|kaupa\w+"
_PL = r"połączeni\w+|wezwani\w+|transakcj\w+|przejęci\w+|ofert\w+"
# "following implementation of the scheme": when the step comes, in folded text
_AFTERWARDS = Guarded(
    rf"\b(?:following|after|upon|on|subsequent to|with|as (?:a )?(?:result|consequence) of)(?: the)? (?:successful )?(?:implementation|completion|effectiveness|closing|consummation|execution|settlement)(?: (?:and \w+ )?of)(?: (?:the|this|such|its))? (?:[\w-]+ ){{0,2}}?(?:{_EN})\b"
    # of the transaction that the text speaks of: "Upon implementation the listing will be terminated"
    r"|\b(?:upon|on|following|after|with|as of)(?: the| its| such)? (?:successful )?(?:implementation|completion|closing|consummation)(?: date)?(?=,? (?:the|its|all|both|\w+(?:'s|’s)) )"
    r"|\b(?:nach|mit|bei)(?: dem| der| ihrem| dessen| deren)? (?:vollzug|abschluss|durchführung|wirksamwerden|umsetzung)(?=,? (?:wird|werden|endet|enden|soll|sollen|erfolgt))"
    r"|\b(?:après|dès|à l'issue de|lors de)(?: sa| la| cette)? (?:réalisation|finalisation|clôture|mise en œuvre)(?=,? (?:les|la|l'|son|ses))|\b(?:tras|después de|luego de|con)(?: la| su| el)? (?:ejecución|consumación|culminación|cierre|liquidación)(?=,? (?:las|la|los|se|su|sus))"
    r"|\b(?:após|depois d[ae]|com)(?: a| o| sua)? (?:consumação|conclusão|implementação|liquidação|fechamento)(?=,? (?:as|a|o|os|suas|será))|\b(?:dopo|al|a seguito del|con)(?: il| suo)? ?(?:perfezionamento|completamento|closing)(?=,? (?:le|la|il|i|gli|si))"
    r"|\bna (?:de |het )?(?:voltooiing|afronding|uitvoering|afwikkeling)(?=,? (?:wordt|worden|zal|zullen|eindigt))|\b(?:efter|etter|ved|vid) (?:fullföljande\w*|genomförande\w*|gjennomføring\w*|gennemførelse\w*|slutförande\w*)(?=,? (?:kommer|avnoteras|upphör|vil|skal|blir|bliver|strykes|slettes|afnoteres))"
    r"|\b(?:toteutumisen|toteuttamisen|täytäntöönpanon) jälkeen|\bpo (?:jego |jej |ich )?(?:zakończeniu|przeprowadzeniu|sfinalizowaniu|zrealizowaniu)(?=,? (?:akcje|notowani|spółka))"
    rf"|\b(?:after|once|when) (?:the |this )?(?:[\w-]+ ){{0,2}}?(?:{_EN}) (?:is|has been|becomes|has become|was) (?:implemented|completed|effective|closed|consummated|settled|unconditional)\b"
    rf"|\bnach (?:dem |der )?(?:\w+ )?(?:vollzug|abschluss|wirksamwerden|durchführung|eintragung|abwicklung)(?: (?:der|des|dieser|dieses))? (?:\w+ )?(?:{_DE})"
    rf"|\b(?:à l'issue|après|à la suite|au terme|consécutivement à|lors|dès)(?: de| d'| du)?(?: la| l')? ?(?:réalisation|finalisation|clôture|mise en œuvre|achèvement|issue|prise d'effet)(?: (?:définitive|effective))? (?:de la |de l'|du |de cette |d'une )?(?:{_RO})"
    rf"|\b(?:tras|después de|luego de|una vez|con)(?: la| el)? (?:ejecución|consumación|liquidación|efectividad|culminación|finalización|cierre|perfeccionamiento|inscripción)(?: (?:de|del))?(?: la| el| dicha| esta)? (?:{_RO})"
    rf"|\b(?:após|depois d[ae]|com)(?: a| o)? (?:consumação|conclusão|implementação|efetivação|liquidação|fechamento|aprovação e implementação)(?: d[aeo])?(?: referida)? ?(?:{_RO})"
    rf"|\b(?:a seguito|in seguito|dopo|all'esito|a esito|successivamente)(?: al| del| dell'| della| alla| all')?(?: il| la| l')? ?(?:perfezionamento|completamento|efficacia|esecuzione|conclusione|closing)(?: (?:della|dell'|del|di)) ?(?:{_RO})"
    rf"|\bna (?:de |het )?(?:voltooiing|afronding|effectuering|afwikkeling|uitvoering|totstandkoming|gestanddoening)(?: van)?(?: de| het| deze| dit)? (?:\w+ )?(?:{_NL})\b"
    rf"|\b(?:efter|etter|ved|vid) (?:{_NO}) (?:genomförande|fullföljande|gjennomføring|gennemførelse|ikrafttredelse|ikrafttræden)\w*|\b(?:efter|etter|ved|vid) (?:gjennomføring\w*|gennemførelse\w*|genomförande\w*|fullføring\w*|fullbyrdelse\w*|ikrafttred\w*|slutförande\w*|fullföljande\w*) (?:av|af) (?:den |det )?(?:{_NO})"
    rf"|\b(?:{_FI}) (?:toteuttami|toteutumi|voimaantulo|täytäntöönpano|loppuunsaattami)\w+ (?:jälkeen|yhteydessä)"
    rf"|\bpo (?:zakończeniu|przeprowadzeniu|rejestracji|rozliczeniu|sfinalizowaniu|dokonaniu|zrealizowaniu) (?:\w+ )?(?:{_PL})"
    r"|(?:株式交換|株式移転|合併|公開買付け|本取引|株式併合|本スキーム|本件取引)(?:の)?(?:効力発生|成立|完了|実施|実行)(?:後|に伴)"
    r"|(?:合并|合併|收购|收購|要约|要約|计划|計劃|私有化|重组|重組|交易|吸收合并|吸收合併|换股|換股|协议安排|協議安排)(?:事项|事項)?(?:完成|实施|實施|生效)(?:后|後|之后|之後)"
    r"|(?:합병|주식교환|공개매수|주식이전|거래|인수)(?:의|이|가)? ?(?:완료|성립|효력 ?발생|종료|이행)(?:된|한)? ?(?:후|이후|뒤|시)"
    r"|\bsau khi (?:hoàn tất|hoàn thành|thực hiện xong|kết thúc) (?:việc |giao dịch |phương án |quá trình )?(?:sáp nhập|hợp nhất|chào mua|thâu tóm|hoán đổi|mua lại|giao dịch)"
    r"|\b(?:setelah|selepas|susulan) (?:selesainya |rampungnya |penyelesaian |pelaksanaan |siapnya )?(?:proses )?(?:penggabungan|merger|akuisisi|penawaran tender|pengambilalihan|transaksi|cadangan|skim|penswastaan)(?: usaha)?(?: (?:efektif|selesai|rampung|siap|berkuat ?kuasa))?"
    r"|\b(?:birleşme|devralma|pay alım teklifi|çağrı|işlem|devir)\w* (?:tamamlanma|gerçekleşme|tescil|sonuçlanma)\w*(?:ın|in|un|ün)? ?(?:ardından|sonra\w*|akabinde|takiben)"
    r"|(?:بعد|عقب|إثر|فور) (?:إتمام|اكتمال|تنفيذ|نفاذ|إنجاز) (?:صفقة |عملية |عرض )?(?:الاندماج|الاستحواذ|العرض|الصفقة|الدمج|الشراء)"
)
_DONE = re.compile(  # beside it: the transaction is done already
    r"\b(?:today|yesterday|earlier|this morning|heute|gestern|aujourd'hui|hier|hoy|ayer|hoje|ontem|oggi|ieri|vandaag|gisteren|i dag|idag|i går|igår|tänään|eilen|dziś|wczoraj|hôm nay|hari ini|bugün|dün)\b|本日|昨日|今日|昨天|오늘|어제|اليوم"
)
# "firm intention to make an offer", "have entered into a merger agreement": a transaction that is only agreed on
_PROPOSED = Guarded(
    r"\bfirm intention\b|\b(?:proposed|propose[sd]?|intends?|recommended) (?:[\w-]+ ){0,4}?(?:scheme|offer|merger|acquisition|arrangement|takeover|privati[sz]ation)\b"
)


# "all conditions have been fulfilled", "is unconditional": nothing is open
_MET = Guarded(
    r"\bconditions? (?:[\w-]+ ){0,3}?(?:has|have|having|had|is|are|were|was) (?:now |all |each |also |been )*(?:fulfilled|satisfied|waived|met)\b|\b(?:is|are|became|become|becomes|declared|been) (?:now |wholly |fully )*unconditional\b"
    r"|\b(?:has|have|was|were|is) (?:now |today |been )*(?:implemented|completed|consummated|sanctioned|settled)\b"
    r"|\bbedingungen (?:\w+ ){0,4}?(?:erfüllt|eingetreten|verzichtet)\b|\b(?:vollzogen|eingetragen|wirksam geworden|abgeschlossen) (?:worden|wurde|ist)\b|\b(?:wurde|ist|sind) (?:\w+ ){0,6}?(?:vollzogen|eingetragen|wirksam)\b"
    r"|\bconditions? (?:suspensives? )?(?:\w+ ){0,3}?(?:sont|étant|ont été|a été) (?:\w+ )?(?:levées?|réalisées?|remplies?|satisfaites?)|\b(?:a été|est) (?:\w+ )?(?:réalisée?|définitive|finalisée?|approuvée? et réalisée?)\b"
    r"|\bcondiciones (?:\w+ ){0,3}?(?:se han cumplido|han sido cumplidas|quedaron cumplidas|se cumplieron)|\b(?:se han cumplido|se cumplieron) (?:todas )?las condiciones|\b(?:ha quedado|quedó|fue) (?:inscrita|consumada|ejecutada|liquidada)\b"
    r"|\bcondições (?:\w+ ){0,3}?(?:foram|estão) (?:\w+ )?(?:cumpridas|satisfeitas|implementadas)|\b(?:foi|restou) (?:consumada|concluída|implementada|liquidada)\b"
    r"|\bcondizioni (?:\w+ ){0,3}?(?:si sono|sono state|sono) (?:\w+ )?(?:avverate|verificate|soddisfatte|rinunciate)|\b(?:è stata?|si è) (?:perfezionat|completat|conclus|iscritt)\w+"
    r"|\bvoorwaarden (?:\w+ ){0,4}?(?:vervuld|voldaan)\b|\b(?:is|zijn|heeft) (?:\w+ ){0,5}?(?:voltooid|afgerond|gestand gedaan|onvoorwaardelijk|gestanddoening)\b"
    r"|\bvillkor(?:en)? (?:\w+ ){0,4}?(?:uppfyllda|uppfyllts)\b|\b(?:vilkårene?|betingelserne?) (?:\w+ ){0,4}?(?:oppfylt|opfyldt)\b|\b(?:har|er|är|blev|ble) (?:\w+ ){0,4}?(?:genomförts|registrerats|gjennomført|registrert|gennemført|registreret|fullførts?|fullført|ovillkorat|ubetinget)\b"
    r"|\behdot (?:\w+ ){0,3}?(?:täyttyneet|ovat täyttyneet)|\bon (?:\w+ ){0,3}?(?:toteutettu|toteutunut|rekisteröity|saatettu loppuun)|\bwarunki (?:\w+ ){0,3}?(?:spełnione|spełniły|ziściły)|\b(?:zostało|została|zostały) (?:\w+ ){0,2}?(?:zarejestrowan|zakończon|rozliczon|przeprowadzon)\w+"
    r"|(?:条件|條件)(?:は|が)?(?:すべて|全て|均已|已|全部)?(?:已)?(?:充足|成就|满足|滿足|達成|达成)|効力(?:が|を)(?:発生(?:し|い)|生じ)|(?:成立|完了)(?:し(?:た|ました)|いた)|(?:已|经)(?:完成|实施完毕|實施完畢|生效)|조건(?:이|은)? ?(?:모두 )?(?:충족|성취)(?:되었|됐|됨)|(?:완료|성립)(?:되었|됐|하였|했)"
    r"|\b(?:đã|được) (?:hoàn tất|hoàn thành)\b|\b(?:telah|sudah) (?:selesai|efektif|rampung|dipenuhi|terpenuhi|disempurnakan)\b|\b(?:tamamlandı|tamamlanmıştır|tescil edildi|tescil edilmiştir|gerçekleşti|gerçekleşmiştir)\b|(?:تم|اكتمل|اكتملت)(?: \w+){0,2} (?:الصفقة|الاندماج|الاستحواذ)"
)


def _met(doc: Document, unit: Unit) -> bool:
    """A sentence that says without reserve that the transaction is completed or waits for nothing more."""
    if waits(doc.scan, unit) and not _MET.search(doc.scan, unit.fstart, unit.fend):
        return False
    if _AFTERWARDS.search(doc.scan, unit.fstart, unit.fend) or _AHEAD.search(doc.folded.text, unit.fstart, unit.fend):
        return False
    return _MET.search(doc.scan, unit.fstart, unit.fend) is not None or bool(doc.scan.within("stage.condition_met", unit.fstart, unit.fend))


_AHEAD = re.compile(
    r"\b(?:if|once|when|until|unless|will|would|expected|wenn|sobald|bis|wird|werden|si|lorsque|sera|cuando|será|quando|sarà|zodra|wordt|när|når|kommer|skal|vil|kun|jos|gdy|jeśli|zostanie|khi|jika|apabila|setelah|selepas)\b|(?:場合|予定|如果|将|將|경우|예정)"
)


def follows_open_deal(doc: Document, unit: Unit, reading: Reading) -> Unit | None:
    """The sentence that keeps open the transaction after which the listing ends; None where it is completed, or the exchange has acted."""
    if reading.stage not in (Stage.DECISION, Stage.DETERMINATION, Stage.REMOVAL) or unit.kind in (BlockKind.TITLE, BlockKind.HEADING):
        return None
    afterwards = _AFTERWARDS.search(doc.scan, unit.fstart, unit.fend)
    if afterwards is None or _DONE.search(doc.folded.text, unit.fstart, unit.fend):
        return None
    if afterwards.start() < reading.start and acting(doc, unit, reading.start) in ("regulator", "committee", "court"):
        return None
    if any(_met(doc, u) for u in doc.units if u.index != unit.index):
        return None
    for other in doc.units:
        if not other.main or other.index == unit.index:
            continue
        proposed = _PROPOSED.search(doc.scan, other.fstart, other.fend) is not None
        if proposed or (waits(doc.scan, other) and doc.scan.within("reason.merger_acquisition", other.fstart, other.fend)):
            return other
    return None
