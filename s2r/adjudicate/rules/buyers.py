"""Sentences that name the issuer as the buyer, parent or partner of another company, of which they tell the end of a listing."""

from __future__ import annotations

import re

_DEAL = (
    r"take-?over|acquisition|purchase|buy-?out|absorption|merger|(?:Ü|ü)bernahme|(?:A|a)nkauf|(?:K|k)auf|rachat|acquisition|absorption|reprise|compra|adquisición|absorción|fusión|aquisição|incorporação|acquisto|acquisizione|incorporazione|fusione"
    r"|overname|aankoop|uppköp\w*|förvärv\w*|oppkjøp\w*|opkøb\w*|overtagelse\w*|overtakelse\w*|przejęci\w+|zakup\w*|akuisisi|pengambilalihan"
)
_TAKEN = (
    r"taken over|acquired|bought(?: out| up)?|absorbed|swallowed(?: up)?|snapped up|übernommen|gekauft|geschluckt|rachetée?s?|acquise?s?|absorbée?s?|reprise?s?|comprad[ao]s?|adquirid[ao]s?|absorbid[ao]s?|incorporad[ao]s?|acquistat[aeio]|acquisit[aeio]|incorporat[aeio]|rilevat[aeio]"
    r"|overgenomen|gekocht|uppköpt\w*|förvärvat\w*|kjøpt opp|kjøpt|overtatt|opkøbt|overtaget|köpts(?: upp)?|przejęt\w+|kupion\w+|diakuisisi|dibeli|diambil alih"
)
_BY = r"by|durch(?: die| den| das)?|von(?: der| dem)?|par(?: la| le| les)?|por(?: parte)?(?: de)?(?: la| el)?|pel[ao]|da(?: parte)?(?: di| della| del)?|dalla|dal|door(?: de| het)?|av|af|fra|från|przez(?: spółkę)?|oleh"
# right before the issuer, which is the buyer: "after its takeover by", "nach der Übernahme durch die", "setelah diakuisisi oleh"
_BOUGHT_BY = re.compile(
    rf"\b(?:{_DEAL}|{_TAKEN})(?: (?!of |der |des |de |di |do |da |van |av |af )[^\W\d_]+){{0,2}}? (?:{_BY}) (?:the |die |la |le |de |PT )?$"
)
# how the document calls the issuer: who buys it is no stranger
OWN_TERM = re.compile(
    r"\b(?:the Company|the Issuer|der Gesellschaft|die Gesellschaft|la Société|la Sociedad|a Companhia|la Società|de Vennootschap|Bolaget|Selskabet|Selskapet|Yhtiö\w*|Spółk[aię])\b"
)
_BOUGHT_BY_VI = re.compile(r"(?:bị|được) $")
# right after it: "X吸收合并后" by whom, "に買収され", "에 인수된", "tarafından satın alın", "thâu tóm"
_BUYS_EAST = re.compile(
    r"(?:株式会社)?(?:による(?:買収|子会社化|公開買付け|TOB|吸収合併|完全子会社化)(?!に関する意見)|に(?:買収|吸収合併|吸収|完全子会社化)され|の(?:完全)?子会社(?:と)?(?:になった|となった|化(?:に伴|され|後))|(?:の)?傘下に入)"
    r"|(?:股份有限公司|有限公司|公司)?(?:收购|收購|吸收合并|吸收合併|吞并|吞併|全资收购|全資收購)(?:后|後|完成|以)"
    r"|(?:에|에게) ?(?:인수|흡수합병|피인수|합병)(?:된|되|돼)|의 ?(?:인수|완전자회사 편입) ?(?:후|완료|에 따라|로)"
    r"| (?:A\.Ş\. )?tarafından (?:satın alın|devral)\w*| (?:thâu tóm|mua lại|sáp nhập)\b"
)
_HAN_BY = re.compile(r"(?:被|获|獲|遭|由) ?$")
# "as X swallows Y", after the step: the issuer does the buying
_BUYS_NOW = re.compile(
    r"(?:'s|’s)? (?:swallow|buy|acquir|absorb|gobbl|snap|tak|complet|clos|schluckt|übernimmt|kauft|avale|rachète|absorbe|acquiert|compra|adquiere|absorbe|adquire|incorpora|acquista|rileva|slokt|neemt|koopt|köper|förvärvar|slukar|kjøper|sluker|køber|opsluger|ostaa|przejmuje|kupuje|wchłania)"
    r"(?:s|es|ed|e|ing)?(?: up| over)?(?! (?:itself|private|time|place|back|shares|effect|the (?:listing|shares|stock)|its (?:listing|shares|stock))) [A-ZÀ-ÞĀ-Ž]"
)
WHEN = re.compile(
    r"\b(?:as|after|when|once|since|following|weil|nachdem|als|da|après que|quand|alors que|cuando|tras|quando|dopo che|nadat|nu|toen|när|sedan|efter att|når|etter at|efter at|kun|po tym,? jak|gdy) (?:the |die |la |le |l'|de |spółka )?$",
    re.I,
)


# of shares that holders gave into an offer
TENDERED = re.compile(
    r"\b(?:acceptances?|tendered|angedient\w*|Annahmeerklärung\w*|apportée?s|présentée?s à l'offre|aangemeld\w*|aanmeldingen|acceptfrist\w*|accepterats?|accepter\w* av|akseptert\w*|aksepter|accepteret\w*"
    r"|adesioni|portat[ei] in adesione|aceptaciones|adesões|hyväksy\w+ tarjouksen)\b|応募(?:株|総数)|接纳|接納|응모 ?주식",
    re.I,
)


def bought_by(text: str, start: int) -> bool:
    """The company whose name begins at `start` is the buyer ("in view of the take-over by Corvane Ltd")."""
    return _BOUGHT_BY.search(text[max(0, start - 60) : start]) is not None


def buyer(text: str, low: int, high: int, at: int, named: list[tuple[int, int]]) -> bool:
    """All places in [low, high) at which the issuer is named (`named`) make it the buyer of the company whose listing ends at `at`."""

    def buys(start: int, end: int) -> bool:
        before = text[max(low, start - 60) : start]
        if _BOUGHT_BY.search(before):
            return True
        if east := _BUYS_EAST.match(text, end, high):
            head = east.group().lstrip()
            if "\u4e00" <= head[:1] <= "\u9fff" and not head.startswith("傘下"):
                return _HAN_BY.search(before) is not None
            return not head.startswith(("thâu", "mua", "sáp")) or _BOUGHT_BY_VI.search(before) is not None
        return at < start and WHEN.search(before) is not None and _BUYS_NOW.match(text, end, high) is not None

    return bool(named) and all(buys(start, end) for start, end in named)


# who says of itself that it goes: "after Bristol-based Corvane, which holds rights, said it"
_CAP = r"[A-ZÀ-ÞĀ-Ž][\w&'’-]+"
_ASIDE = r"(?:, [^.;]{3,90}?,| \([^()]{1,40}\))?"
_SAYS = re.compile(
    r"\b(?:after|as|when|because|since|once) (?:[\w. '’-]{2,30}-based )?(?:[a-z-]+ ){0,3}?"
    rf"(?P<en>{_CAP}){_ASIDE} (?:has |had )?(?:said|announced|disclosed|reported|revealed|confirmed|learned|told \w+)(?: \w+){{0,2}}?(?: that)? (?:it|its (?:own )?(?:shares|stock|listing))\b"
    r"|\b(?:nachdem|weil|als|da) (?:(?:der|die|das) )?(?:[a-zäöüß-]+(?: Partner\w*| Lizenz\w*| Kund\w*| Liefer\w*)? )?"
    rf"(?P<de>{_CAP}){_ASIDE} (?:am \w+ |gestern |heute )?(?:mitteilte|mitgeteilt|bekannt ?gab|bekannt gegeben|meldete|gemeldet|ankündigte|angekündigt|erklärte|erklärt)(?: hatte| hat)?,? (?:dass |daß )?(?:es|sie|er|ihre Aktien|seine Aktien|von der)\b"
    rf"|\b(?:après que|depuis que|alors que|quand) (?:l'\w+ |le \w+ |la \w+ |son \w+ )?(?P<fr>{_CAP}){_ASIDE} (?:a |eut |ait )?(?:annoncé|indiqué|dit|déclaré|fait savoir|confirmé)(?: \w+)? (?:qu'(?:elle|il)|que (?:ses|son) (?:actions|titre))\b"
    rf"|\b(?:nadat|toen|omdat|nu) (?:het |de )?(?:[a-z-]+ )?(?P<nl>{_CAP}){_ASIDE} (?:gisteren |dinsdag )?(?:bekendmaakte|bekend maakte|meldde|aankondigde|had gemeld|had aangekondigd|zei|liet weten),? dat (?:het|hij|zij|ze|zijn|haar)\b"
    rf"|\b(?:dopo che|quando|poiché) (?:la |il |l')?(?P<it>{_CAP}){_ASIDE} (?:ha |aveva |abbia )?(?:annunciato|detto|comunicato|dichiarato|reso noto|confermato) (?:che (?:le sue|il suo|sarà|verrà|viene)|di (?:essere|venire|uscire|lasciare))\b"
    rf"|\b(?:después de que|luego de que|cuando|tras que) (?:la |el )?(?P<es>{_CAP}){_ASIDE} (?:ha |había )?(?:anunci[óoa]\w*|dij[oe]\w*|comunic[óoa]\w*|inform[óoa]\w*|revel[óoa]\w*) (?:de )?que (?:era|será|sería|sus|su|dejará|saldrá|abandona)\b"
    rf"|\b(?:depois (?:de )?que|após|quando) (?:a |o )?(?P<pt>{_CAP}){_ASIDE} (?:ter )?(?:anunci(?:ou|ado|ar)|dis(?:se|sesse)|comunic(?:ou|ado)|inform(?:ou|ado)) que (?:será|seria|vai|suas|sua|deixará|sairia|estava)\b"
    rf"|\b(?:sedan|efter att|när) (?P<sv>{_CAP}){_ASIDE} (?:har |hade )?(?:meddelat|meddelade|sagt|sade|uppgett|uppgav) att (?:bolaget|det|dess|man)\b"
    rf"|\b(?:etter at|efter at|da|når) (?P<no>{_CAP}){_ASIDE} (?:har |hadde |havde )?(?:opplyst\w*|opplyste|meldt\w*|meldte|meddelte|meddelt|oplyste|oplyst|sagde|sa),? at (?:selska[bp]et|det|dets|dens|man)\b"
    rf"|\b(?:kun|sen jälkeen,? kun) (?P<fi>{_CAP}){_ASIDE} (?:oli )?(?:kertoi|ilmoitti|kertonut|ilmoittanut)(?: \w+)?,? (?:että )?(?:se|sen|yhtiön)\b"
    rf"|\b(?:po tym,? jak|gdy|kiedy|odkąd) (?:spółka |firma )?(?P<pl>{_CAP}){_ASIDE} (?:poinformowała?|ogłosiła?|podała?|zakomunikowała?),? że (?:jej|jego|zostanie|opuszcza|schodzi)\b"
    rf"|\b(?:sau khi|khi|vì) (?:công ty |đối tác )?(?P<vi>{_CAP}){_ASIDE} (?:thông báo|công bố|cho biết)(?: rằng)? (?:cổ phiếu (?:của )?(?:mình|công ty này|họ)|họ)\b"
    rf"|\b(?:setelah|selepas|karena|kerana) (?:mitra(?:nya)? |rakan(?:nya)? )?(?P<id>{_CAP}){_ASIDE} (?:mengumumkan|menyatakan|memaklumkan)(?: bahwa| bahawa)? (?:sahamnya|pihaknya|ia)\b"
    r"|(?:因|在|由于|由於|因为|因為)(?P<zh>[\u4e00-\u9fff]{2,8}?)(?:公司|集团|集團)?(?:宣布|公布|公告|表示|披露|称|稱)(?:其|自身|自己)"
    r"|[、,]?(?P<ja>[\u30a1-\u30fa\u30fc]{3,14}|[A-Z][A-Za-z]+)(?:社)?が自社(?:株|の)"
    r"|(?:^|[\s,])(?P<ko>[가-힣A-Za-z]{2,10})(?:이|가) 자사(?: 주식)?"
)
_NOBODY = frozenset(
    {
        "it",
        "he",
        "she",
        "they",
        "the",
        "this",
        "company",
        "board",
        "management",
        "directors",
        "officials",
        "regulators",
        "der",
        "die",
        "das",
        "er",
        "sie",
        "es",
        "il",
        "elle",
        "la",
        "le",
    }
)
CLOSE = 60  # characters from such a clause to the step


def says_of_itself(text: str, low: int, at: int, own: frozenset[str]) -> str:
    """A company of one word that says in [low, at) that it goes itself, up to the step at `at`; `own` are folded words of the issuer."""
    for found in _SAYS.finditer(text, low, min(len(text), at + CLOSE)):
        if found.start() >= at or at - found.end() > CLOSE:
            continue
        name = found[found.lastgroup or 0]
        if name.lower() not in own | _NOBODY and not any(stop in text[found.end() : at] for stop in ".;。；"):
            return name
    return ""


# what an issuer calls itself, and the company of which it tells besides
_SELF_EAST = re.compile(r"当社|弊社|本公司|我公司|당사|본 ?공시회사")
_THAT_EAST = re.compile(
    r"(?:同社|[该該]公司|동사)(?:の|的|의)?(?: ?)(?:発行する|発行の)?(?:普通|보통)?(?:株式|株券|株|股票|股份|[AHB]股|주권|주식)(?:は|が|の(?:上場|売買)|について|将|將|於|于|自|被|已|은|는|이|가|의)"
)
_OWN_EAST = re.compile(r"(?:当社|弊社|本公司|我公司|당사)(?:の|的|의)? ?(?:普通|보통)?(?:株式|株券|株|股票|股份|[AHB]股|주권|주식)")
# a headline that is about a company of the issuer's: "連結子会社(X)に係る...", "控股子公司X终止上市", "자회사 X 상장폐지"
_KIN_EAST = re.compile(
    r"(?:連結|完全|上場|特定)*(?:子会社|孫会社|関連会社|持分法適用(?:関連)?会社|親会社)(?:である|の|\(|（|、|「|:|:)"
    r"|(?:控股|全资|全資|下属|下屬|参股|參股|附属|附屬)?(?:子公司|附屬公司|附属公司|联营公司|聯營公司)(?=[^股权股權]{2,24}(?:终止上市|終止上市|撤銷上市|撤销上市|除牌|退市|摘牌|私有化))"
    r"|(?:종속회사|자회사|계열회사|계열사|손자회사)(?: ?\(|인| )(?=[^.]{2,40}상장 ?폐지)"
)
_END_EAST = re.compile(r"上場廃止|売渡請求|终止上市|終止上市|撤銷上市|撤销上市|除牌|退市|摘牌|私有化|상장 ?폐지|整理銘柄")


def head_of_kin(head: str) -> bool:
    """A headline tells the end of the listing of a company that belongs to the issuer or to which it belongs, and not the issuer's."""
    kin = _KIN_EAST.search(head)
    return kin is not None and _END_EAST.search(head, kin.end()) is not None and _OWN_EAST.search(head) is None


def own_shares(text: str, low: int, high: int) -> bool:
    """[low, high) speaks of the shares of the company whose document it is."""
    return _OWN_EAST.search(text, low, high) is not None


def that_company(text: str, low: int, high: int, at: int) -> bool:
    """A sentence of the issuer's own document has "the same company's" shares as the ones of which it says the step."""
    found = list(_THAT_EAST.finditer(text, low, min(high, at + 2)))
    return bool(found) and not own_shares(text, found[-1].end(), at) and _SELF_EAST.search(text) is not None
