"""Words that place a name, a class or a venue in a sentence: beside another, into, towards, away from, staying at, a form's own line."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.guarded import Guarded

BESIDE_BEFORE = re.compile(
    r"(?:\b(?:with|by|from|of|into|parent|to|mit|durch|von|an|avec|par|de|con|da|por|com|med|av|van|met|z|przez|oleh|dengan|bởi|của)(?: the)?|与|與|同|及|由)\s?$",
    re.I,
)
BESIDE_AFTER = re.compile(
    r"\s?(?:'s\b|’s\b|との|による|への|に対|と株式|의 (?:자회사|계열|공개매수)|와의|과의|과 |와 |的(?:子公司|附屬|附属)|旗下|所持)"
)
INTO_CLASS = Guarded(
    r"(?:convert\w*|\bexchang(?:ed|ing|eable)|\b(?:to|will|may|can) exchange|umgewandelt|umtausch\w*|getauscht|échang\w*|conv(?:i?e|é)rt\w*|convers\w*|zamien\w*|wymien\w*|konvert\w*|omsett\w*|omgewisseld|omgezet|canje\w*|troca\w*|scambiat\w*|ombyt\w*|reclassified|redesignated)(?:,? \w+,?){0,4} (?:in|into|for|to|as|against|en|em|na|contre|till|til|mot|por|per)(?: \w+){0,4} ?$"
    r"|\b(?:(?:um)?wandlung|überführung|umtausch|conversione?|conversión|conversão|transformation|omzetting|omvandling(?:en)?|omdannelsen?|konvertering(?:en)?|konwersj\w|zamian\w) (?:der|des|die|delle|dei|de las|de los|das|dos|des|van de|av|af)?(?: [^\s.;:]+){1,7}? (?:in|en|em|till|til|naar|na)(?: (?:die|de|las|les))? $"
    r"|(?:转|轉|换|換)(?:股|换|換|为|為|成)*(?:成为|成為|为|為|成|至)?\s?$|へ(?:の)?(?:転換|交換).{0,6}$"
    # what a debt is paid with
    r"|\b(?:(?:re)?paid|repayable|redeemed|settled|satisfied|payées?|payés?|remboursée?s?|acquittée?s?|réglée?s?|pagad[oa]s?|abonad[oa]s?|reembolsad[oa]s?|pag[ao]s?|pagat[ei]|rimborsat[ei]|betaald|terugbetaald|afgelost|återbetal\w+|betalad\w*|tilbakebetalt|betalt|indfriet|spłacon\w+|wykupion\w+)"
    r"(?: (?:wholly|fully|partly|entirely|also))? (?:in|with|en|avec|em|con|i|med|w)(?: (?:new|nouvelles|nuevas|novas|nuove|nieuwe|nya|nye))? ?$"
)
UNDERLYING = Guarded(  # what a warrant buys, a receipt represents or a note converts into is not the security spoken of
    r"\b(?:warrants?|rights|options|units?|ads?s|depositary (?:shares|receipts)|notes|debentures|bonds|preferred (?:stock|shares))\b[^.;,]{0,50}?"
    r"\b(?:to (?:purchase|acquire|buy|subscribe (?:for|to))|exercisable (?:for|into)|(?:each )?representing|consisting of|convertible into|exchangeable for)"
    r"(?: [\w$.]+){0,6}? ?$"
    r"|\b(?:optionsscheine|bezugsrechte|teckningsoption\w*|teckningsrätt\w*|tegningsoption\w*|tegningsrett?\w*|bons de souscription|inschrijvingsrecht\w*|(?:bonos|derechos) de (?:suscripción|asignación)|(?:bônus|direitos) de subscrição|(?:buoni|diritti) di (?:sottoscrizione|opzione|assegnazione)|warrants|options?|optie\w*|optionen|futures?|derivat\w*|certificates|zertifikate)\b[^.;,]{0,24}?"
    r" (?:auf|till|för|på|til|d['’]|de|di|su|op|on|sur|sobre|over)(?: (?:the|den|die|het|les|las|los))? ?$"
    r"|\bpraw\w{0,3} (?:poboru|do) $"
    r"|(?:tài sản cơ sở|chứng khoán cơ sở|underlying(?: shares?)?|標的|标的|原資産|対象|기초자산|dayanak|saham acuan)[^.;,]{0,14}$"
)
SECOND_LISTING = Guarded(
    r"\b(?:secondary|second|dual|additional|other) (?:\w+ )?(?:listing|quotation)\b|\bzweit(?:notierung|listing|notiz)\w*|\bcotation secondaire\b"
    r"|\b(?:cotización|cotação|quotazione|listagem) secund[aá]ri?a\b|\bquotazione secondaria\b|\bsekundärnoter\w*|\bsekundærnoter\w*|第二上市|重複上場"
)
SUBJECT_COMPANY = re.compile(r"(?i)subject company:[ \t]*(\S[^\n]{2,120})")
POINTING = re.compile(  # "these shares"
    r"\b(?:these|those|such|said|diese[rnms]?|jene[rn]?|deze|die|ces|cesdites|estas|estos|dichas|queste|tali|essas|estes|dessa|disse|nämä|tych) $"
)
THERE = Guarded(
    r"\b(?:both|these|those|the two|the other|all three) (?:\w+ )?(?:listings|quotations)\b|\b(?:beide|diese) (?:\w+ )?(?:notierungen|zulassungen|listings)\b|\b(?:ces|les) (?:deux )?cotations\b|\b(?:ambas|estas|esas) cotizaciones\b"
    r"|\b(?:ambas|essas|estas) (?:listagens|cotações)\b|\b(?:entrambe|queste) (?:le )?quotazioni\b|\b(?:båda|båda dessa|begge|beide|dessa|disse|deze) (?:noteringa?rn?[ae]?|noteringer(?:ne)?|noteringene|noteringen)\b|\bdortig\w*|\b(?:that|said) (?:exchange|market|bourse|listing)\b|\b(?:cette|ladite) (?:place|bourse)\b|\bdaar\w*\b"
)
INTO_CLASS_AFTER = re.compile(
    r"[\w -]{0,20}? ?(?:umgewandelt|umgetauscht|getauscht|konvertiert|zurückgezahlt|zurückbezahlt|getilgt|beglichen|omgezet|omgewisseld|転換|交換)"
)
INTO = re.compile(
    r"(?:\b(?:in)?to|\bnach|\bzum?|\bin (?:den|das|die)|\bvers|\bau|\bal|\balla|\bal|\bhacia|\bpara|\btill|\btil|\bnaar|\bdo|\bna|から|→|->|转至|至|에서|sang)\b|から|へ"
)
# between the names of two segments: "leave the Prime Market and will from 21 September be traded in the Standard Market"
AND_TRADED_IN = re.compile(
    r"\b(?:and|und|et|y|e|och|og|en|i|ja)\b(?:[^.;]|\d\.){0,16}?\b(?:werden|wird|will|shall|sera|seront|será|serán|sarà|saranno|serão|kommer|vil|zal|zullen|będ\w+)\b(?:[^.;]|\d\.){0,50}?"
    r"\b(?:im|in|on|auf|au|sur|en|nel|nella|no|na|på|w|op)(?: the| der| dem| el| la| le| het| de)? [\"“„«]?$"
)
CLASS_LINE = re.compile(
    r"(?:class(?:es)? of securit\w+|description of (?:class|securities)|title of (?:each )?class|\bclass(?:es)?|\bsecurity)(?: \([^)]*\))? ?[:|] ?([^:|]{3,140})"
)
REMOVAL_FORM = re.compile(r"\b25-nse\b|\bform 25\b|\bsubmission type: ?25\b|\bnotification of removal\b")
LISTED_SYMBOL = re.compile(
    r"(?:\b[A-Z][A-Za-z]+(?: Arca| American| BZX)? ?: ?|\((?![A-Z]\w+(?: \w+)? ?:)|symbols? [\"“(]?|tickers? [\"“(]?)([A-Z]{2,5}(?:[ .][A-Z]{1,2})?)\b"
)
SYMBOL = re.compile(r"\b([A-Z]{2,5}(?:[ .][A-Z]{1,2})?)\b")
# "NYSE: ABC", "ASX and NZX: ABC)"
TICKER_AFTER = re.compile(
    r" ?: ?[a-z0-9]{1,6}\b|(?: ?(?:,|/|&|;) ?| (?:and|und|et|y|e|och|og|en|ja|i) )[\w .]{2,24} ?: ?[a-z0-9.-]{1,7} ?[)\]]"
)
AWAY = re.compile(
    r"(?:\bfrom|\boff|\bleav\w+|\bquit\w*|\bexit\w*|\bvon|\baus|\bde|\bda|\bdal|\bdel|\bfrån|\bfra|\bvan|\bz)(?: the| der| die| dem| la| las| las| el| il)? ?$"
)
MOVES = Guarded(
    r"\b(?:mov|transfer|switch|shift|migrat|relocat|uplist|join|wechs|umzug|umzieh|verleg|transf[eé]r|trasf|trasl|mudan|migra|flytt|overf|överf|siirt|przen|przej|verhui)"
)
AUXILIARIES = re.compile(
    r"(?: ?\([^()]*\))?,?(?: (?:has|have|had|was|were|is|are|will|be|been|being|now|also|voluntarily|formally|ist|wurde|wird|hat|est|a|été|sera|fue|ha|sido|será"
    r"|è|stata?|stato|foi|är|har|er|blev|on|werd|wordt|została?|został))* ?"
)
DESCRIBED_BY = re.compile(
    r"の(?:連結|完全|特定|上場)?(?:子会社|孫会社|親会社|関連会社|持分法適用会社|取引先|前身|筆頭株主)(?:である|だった|となる|となった|の|、)"
)
# "Die Tochter X der Y AG zieht sich zurück", "Its former subsidiary X was delisted": the sentence is about X
KIN_BEFORE = re.compile(
    r"\W*(?:(?:The|Its|Our|A|Die|Ihre|Der|Das|Het|De|Den|Det|Dess|Ons|Auch|Also|Også|Även|Ook) )?(?:[\w-]+ ){0,2}?"
    r"(?:subsidiary|affiliate|associate|sister company|unit|parent(?: company)?|Tochter(?:gesellschaft|unternehmen|firma)?|Konzerntochter|Schwester(?:gesellschaft|firma)?"
    r"|Mutter(?:gesellschaft)?|dotterbolaget|systerbolaget|intressebolaget|datterselskabet|datterselskapet|søsterselskabet|søsterselskapet|tytäryhtiö|osakkuusyhtiö"
    r"|dochter(?:onderneming|maatschappij|bedrijf)?|zuster(?:onderneming|maatschappij)?),?(?: of| der| von| av| van| til| i)? ",
    re.IGNORECASE,
)
TOPIC = re.compile(r"(?:\([^()]{0,30}\)|（[^（）]{0,30}）)?[はが]")
ORDINARY = re.compile(r"\b(?:ordinary|common|gewone|stamm|ordinaires?|ordinarias?|ordinárias|ordinarie|azioni ordinarie|zwykł\w+)[ -]?\w*")
STAYS = Guarded(
    r"\b(?:remain\w*|stay\w*|continu\w*|still|bleib\w*|weiterhin|rest(?:e|ent|era|eront|a|ano)|demeur\w*|rimang\w*|rimane|permanec\w*|sigue[n]?|mant[ié]\w*"
    r"|pozosta\w*|förblir|forbliver|forblir|blijf\w*|blijven|pysy\w*"
    r"|(?:while|whilst) (?:maintain|retain|keep)ing|(?:tout )?en (?:maintenant|conservant)|(?:unter )?beibehalt\w*|manteniendo|conservando|mantendo|mantenendo|behåller|beholder|behoudt|met behoud van"
    r"|zachowuj\w*|säilyttä\w*)\b[^.;]{0,100}$"
)
# after a venue: "東京証券取引所における上場は維持", "於聯交所繼續上市", "상장은 유지"
KEPT_EAST = re.compile(
    r"[^。.;；!?]{0,30}?(?:(?:上場|上市|掛牌|상장)[^。.;；!?]{0,10}?(?:継続|維持|繼續|继续|维持|存続|유지|계속)|(?:継続|維持|繼續|继续|维持|存続|유지|계속)[^。.;；!?]{0,10}?(?:上場|上市|掛牌|买卖|買賣|売買|상장|거래))"
)
# "Bruxelles devient l'unique place de cotation": right after the venue that is kept
STAYS_ONLY = re.compile(
    r"\W{0,3}(?:\w+ ){0,3}?(?:devien\w+|reste(?:ra)?|demeure(?:ra)?|será|pasa a ser|pasará a ser|queda(?:rá)? como|sigue siendo|diventa|diventerà|resta|rimane|rimarrà|sarà|passa a ser|continua(?:rá)? (?:a ser|como)|becomes|remains)\b"
    r"[^.;,]{0,30}\b(?:uniques?|seule?|únic[oa]|unic[oa]|principale?|référence|referencia|riferimento|referência|only|sole|primary|main)\b"
)
ADMITTED = Guarded(
    r"\b(?:admission|admitted|relist\w*|new(?:ly)? list\w*|begin trading|start trading|commence trading|trade|traded|quoted|quotation|(?:to|will) (?:open|list|debut|appear|be listed)|opens|debuts|"
    r"einbeziehung|aufnahme)(?: \w+){0,2} (?:to|on|onto|at|in|an der|im|am) (?:the |den |die )?$"
)
ADMITTED_NORTH = Guarded(
    r"(?:tas upp till handel på|tages op til handel på|optages til handel på|tas opp til handel på|zum handel (?:an|in) (?:der|den)?|handel .{0,30}aufgenommen|toegelaten tot de handel op) ?$"
)
ADMITTED_ROMANCE = Guarded(
    r"\b(?:admis(?:es?)?|ammess[aeio]|admitid[oa]s?|dopuszczon\w*|inscrit(?:es)?|transfer\w*|transf[eé]r\w*|trasferi\w*|traspas\w*|passage|passe\w*)\b[^.;]{0,60}?\b(?:sur|vers|su|sul|sull'|al|ao|no|en|na|à)(?: le| la| el| il| o| a)? ?$"
)
# "the admission to AIM of Corvane plc has been cancelled": what is admitted there ends
ENDS_AFTER = re.compile(
    r"(?:(?!\b(?:and|or|und|och|og|en|ja|et|e|y|before|after|following|once|when)\b)[^,;:.]){0,70}?\b(?:cancell?ed|cancellation|ends?|ended|withdrawn|revoked|terminate[sd]?|ceases?|ceased|laps(?:es|ed)|removed"
    r"|discontinued|comes? to an end|for the last time|endet|endete|erlischt|erlosch|widerrufen|beendet|eingestellt|upphör|avslutas|opphører|avsluttes|ophører|afsluttes|päättyy|eindigt|beëindigd)\b"
)
# "The New York Stock Exchange has approved the transfer of the listing": said of the venue named right before
RECEIVES = re.compile(
    r"(?: llc| plc| inc)?,? ?(?:\([^()]{1,20}\) )?(?:(?:has|have|had|today|also|now|conditionally|already) )*(?:approved|accepted|admitted|cleared|authori[sz]ed|agreed to (?:list|admit))"
    r" (?:\w+ ){0,3}?(?:transfer|listing|application (?:to list|for listing)|admission|shares for (?:listing|trading)|stock for (?:listing|trading))\b"
)
ENDS_BEFORE = Guarded(
    r"\b(?:end|ends|ended|ending|cancel\w*|withdraw\w*|withdrew|terminat\w*|revo\w+|giv(?:e|es|ing) up|gave up|drop\w*|surrender\w*|relinquish\w*|discontinu\w*|clos(?:e|es|ed|ing)"
    r"|beende\w*|aufg\w+|widerruf\w*|entzug|aufhebung|intrekk\w*|schrapp\w*|avslut\w*|återkall\w*|opphør\w*|slett\w*|slet\w*|beëindig\w*|opgeven|päättä\w*|radiation|retrait|retir\w*"
    r"|exclusión|cofni\w*|wyklucz\w*|wycof\w*)\b[^,;.]{0,40}\b(?:listing|admission|quotation|quote|notierung|notering\w*|zulassung|listau\w*|toelating|actions|titres|acciones|akcji|aksj\w*|aktie\w*)\b[^,;.]{0,70}$"
    r"|\bceas\w+ to (?:be (?:listed|quoted|traded|admitted)|trade)\b[^,;.]{0,40}$"
)
# "cancel the listing ... on the Official List and their admission to trading on the Main Market": an admission that is there already
ENDS_ALSO = Guarded(
    r"\b(?:end|ends|ended|ending|cancel\w*|withdraw\w*|withdrew|terminat\w*|revo\w+|discontinu\w*|remov\w*)\b[^;.]{0,160}\b(?:listing|list|quotation)\b[^;.]{0,160}"
    r"\band (?:also )?(?:(?:the cancellation |that )?of (?:the |their |its )?|their |its )(?:current |existing )?(?:admission|trading)\b[^;.]{0,80}$"
)
# "voortaan alleen nog aan Oslo Børs genoteerd": where the listing goes on
ONLY_AT = re.compile(
    r"\b(?:alleen|uitsluitend|enkel|only|solely|exclusively|nur|ausschlie(?:ß|ss)lich|endast|enbart|bara|kun|bare|udelukkende|utelukkende)\b"
    r"(?: (?:noch|nog|noteret|notert|noterade?|noterat|notiert|listed|traded|quoted))*(?: (?:at|on|in|aan|an|auf|på|i))(?: (?:the|de|het|der|den))? $"
)
# "the first day of trading on First North is 1 June": where the listing goes on
FIRST_DAY = Guarded(
    r"\bfirst (?:day of (?:trading|dealings)|trading day|day'?s? (?:trading|dealings)) (?:on|at|in) (?:the )?$|\berste[rn]? handelstag (?:an|in|am|im|auf)(?: der| dem)? $|\bpremier jour de (?:négociation|cotation|bourse) (?:sur|à) (?:le |la |l')?$"
    r"|\beerste handelsdag (?:op|aan)(?: de| het)? $|\bförsta (?:handelsdag(?:en)?|dag(?:en)? för handel) (?:på|vid|i) $|\bførste (?:handelsdag(?:en)?|noteringsdag(?:en)?|dag (?:for|med) (?:handel|notering)) (?:på|ved|i) $|\bensimmäinen (?:kaupankäyntipäivä|pörssipäivä) $"
    r"|\bpierwsz\w+ (?:dzień|dniem) (?:notowań|obrotu) na (?:rynku )?$|\bprimer día de (?:negociación|cotización) en (?:el )?$|\bprimo giorno di (?:negoziazione|quotazione) (?:su|sul|sull') ?$|\bprimeiro dia de negociação (?:na|no|em) $"
)
TOWARDS = re.compile(
    r"(?:\bto|\bonto|\bin favou?r of|\bjoin(?:s|ing|ed)?|\bmov(?:e|es|ing|ed) (?:its listing )?to|\btransfer(?:red|s)? (?:\w+ ){0,4}to|\bnach|\bzur?|\bvers|\bverso"
    r"|\bpara(?: a| o)?|\bhacia|\btill|\btil|\bnaar|\bna)(?: the| die| den| der| das| le| la| il| el| al| new| nya)?(?: [a-zéèüäö]+(?: market| marché)? of)?[ (\"']*$"
)
# the issuer named only as the one to whom a subsidiary belongs: words after and before its name
OWNS_AFTER = re.compile(
    r"(?:'s|’s) (?:[a-z]+-owned |[a-z]+ ){0,2}(?:subsidiar\w+|affiliate)\b|(?:['’]\w{1,4})? ?(?:bağlı ortaklı\w+|iştirak\w+)\b| ?(?:की|के) (?:सहायक|अनुषंगी)"
    r"|의? ?(?:종속회사|자회사|계열사|계열회사|손자회사|관계회사)(?! ?(?:로|으로|편입|화))"
    r"|(?:的|之)?(?:控股|全资|全資|参股|參股|联营|聯營|附属|附屬|关联|關聯)?(?:子公司|孙公司|孫公司|关联公司|關聯公司|附属公司|附屬公司|联营公司|聯營公司|参股公司)"
    r"|(?: ?[(（][^()（）]{1,24}[)）])?の(?:連結|完全|上場)*(?:子会社|関連会社|孫会社|持分法適用会社)(?:である|の|、)"
    r"|(?:グループ)?(?:傘下|系列|系)の|グループの(?=[^、。]{1,12}(?:会社|社))|(?:集團|集团)?(?:旗下|系內|系内)(?:的|之)?|(?: ?그룹)? ?(?:계열|산하)(?:의|인)? "
    r"|(?:的|之)?(?:母公司|控股股東|控股股东)(?=(?P<kin>[\u4e00-\u9fff]{2,6}(?:控股|集團|集团|實業|实业|國際|国际|投資|投资))[^。]*(?P=kin))"
    r"|['’]?\w{0,4} (?:grubunun|grubu bünyesindeki|holding'?in) (?:\w+ ){0,3}(?:şirket|kuruluş|iştirak)\w*",
    re.I,
)
OWN_SHARES = re.compile(r"(?:の|的|之|의)? ?(?:普通|보통)?(?:株|股|주[식권]?(?=[을를이가은는의 ]))")  # after the issuer's name: its shares
OWNS_BEFORE = re.compile(
    r"(?:\b(?:subsidiary|affiliate) of (?:the )?|\bfiliales? (?:\w+ )?(?:de |d')|\b(?:filial|participada|controlada|subsidiaria|subsidiária|coligada|investida|joint venture) (?:\w+ )?(?:de|d[ao]) "
    r"|\b(?:controllata|partecipata|collegata) (?:\w+ )?(?:di|da) |\bzależn\w{1,4} (?:od |spółki )?|\b(?:anak usaha|anak perusahaan|entitas anak|anak syarikat|syarikat bersekutu) (?:dari )?"
    r"|công ty (?:con|liên kết|thành viên) của |บริษัทย่อยของ ?|شرك(?:ة|ات) (?:تابعة|شقيقة) (?:ل|لـ|لشركة )|(?:التابعة|المملوكة|الشقيقة) (?:بالكامل )?(?:ل|لـ|لشركة |لمجموعة |إلى )"
    # to whom the rest of another company's shares goes
    r"|\b(?:minderheit(?:saktion\w+|saktien)?|(?:au(?:ß|ss)enstehenden|übrigen|restlichen) (?:aktionäre|aktien)) auf (?:die |den |das )?"
    r"|\bminority (?:shareholders?|stockholders?|holders?|interests?|shares|stakes?) (?:(?:was|were|is|are) )?(?:transferred |sold )?(?:to|by) (?:the )?"
    r"|\bminoritaires (?:au profit de |par |à )(?:la |le )?|\bminoritarios (?:a favor de |por )|\bminoritários (?:a favor d[aeo] |pela? )|\bminoranz[ae] (?:a favore di |da parte di )"
    r"|\bminderheidsaandeelhouders (?:door |aan )|\bminoritet\w* (?:till |av |til |af )|\bmniejszościowych (?:przez |na rzecz )"
    r"|\btochter(?:gesellschaft)? (?:der )?|\bdochter(?:maatschappij)? van |\bdotterbolag(?:et)? till |\bdattersel(?:skab|skap)(?:et)? (?:af |til ))(?:pt |ctcp |công ty (?:cổ phần|tnhh) |บริษัท ?)?$",
    re.I,
)
UNITED_AFTER = re.compile(
    r"(?:市場)?(?:へ|に)の?(?:一本化|集約|移行|上場(?! ?廃止|し(?:て|た)|されて|中))|(?:市场|市場)?(?:继续|繼續)(?:上市|交易|買賣)"
)  # after the venue that is kept
# "whose shares trade on both A and B,": up to the comma, where a relative clause says where a company is listed
TRADED_AT = Guarded(
    r"\b(?:whose|the \w+ of which|which|that) (?:[\w-]+ ){0,4}?(?:trades?|traded|listed|quoted|dealt|admitted)\b[^,;]{0,160},|\bderen (?:[\w-]+ ){0,3}?\w*(?:aktien?|papiere|anteile|titel)\b[^,;]{0,160}(?:gehandelt|notiert|kotiert|gelistet|zugelassen)[^,;]{0,20},"
    r"|\bdont (?:les |l')(?:\w+ ){0,3}?(?:cotée?s?|négociée?s?|admis\w*|inscrit\w*)\b[^,;]{0,160},|\bcuy[ao]s (?:\w+ ){0,3}?(?:cotizan|se negocian|están (?:admitidas|listadas)|negocian)\b[^,;]{0,160},"
    r"|\bcuj[ao]s (?:\w+ ){0,3}?(?:negociadas|cotadas|listadas|admitidas)\b[^,;]{0,160},|\b(?:le|i) cui (?:\w+ ){0,3}?(?:quotat[ei]|negoziat[ei]|ammess[ei])\b[^,;]{0,160},|\bwaarvan de (?:\w+ )?(?:aandelen|certificaten|effecten)\b[^,;]{0,160}(?:genoteerd|verhandeld)[^,;]{0,20},"
    r"|\b(?:vars|hvis) (?:\w+ )?(?:aktier?|aktie|aksjer?)\b[^,;]{0,12}(?:handlas|noterade?|noteret|notert|handles|omsettes)\b[^,;]{0,160},|\bjonka (?:\w+ )?osak\w+ [^,;]{0,160},|\bktór(?:ej|ego) akcje (?:\w+ )?(?:notowane|dopuszczone)\b[^,;]{0,160},"
)
