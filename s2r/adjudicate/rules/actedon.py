"""Companies that a sentence names without their legal form, as those that an exchange acts on ("Oslo Børs stryker Corvane", "the FCA has
cancelled the listing of Corvane")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2r.lang.literals import Nearby
from s2r.lang.text import fold_text

_WORD = r"[^\W\d_a-zß-ÿ][\w&’-]*[\w]"
_NAME = rf"(?P<name>{_WORD}(?: (?:& |de |of |y |e )?{_WORD}){{0,4}})"
_HAN, _HANGUL = r"[\u3040-\u30ff\u3400-\u9fff]", r"[\uac00-\ud7a3]"
_ACTS = (
    r"\b(?:delist(?:s|ed)?|expel(?:s|led)|(?:cancel(?:s|led)|revoke[sd]|withdr(?:aws|ew|awn)|terminate[sd]|ended) the (?:listing|admission|quotation|registration)(?: to trading)? of|the (?:de-?listing|exclusion) of) {N}",
    r"\b(?:widerruft|widerrief|beendet|beendete|streicht|strich) (?:die (?:Zulassung|Notierung|Börsennotierung|Einbeziehung|Kotierung) )?(?:der |von |des )?{N}",
    r"\b(?:excluye|excluyó|excluirá|excluido|da de baja|dio de baja|dará de baja|retira|retiró|expulsa|expulsó|deslista|deslistó)(?: de (?:la )?(?:negociación|cotización|Bolsa|bolsa|su listado))? a {N}",
    r"\b(?:revoca|ha revocato|esclude|ha escluso|cancella|ha cancellato) (?:(?:dalla quotazione|dalle negoziazioni|dal listino) )?(?:la |il )?{N}",
    r"\b(?:cancela|cancelou|exclui|excluiu|deslista|deslistou) (?:(?:a listagem|o registro|da negociação|do pregão) )?(?:d[aoe] )?{N}",
    r"\b(?:radie|a radié|radiera|exclut|a exclu) (?:la société )?{N}",
    r"\b(?:avnoterar|avnoterat|avnoterade|stryker|avför|avfört|strøk|strøket|avnoterer|avnoterte|sletter|slettede|slettet|afnoterer|afnoterede|afnoteret|schrapt|schrapte|geschrapt) {N}",
    r"\b(?:wyklucza|wykluczył[ao]?|wycofuje|wycofał[ao]?) (?:z (?:obrotu|giełdy|notowań)(?: giełdowego)? )?(?:akcje )?(?:spółki )?{N}",
    r"\b(?:menghapus|mendelisting|membatalkan) (?:pencatatan )?(?:efek |saham )?{N}",
    r"\bhủy niêm yết (?:cổ phiếu )?(?:của )?{N}",
    rf"(?:[はが、]){_HAN.replace('[', '(?P<ja>[').replace(']', 'A-Za-z]{3,14}?)')}の(?:株式の)?上場廃止を(?:決定|承認|発表)",
    rf"(?:终止|終止|取消){_HAN.replace('[', '(?P<zh>[').replace(']', ']{3,10}?)')}(?:股票|股份|證券|证券)?(?:的)?上市",
    rf"(?<!{_HANGUL}){_HANGUL.replace('[', '(?P<ko>[').replace(']', 'A-Za-z]{3,10})')}의 (?:주권 )?상장폐지를 (?:결정|확정|의결|승인)",
    rf"(?<!{_HANGUL}){_HANGUL.replace('[', '(?P<ko2>[').replace(']', 'A-Za-z]{3,10})')} (?:주권|주식|보통주)(?:이|가|은|는) 상장폐지(?:되|됐|가|를)",
    r"{N}['’](?:[ıiuü]|y[ıiuü]|n[ıiuü]) (?:borsa )?(?:kotundan|kottan|borsadan) çıkar(?:dı|ıyor|acak)\b",
)
_LINES = tuple(Nearby(re.compile(act.replace("{N}", _NAME))) for act in _ACTS)
# capitals that name no company: terms of an offer, kinds of securities, bodies, days
_NO_COMPANY = re.compile(
    r"\b(?:compan\w+|issuer|corporation|group|bank|trust|funds?|sub-?fund|target|offeree|bidco|parent|scheme|shares?|stocks?|ads|adss|adrs?|gdrs?|units?|notes?|bonds?|debentures?|warrants?|options?|rights|securit\w+|class|series|common|ordinary|preferred|preference"
    r"|depositary|american|entit\w+|[a-c]|\w*aktien?|\w*papiere?|\w*scheine?|\w*anteile?|\w*titel|\w*zulassung|\w*notierung\w*|gesellschaft\w*|emittent\w*|unternehmen\w*|firma|\w*anleihen?|\w*fonds|\w*markt\w*|\w*handel\w*|antrag\w*|vertrag\w*|\w*segment\w*"
    r"|sociedad|compañía|emisora?|valores|acciones|títulos|società|emittente|azioni|titol[oi]|azion\w+|companhia|emissora?|ações|société|émetteur|actions|titres|bolaget\w*|selskapet\w*|selskabet\w*|emittenten|aktier\w*|aksjer\w*|vennootschap|aandelen"
    r"|spółk\w+|emitenta?|akcj\w+|perusahaan|perseroan|emiten|saham|cổ phiếu|công ty|januar[iy]?|februar[iy]?|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday)\b"
)
_NO_COMPANY_EAST = re.compile(
    r"当社|同社|弊社|自社|会社|株式|株券|銘柄|証券|優先|普通|新株|子会社|対象|公司|股票|股份|[ABＡＢ]股|该|該|其|本|债券|債券|基金|证券|證券|单位|회사|당사|동사|주권|주식|보통주|우선주|해당|종목|증권|자회사|법인|기업"
)


def acted_on(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, folded name) of each; whether it is the issuer, a venue or a class is for the caller to say."""
    for line in _LINES:
        for match in line.finditer(text):
            group = match.lastgroup or "name"
            name = fold_text(match[group])
            if not (_NO_COMPANY if group == "name" else _NO_COMPANY_EAST).search(name):
                yield match.start(group), match.end(group), name
