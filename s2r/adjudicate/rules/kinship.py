"""Companies that a sentence describes by the issuer ("its subsidiary X", "X, a rival of the issuer, has applied"): the step is theirs."""

from __future__ import annotations

import re

_WORDS = (
    r"subsidiary|affiliate|associate|associated company|sister company|competitor|rival|predecessor|investee|portfolio company|supplier|customer|spin-?off|(?:business|former|listed|trading|banking) unit|unit(?= of)"
    r"|\w*tochter(?:gesellschaft|unternehmen|firma)?|\w*beteiligung(?:sgesellschaft)?|schwester(?:gesellschaft|unternehmen|firma)?|konkurrent\w*|wettbewerber\w*|vorgänger\w*"
    r"|filiale(?: cotée)?|participation|concurrente?|société[- ]sœur"
    r"|filial|(?:sociedad |empresa )?vinculada|société (?:liée|apparentée)|participada|subsidiaria|competidora?|asociada|controllata|partecipata|collegata|concorrente|consociata|controlada|subsidiária|coligada|investida"
    r"|dochter\w*|deelneming|zuster\w*|concurrent|dotterbolag\w*|intressebolag\w*|systerbolag\w*|datterselskap\w*|datterselskab\w*|søsterselska[pb]\w*|(?:tilknyttede?|associerede?) selska[pb]\w*"
    r"|tytäryhtiö\w*|osakkuusyhtiö\w*|sisaryhtiö\w*|kilpailija\w*|(?:spółk\w+ )?(?:zależn|stowarzyszon|powiązan)\w+|konkuren\w+"
    r"|công ty (?:con|liên kết)|anak (?:usaha|perusahaan|syarikat)(?:nya)?|entitas anak|syarikat bersekutu|bağlı ortaklı\w+|iştirak\w*|rakib\w*|บริษัทย่อย|บริษัทร่วม|सहायक(?: कंपनी)?|अनुषंगी"
    r"|الشركة التابعة|شركة تابعة|التابعة|الشقيقة"
)
_EAST = "子会社|関連会社|関係会社|持分法適用会社|孫会社|子公司|孙公司|孫公司|参股|參股|联营公司|聯營公司|附屬公司|附属公司|关联公司|關聯公司|자회사|종속회사|계열사|계열회사|관계회사|손자회사"
# right before the other's name: "its subsidiary X", "連結子会社である X", "其聯營公司 X", "công ty con là X"
BEFORE = re.compile(
    rf"(?:(?<![^\W\d_])(?:{_WORDS}),?(?: (?:is|ist|est|es|è|é|là|yaitu|iaitu|olan|named|called|firma))?,? ?|(?:{_EAST})(?:である|の|的|인|,|，|、|-|—|\s)*"
    r"|(?<![^\W\d_])(?:(?:major|largest|controlling|minority|significant) )?(?:shareholder|stockholder|creditor|lender) (?:of|in|to) (?:the )?|\bcổ đông(?: lớn| chiến lược| lớn nhất)? (?:của|tại) ?|\bchủ nợ của ?"
    r"|\bpemegang saham(?: utama| pengendali| terbesar) (?:dari |di |pada ))(?:pt |ctcp |công ty cổ phần )?$",
    re.I,
)
_PARENTS = (
    r"parent(?: company)?|holding company|mutter(?:gesellschaft|unternehmen|konzern)?|mo(?:de)?rselska[pb]\w*|moderbolag\w*|moeder(?:maatschappij|bedrijf|onderneming)?|emoyhtiö\w*|(?:podmiot\w*|spółk\w+) (?:dominując\w+|matk\w+)"
    r"|société[- ]mère|maison[- ]mère|(?:sociedad )?matriz|controladora|capogruppo|controllante"
)
# "the shares of its subsidiary X", "aksjene i datterselskapet X", "akcje podmiotu dominującego X": what is spoken of belongs to X
SHARES_OF = re.compile(
    r"(?<![^\W\d_])(?:shares|stock|units|securities|(?:de)?listing|removal|cancellation|admission|\w*aktien?|notierung|notiz|zulassung|delisting|dekotierung|einstellung|widerruf|aandelen|schrapping|notering\w*|aktier\w*"
    r"|aktie\w*|avnotering\w*|aksje\w*|strykning\w*|avnotering\w*|afnotering\w*|sletning\w*|akcj\w+|wykluczeni\w+|wycofani\w+|registro(?: de companhia aberta)?|inscripción|listado|cotización|negociación|oferta pública|negociação|quotazione|títulos|titoli|actions|titres|radiation|acciones|exclusión|azioni|revoca|ações|deslistagem)"
    r"(?: (?:of|in|de[rs]?|von|van|aan|i|av|af|på|til|du|d[ao]|del(?:la)?))? ?(?:the|its|our|their|de[nrst]|det|dess|sitt|sin[e]?|vores|våre?|haar|het|ihre[rs]?|seine[rs]?|unsere[rs]?|la|sa|su|sua|l['’])? ?"
    rf"(?:[\w-]+ ){{0,2}}?(?:{_WORDS}|{_PARENTS}),? ?$",
    re.I,
)
# "the shares of X", right before the name: the object of the step
ITS_SHARES = re.compile(
    r"(?<![^\W\d_])(?:shares|stock|units|securities|\w*aktien?|notierung|zulassung|dekotierung|aandelen|aktierna?|aktier|aktierne|aktien|aksjer|aksjene|akcj[ei]|akcji|akcjami"
    r"|(?:\w*notering(?:en|ene|arna)?|strykning|avnotering|afnotering|sletning|schrapping|delisting)(?= (?:of|der|von|van|av|af|i) ))"
    r"(?: (?:of|in|de[rs]?|von|van|aan|i|av|af))?(?: (?:the|de[nrst]|det|company|gesellschaft|firma|bolaget|selskapet|selskabet|vennootschap|spółki|spółka|emitenta))? ?$",
    re.I,
)
# between the issuer's name and that of a company that it owns
HOLDS = re.compile(
    r"(?: \([^()]{1,30}\))?[^.;,]{0,40}?\b(?:hält|halten|besitzt|houdt|bezit|kontrollerar|äger|innehar|eier|ejer|kontrollerer|omistaa|posiada|holds|owns|controls)\b[^.;]{0,50}",
    re.I,
)
DOER = re.compile(
    r"(?<![^\W\d_])(?:by|von|durch|door|av|af|przez|par|por|da) (?:the |der |die |de |den |spółkę )?$", re.I
)  # "taken over by X"
SHARES_AFTER = re.compile(r"(?::?[a-zäö]{0,3}n)? (?:\w+n )?osak\w+")  # Finnish: "sen tytäryhtiön X:n osakkeet"
LEADS = re.compile(rf"(?:{_WORDS}|{_PARENTS}) (?=\S)", re.I)  # German: a name read together with the noun before it
WITHIN = re.compile(
    rf"(?:{_EAST})的?|(?i:\w*tochter(?:gesellschaft|unternehmen|firma)?|\w*beteiligung(?:sgesellschaft)?|schwester(?:gesellschaft|unternehmen|firma)?) (?=\S)"
)  # the name was read together with the word before it
# after it, up to the issuer's name: ", the main competitor of "
BETWEEN = re.compile(rf",? ?[^,;.]{{0,60}}?(?<![^\W\d_])(?:{_WORDS})(?![^\W\d_])[^,;.]{{0,20}}", re.I)
OF = re.compile(
    r",? ?(?:of|der|des|von|de|du|di|del|della|do|da|van|af|av|till|som ägs av|eid av|ejet af|của|dari|milik|的|の)(?: the)? ?", re.I
)  # "X of the issuer"
# a stretch of time over which companies are counted: "in 2019", "今年已有", "올해"
COUNTED = re.compile(
    r"(?:19|20)\d\d ?(?:年|년)|今年|昨年|去年|年内|上半年|上期|過去|过去|これまで|累計|累计|迄今|以来|以來|截至|올해|지난해|작년|최근 \d|\bnăm (?:nay|ngoái|qua|20\d\d)|\b(?:tahun (?:ini|lalu|20\d\d)|sepanjang)\b"
    r"|\byıl\w*|\b(?:this|last) year\b|\b(?:in|since|during) (?:19|20)\d\d\b|هذا العام|العام الماضي|منذ"
    # beside another step of the same sitting or paper: "two companies were also delisted"
    r"|\b(?:also|another|further|other)\b|(?<=şirketin )[^.;]{0,40}\b(?:da|de)\b|\b(?:juga|lainnya|cũng|khác|diğer)\b|同日|同时|同時|另有|另外|此外|ほか|併せて|함께|또한|أخرى|أيضا"
)
AND_AMONG_THEM = re.compile(
    r"[,，、]? ?(?:其中|包括|包含|含|分别|分別|即|うち|その中|例えば|such as|including|among them)"
)  # the counted are named next
# a line that names a company for what it does for others: "Sponsor: X", "Đơn vị tư vấn: X"
ROLE = re.compile(
    r"\b(?:sponsors?|advis[eo]rs?|auditors?|trustees?|registrar|custodian|issuing bank|market maker|arranger)\b ?(?:[:|]|of the (?:issue|offer))|\b(?:đơn vị|tổ chức) (?:tư vấn|kiểm toán|lưu ký|phát hành chứng quyền)|\b(?:penasihat|penjamin|wali amanat)\b[^.:|]{0,20}[:|]"
    r"|\b(?:aracı kurum|danışman|denetçi)\w*[^.:|]{0,20}[:|]|(?:保荐|保薦|主办券商|主辦券商|受托管理人|受託|推荐|推薦|主幹事|監査法人|承销|承銷|審計師|审计机构)[^。:|]{0,12}[:|]|(?:주관사|상장주선인|감사인) ?[:|]|المستشار المالي ?[:|]|ที่ปรึกษาทางการเงิน ?[:|]"
)
HEADS_PART = re.compile(r"[,，、;；:：·|] ?$")  # a name after it begins another part of a list in one sentence
# "41 companies left the exchange": statistics, about no company
MANY = re.compile(
    r"\b(?:\d{1,4}|several|many|dozens of|a number of|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|mehrere|viele|plusieurs|varias|diverse|várias|flera|flere|useita|kilka)"
    r" (?:\w+ )?(?:companies|issuers|firms|names|unternehmen|gesellschaften|emittenten|sociétés|émetteurs|entreprises|empresas|compañías|emisoras|società|emittenti|companhias|bedrijven|fondsen|bolag"
    r"|selskaper|selskaber|yhtiötä|spółek|doanh nghiệp|perusahaan|emiten|syarikat|şirket)\b|(?:[一二两兩三四五六七八九十]|數|数|多) ?家(?:上市)?公司|[一二三四五六七八九十数]社(?:[がのをだでに])|(?:두|세|네|다섯|여섯|여러) ?(?:개 ?)?(?:회사|기업|종목|개사)|\b(?:iki|üç|dört|beş|altı|yedi) (?:\w+ )?şirket\w*|\b(?:dua|tiga|empat|lima|enam|tujuh|sejumlah|beberapa) (?:emiten|perusahaan|syarikat|saham)\b|\b(?:hai|ba|bốn|năm|sáu|nhiều|các) (?:doanh nghiệp|công ty|mã cổ phiếu)\b|شركتين|شركتان|(?:ثلاث|أربع|خمس|ست) شركات|\d{1,4} ?(?:社(?:[がのをだでに]|と(?!の))|家公司|家上市公司|개사|개 ?기업|개 ?상장사|บริษัท|कंपनियां|कंपनियों|شركة)"
)
# right before the name of the company whose shares a step is about, and right after it
SHARES_BESIDE = re.compile(
    r"\b(?:azioni|actions|acciones|ações|titol[oi]|titres?|títulos?|registro|listado|deslist\w+|desliste|cotización|inscripción|radiation|revoca|diritto di acquisto|procedura congiunta|venta forzosa|compraventa forzosa|retrait obligatoire|offre de reprise|aquisição potestativa)(?: ordinari[ae]s?| ordinaires?| ordinárias)?"
    r"(?: (?:di|de|da|do|du|dei|delle|degli|della|del|dell'|des|sui|sulle|sugli|sulla|sul|su|sobre|sur|visant)| d['’])? ?$",
    re.I,
)
WHOSE = re.compile(
    r",? (?:cuyas acciones|cuyos títulos|dont les (?:actions|titres)|(?:le|i) cui (?:azioni|titoli)|cujas ações|cujos papéis)\b", re.I
)
# "X, majority holder of Y, announces that the authority has cleared the delisting of the latter"
LATTER = re.compile(
    r"[^;.]{0,80}?\b(?:of the latter|de est[ae] [uú]ltim[ao]|de [eé]st[ae]\b(?! [a-z])|de (?:cette|ce) derni(?:ère|er)|de celle-ci|di quest'ultim[ao]|dest[ae] [uú]ltim[ao]|der letzteren|van laatstgenoemde)",
    re.I,
)
HOLDER_OF = re.compile(
    r"\b(?:holder|shareholder|owner|parent|accionistas?|matriz|controlante|controladora?|oferente|propietari[ao]|actionnaires?|société mère|maison mère|initiateur|azionist[ai]|capogruppo|offerente|controllante|acionistas?|detentora?"
    r"|filial|subsidiaria|subsidiária|filiale|controllata|controlada|participada|partecipata)\b",
    re.I,
)
