"""What kind of source a page is, and how far its word goes."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.document import RELEASE
from s2r.lang.names import core_name
from s2r.lang.text import fold_text
from s2r.models import BlockKind, Listing, Page
from s2r.policy import Policy, listed_kind, source_kind, voice_kind

SECOND_HAND = frozenset({"press", "aggregator", "forum", "unknown"})  # report what others disclosed
WEAK = frozenset({"aggregator", "forum"})  # never date an event


def kind_of(page: Page, policy: Policy, listing: Listing) -> str:
    """exchange, regulator, filing, issuer, wire, press, aggregator, forum or unknown.

    By the site; where that says press or nothing, by the voice in which the page speaks: a site that prints a notice word for
    word discloses it.
    """
    if page.form:
        return "filing"
    kind = source_kind(page.url, policy, listing.issuer)
    if kind == "aggregator" and not listed_kind(page.url, policy) and _opens_like_a_release(page):
        kind = "unknown"  # a name that only looks like that of a data site
    if kind in ("press", "unknown") and len(_POST.findall(page.text)) >= POSTS:
        return "forum"
    if kind in ("press", "unknown"):
        if _headed_by_exchange(page, policy):
            return "exchange"
        voice = voice_kind(spoken := _spoken(page), policy)
        if voice and (voice != "filing" or _FILED.search(spoken)):
            return voice
        return "issuer" if kind == "unknown" and _filed_under_releases(page, listing.issuer) else kind
    if kind == "aggregator" and voice_kind(spoken := _spoken(page), policy) == "filing" and _FILED.search(spoken):
        return "filing"  # a copy of the filing itself
    return kind


def _opens_like_a_release(page: Page) -> bool:
    """A block near the top begins with the full dateline of a release, or is the formula by which issuers disclose inside information."""
    main = [block for block in page.blocks[:16] if block.main]
    if any(RELEASE.match(page.text, block.start, block.end) for block in main):
        return True
    return any(_INSIDE.search(fold_text(page.text[block.start : block.end])) for block in main)


def _filed_under_releases(page: Page, issuer: str) -> bool:
    """A line at the top holds a word for releases of companies and the issuer's name, and little else ("Press releases > Corvane plc"):
    the site keeps what the company itself sent out."""
    name = fold_text(core_name(issuer)).strip()
    for block in page.blocks[:HEAD]:
        line = fold_text(page.text[block.start : block.end]).strip() if block.end - block.start <= MAX_HEAD else ""
        if name and name in line and (word := _RELEASES.search(line)) and len(line) - len(name) - len(word[0]) <= BESIDE_RELEASES:
            return True
    return False


_RELEASES = re.compile(
    r"\b(?:press|news|media|company) releases?\b|\b(?:regulatory|company|stock exchange) announcements?\b|\bregulatory news\b|\bpressmeddelande[nt]?\w*|\bpressemelding\w*|\bpressemeddelelse\w*"
    r"|\bbörsmeddelande\w*|\bbørsmelding\w*|\b(?:selskabs|fondsbørs)meddelelse\w*|\b(?:pörssi|lehdistö|yhtiö)tiedot\w+|\b(?:presse|medien|unternehmens)mitteilung\w*|\bpersbericht\w*|\bcommuniqu[ée]s?(?: de presse)?\b"
    r"|\bcomunicat[oi] stampa\b|\bcomunicados?\b|\bnotas? de prensa\b|\bhechos? (?:relevantes?|esencial(?:es)?)\b|\bfatos? relevantes?\b|\b(?:raport(?:y)? bieżąc[ye]|komunikat(?:y)? prasow[ye])\b|\bbasın (?:bülten|açıklama)\w*"
    r"|(?:プレス|ニュース)リリース|보도자료|公司公告"
)
BESIDE_RELEASES = 40  # characters beside the name and the word: that of the site, a number, a day


# the formula of Article 17 of the market abuse regulation, which only the issuer's own text carries
_INSIDE = re.compile(
    r"\b(?:veröffentlichung (?:einer )?insiderinformation(?:en)? (?:nach|gemä(?:ß|ss)|gem\.)|ad[- ]hoc[- ](?:mitteilung|meldung) (?:nach|gemä(?:ß|ss)|gem\.)|denna information är (?:sådan|insider)|informationen är (?:sådan|insiderinformation)"
    r"|(?:denne|dette) (?:opplysningen|er) (?:er )?(?:innsideinformasjon|informasjonspliktig)|intern viden i henhold til|sisäpiirintieto(?:a)? (?:koskeva|markkinoiden)|publication of inside information (?:according|pursuant)"
    r"|dit (?:pers)?bericht bevat (?:voorwetenschap|informatie die kwalificeert)|voorwetenschap in de zin van)"
)


# a line that opens a post: a name of one word, a day, an hour or a colon ("wetwilly 3/17/21 9:10 AM", "kaptein_s 1. okt 2019: ...")
_POST = re.compile(
    r"(?m)^(?=\S*[a-zß-ÿ])[\w.-]{3,24},? (?:\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{4}-\d\d-\d\d|\d{1,2}\.? [^\W\d_]{3,9}\.? \d{4})(?:,? \d{1,2}[:.]\d\d|:)"
)
POSTS = 2  # of them make a forum
HEAD = 6  # blocks at the top of a page among which the sender of a notice is named
# what stands beside the name of the exchange in the line that heads its notice, once names of months and figures are gone
_FILED = re.compile(  # what a filing says, and a table that names its form does not
    r"\b(?:accession|conformed|commission file|pursuant to|17 cfr|undersigned|registrant|securities exchange act|/s/)"
)
_BESIDE = re.compile(
    r"(?:offizielle|market|official|officielle|notices?|bulletins?|announcements?|circulars?|of|no|nr|avis|mededeling(?:en)?|bekanntmachung(?:en)?|mitteilung(?:en)?|kundmachung(?:en)?|meddelelser?|meddelanden?|kunngjøring(?:er)?"
    r"|tiedote|tiedotteet|uchwała|komunikat|aviso|avisos|comunicado|avviso|avvisi|plc|ag|a/s|ab|asa|oyj?|s\.?a\.?|s\.?p\.?a\.?|llc|inc|ltd|limited|gmbh|n\.?v\.?|vom|du|del|di|da|de|den|dated?"
    r"|公告|お知らせ|通知|公示|공시|안내|(?:코스피|유가증권|코스닥|코넥스)?시장(?:본부|위원회)|상장부|[^\W\d_]{3,10}(?=\W*(?:19|20)?\d))"
)


def _headed_by_exchange(page: Page, policy: Policy) -> bool:
    """A line at the top holds the name of an exchange and, beside numbers, dates and words for a notice, nothing else."""
    main = [block for block in page.blocks if block.main and block.kind is not BlockKind.TITLE][:HEAD]
    for block in main:
        line = fold_text(_first_line(page.text[block.start : block.end])).strip()
        name = _opening_name(line, policy) if len(line) <= MAX_HEAD else ""
        if name and not re.search(r"[^\W\d_]", _BESIDE.sub(" ", line[len(name) :])):
            return len(line) > len(name) or block.end - block.start > len(line)
    return False


def _first_line(block: str) -> str:
    """The first line of a block below lines of figures only, such as a day and an hour."""
    lines = block.split("\n", MAX_FIGURES)
    return next((line for line in lines[:MAX_FIGURES] if re.search(r"[^\W\d_]", line)), lines[0])


_NAMES: dict[str, dict[int, frozenset[str]]] = {}  # by the digest of the policy


def _opening_name(line: str, policy: Policy) -> str:
    """The longest name of an exchange with which a line begins, "" when it begins with none."""
    names = _names(policy)
    return next((line[:size] for size in names if line[:size] in names[size]), "")


def _names(policy: Policy) -> dict[int, frozenset[str]]:
    """Folded names of venues of more than one word by their length, the longest first."""
    if policy.digest in _NAMES:
        return _NAMES[policy.digest]
    found = {fold_text(name).strip() for v in policy.venues.values() for name in (v.name, *v.aliases, *v.former_names, *v.operator_names)}
    names = [name for name in found if len(name) >= MIN_NAME and (" " in name or not name.isascii())]
    sizes = sorted({len(name) for name in names}, reverse=True)
    return _NAMES.setdefault(policy.digest, {size: frozenset(name for name in names if len(name) == size) for size in sizes})


MAX_HEAD, MIN_NAME = 110, 5
MAX_FIGURES = 3  # lines of a block among which its first words are looked for


def _spoken(page: Page) -> str:
    """Folded text of what the document itself says, without the frame of its site."""
    return fold_text("\n".join(page.text[block.start : block.end] for block in page.blocks if block.main))
