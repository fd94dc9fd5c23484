"""Results of meetings that tell of all resolutions at once, above a list that names them."""

from __future__ import annotations

import re

# "all of the resolutions set out in the notice were passed"
EVERY_RESOLUTION = re.compile(
    r"\b(?:all|each|every one) (?:\w+ ){0,5}?resolutions?\b|\b(?:alle|allen|sämtliche\w*) (?:\w+ ){0,5}?(?:beschl\w+|tagesordnungspunkt\w*|anträge\w*|besluit\w*|voorstellen|agendapunten|vedtak\w*|forslag\w*|beslutning\w*)"
    r"|\b(?:toutes les|l.ensemble des) (?:\w+ ){0,3}?résolutions\b|\b(?:tod[ao]s|la totalidad de) l[ao]s (?:\w+ ){0,3}?(?:acuerdos|propuestas|resoluciones|puntos)\b|\b(?:todas as|a totalidade das) (?:\w+ ){0,3}?(?:deliberações|propostas|matérias)\b"
    r"|\btutte le (?:\w+ ){0,3}?(?:delibere|deliberazioni|proposte)\b|\b(?:samtliga|samtlige|alla) (?:\w+ ){0,4}?(?:beslut\w*|förslag\w*|vedtak\w*|forslag\w*)|\bkaikki (?:\w+ ){0,4}?(?:päätö\w+|ehdotu\w+)"
    r"|\bwszystkie (?:\w+ ){0,4}?uchwał\w*|(?:すべて|全て|全)の?(?:議案|決議)|(?:全部|所有|各项|各項)(?:议案|議案|决议|決議)|(?:모든|전) ?(?:의안|안건)|\btất cả (?:\w+ ){0,3}?(?:nghị quyết|tờ trình|nội dung)"
)
_LINE = re.compile(  # what numbers a line of the list; a figure with decimals is a share of votes
    r"\W{0,3}(?:(?:special |ordinary )?resolution |resolución |résolution |item |punkt |punto |top |sak |kohta |第|제 ?)?\(?\d{1,2}\b(?![.,]\d| ?%)"
)
# a resolution that only empowers somebody, or that was not carried
_SHORT_OF_IT = re.compile(
    r"\b(?:authori[sz]\w+|authority|empower\w*|mandate|ermächtig\w*|autori[sz]\w+|delega\w+|pouvoirs?|facult\w+|machtig\w*|volmacht|bemyndig\w*|fullmakt|valtuut\w+|upoważni\w+|study|review|prüfung"
    r"|withdrawn|not (?:put|carried|passed)|lapsed|rejected|defeated|zurückgezogen|abgelehnt|retirée|rejetée|retirad[ao]|rechazad[ao]|rejeitad[ao]|respint[ao]|ritirat[ao]|ingetrokken|verworpen|återkalla\w*|avslag\w*"
    r"|trukket|forkastet|bortfalt|bortfaldt|hylätty|odrzucon\w+|wycofan[oay])\b|授權|授权|否決|否决|撤回|委任|위임|부결|ủy quyền"
)


def resolution(text: str) -> bool:
    """A (folded) line of the list below such a result is a resolution that does what it names."""
    return _LINE.match(text) is not None and _SHORT_OF_IT.search(text) is None
