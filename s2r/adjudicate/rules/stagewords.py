"""Wording around a step, for stage.py: letters that tell of it, where its clause ends, lists of resolutions, asides, quotations."""

from __future__ import annotations

import re

# "was advised that the panel had determined": the tense of reported speech, no history
LETTER_SAYS = re.compile(
    r"\b(?:was|were|been|has|have) (?:today |also |now )?(?:advised|informed|notified|told)\b[^.;]{0,40}\bthat\b[^.;]{0,60}$"
    r"|\b(?:letter|notice|notification|notices)\b[^.;]{0,80}\b(?:stating|advising|informing|notifying|indicating|saying)\b(?:[^.;]|\.\S){0,200}$"
    # "by letter dated 2 May the staff notified it that it had determined": whoever writes the letter, and in whatever language
    r"|\b(?:by|in|per) (?:an? |its |their )?(?:letter|notice|e-?mail|notification)s?\b[^;]{0,120}\b(?:notified|informed|advised|told)\b[^;]{1,160}$"
    r"|\b(?:par|dans une?) (?:lettre|courrier|avis)\b[^;]{0,120}\b(?:informée?|avisée?|notifiée?|fait savoir)\b[^;]{1,120}$"
    r"|\b(?:mit|per|in einem|durch) (?:schreiben|brief|bescheid)\b[^;]{0,120}\b(?:mit(?:geteilt|teilte)|informiert\w*|teilte|unterrichtet\w*)\b[^;]{1,120}$"
    r"|\b(?:mediante|por|en|con|em|tramite) (?:una? |uma? )?(?:carta|escrito|oficio|ofício|lettera|comunicación|nota)\b[^;]{0,120}\b(?:inform|comunic|notific|avis)\w+\b[^;]{1,120}$"
    r"|\b(?:i|med|genom|ved) (?:ett |et )?(?:brev|skrivelse)\w*\b[^;]{0,120}\b(?:meddela\w*|meddelt\w*|underrätta\w*|informer\w*|upplyst\w*)\b[^;]{1,120}$"
    # "staff wrote on Monday that it had determined": the letter by its verb
    r"|\b(?:wrote|has written|schrieb|geschrieben|a écrit|ha escrito|escribió|ha scritto|escreveu|schreef|geschreven|skrev|har skrivit|har skrevet)\b[^;]{0,80}?(?:\b(?:that|dass|que|che|dat|att|at)\b|\bqu['’])[^.;]{0,40}$"
)
BREAK = re.compile(
    r"[;。]|, ?(?:but|however|while|although|whereas|aber|jedoch|während|mais|alors que|pero|mas|ma|men|mutta|ale|maar|nhưng|tetapi|namun|fakat|ancak)\b"
    r"|(?:が|ものの|一方)、|,(?:但|而|不过)|(?:지만|으나|나), ?|나 (?=보통주)|แต่"
    # "..., the shares stay listed": what goes on stands in a clause of its own
    r"|, ?(?=[^,;.]{2,40}\b(?:remain|stay|restent|demeurent|siguen|contin[uú]an|permanecen|seguem|continuam|permanecem|restano|rimangono|pozostaj|nadal|vẫn|tetap|kekal)\w*\b)"
    r"|[,、;](?=[^,、;。]{1,12}(?:不受影响|不受影響|继续|繼續|仍))|[,、;](?=[^,、;。]{2,24}(?:上市|掛牌|挂牌|上場)[^,、;。]{0,6}(?:維持|维持|保持|不变|不變|継続|は従来))"
)
# "... will trade for the last time on 18 August. They will then be removed from the list.": the day stands in the sentence before
THEN = re.compile(
    r"\W*(?:[\w'-]+ ){1,6}?(?:will|shall|are to|is to) (?:then|thereafter|thereupon|subsequently|afterwards) (?:be|cease|leave|come)\b"
    r"|\W*(?:danach|anschlie(?:ß|ss)end|im anschluss|sodann|hernach|ab dem (?:folge|nächsten |folgenden )(?:handels|börsen)?tag|tags darauf|daarna|nadien|vervolgens|aansluitend|de dag daarna)\b"
)
# what numbers an entry of a list of resolutions: "7.", "b)", "Séptimo.-", "Resolution 3:", "第2号議案"
ENTRY = re.compile(
    r"\W{0,3}(?:\(?\d{1,2}(?:\.\d)?[.):°º-]|\(?[a-z][.)]|\(?[ivx]{1,4}[.)]|-(?= )|•"
    r"|(?:resolution|resolución|résolution|resolução|risoluzione|beschluss|besluit|beslut|vedtak|päätös|uchwała|item|agenda item|punkt|punto|point|ponto|top|tagesordnungspunkt|agendapunt|kohta|sak|ordinary resolution"
    r"|special resolution|nghị quyết|điều)(?: n[ro.°º]*\.?)? ?\d{1,2}\b"
    r"|(?:primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa]|séptim[oa]|octav[oa]|noven[oa]|décim[oa]|primeir[oa]|terceir[oa]|sétim[oa]|oitav[oa]|non[oa]|prim[oa]|second[oa]|terz[oa]|première?"
    r"|deuxième|troisième|quatrième|cinquième|first|second|third|fourth|fifth)\b ?[.:-]"
    r"|第 ?[\d一二三四五六七八九十]{1,3} ?(?:号|號|项|項|条|條)|제 ?\d{1,2} ?호|[一二三四五六七八九十]{1,2}、)"
)
AGENDA = re.compile(  # of a meeting that was held: no proposal
    r"convocatoria|orden del día|convocação|ordem do dia|convocazione|ordine del giorno|ordre du jour|convocation|tagesordnung|dagordning|dagsorden|esityslist|porządk\w+ obrad|agenda|議案"
)
JOINED = re.compile(r"[,;:]| (?:and|und|et|y|e|og|och|en|ja|i|oraz|và|dan|ve) |[并並及且]|また")  # between a reversal and a step of its own
# "has decided to delist the shares, whose suspension had been announced in March": told of something else, beside the step
ASIDE = re.compile(
    r", (?:(?:il|la|i|le|gli) (?:cui|quale|quali)|che|qui|dont|que|cuy[oa]s?|cuj[oa]s?|(?:l[oa]s?|el|[oa]s?) (?:que|cual(?:es)?|qua(?:l|is))|which|whose|who|som|der|hvilke[tn]?|vilke[nt]|vars|joka|jotka|jonka|(?:efter|etter) at(?:t)?|efter det att|sedan|nachdem|nadat|kun|sen jälkeen,? kun)\b[^;]*$"
)
# "the exchange has approved the delisting, after the meeting had carried the plan, which then was subject to its leave"
WAS_OPEN = re.compile(
    r", [^;]*\b(?:at (?:that|the) time|back then|which then|damals|seinerzeit|toen|destijds|à l'époque|en ese momento|entonces|à época|na época|allora|all'epoca|då var|då hade|dengang|den gang|tuolloin|wówczas|wtedy)\b[^;,]{0,24}$"
)
# "Euronext a fait savoir que les actions seraient radiées": the future as an exchange or authority is quoted, no conjecture
REPORTED = re.compile(
    r"\b(?:euronext|l'amf|la bourse|l'entreprise de marché|l'autorité) (?:paris |de \w+ )?(?:a|ont) (?:\w+ )?(?:fait savoir|annoncé|indiqué|précisé|décidé|confirmé|informé)\b[^.;]{0,40}\bqu[e'][^.;]{0,90}$"
)
NOT_NOW = tuple(f"modality.{name}" for name in ("conditional", "hypothetical", "negated", "history"))  # beside a condition that is met
