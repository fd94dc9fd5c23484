"""The other side of a merger, purchase or holding of the issuer, where it is that company whose listing ends."""

from __future__ import annotations

import re

# "the acquisition of Corvane Ltd, which will be delisted", "Hulu Kelapa Berhad, yang akan dinyahsenaraikan"
WHICH = re.compile(
    r",? ?(?:which (?:\w+ ){0,2}?(?:be|been|is|was|were|are)|whose (?:shares?|stock|listing|units)|yang (?:akan |telah )?(?:di|saham)|(?:công ty|doanh nghiệp) (?:\w+ ){0,2}?bị|(?:التي|الذي) )"
)
# "Harlow N.V., dat per 4 mei van de beurs verdwijnt": up to the next comma, unless the company acts on something ("die das Delisting verlangt")
RELATIVE = re.compile(
    r", (?:dat|die|welke?|welche[rs]?|waarvan|deren|dessen)\b(?! (?:das|den|die|de|het|einen?|een|ihre?|seine?|zijn|haar)\b)"
)
# right after the issuer: who merges with it, or what it buys or holds, as the topic of the sentence
_TOPIC_EAST = re.compile(
    r"(?:과|와|이|가) ?(?:(?:지분|주식)(?:을|를)? ?)?(?:\d[\d.]*% ?(?:를|을)? ?)?(?:합병|인수|흡수합병|보유|투자|출자|지배)(?:하는|한|할|된|하고 있는) (?!주식|자사주|지분|자기주식|회사|기업)[가-힣A-Za-z0-9]{2,14}?(?:은|는|이|가|의|(?: 주식| 지분)(?:은|는|이|가|을|를)?)(?![가-힣])"
    r"|(?:と|を|が)(?:株式の?)?(?:\d[\d.]*[%%]を?)?(?:経営統合|合併|吸収合併|買収|完全子会社化|出資|保有|運用)(?:する|した|している|される)(?!当社|同社|株式|自己株式)[\u30a1-\u30ff\u3400-\u9fffA-Za-z]{2,16}?(?:株式会社)?(?:は|の株式|株)"
    r"|的?(?:轉投資|转投资|參股|参股|持股)(?:\d[\d.]*[%%])?(?:之|的)?(?:公司)?(?!公司|股份)[\u4e00-\u9fff]{2,10}?(?:股份)?(?:有限)?公司"
)
# "N吸收合并江洲化工,江洲化工股票自5月11日起终止上市": a name said of the deal, and again before the step
_AGAIN_HAN = re.compile(
    r"(?:吸收合并|吸收合併|收购|收購|合并|合併|換股|换股|與|与)(?P<name>[\u4e00-\u9fff]{2,8}?)(?:股份有限公司|有限公司)?(?:合併|合并|重組|重组)?[,，;；](?P<rest>[^。]*?)(?P=name)(?:的)?(?:股票|股份|[AHB]股)"
)
_ARABIC = re.compile(r"(?:شركة|مجموعة) (?:[^\s.،]+ ){1,4}?(?:التي|الذي) ")
_CLOSE = 40  # characters from such a name to the step


def spoken_of(text: str, named_end: int, at: int) -> bool:
    """Between the end of the issuer's name and the step at `at` another company becomes the one that is spoken of."""
    if (topic := _TOPIC_EAST.match(text, named_end)) is not None and topic.end() <= at + 1:
        return True
    if (again := _AGAIN_HAN.search(text, named_end, at + 1)) is not None and at - again.end() <= _CLOSE:
        return True
    return (relative := _ARABIC.search(text, named_end, at)) is not None and at - relative.end() <= _CLOSE
