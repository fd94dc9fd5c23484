"""The policies folder: every kind of fault is named by file, line and key, and the shipped policies have none."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from s2r.errors import PolicyError
from s2r.lang.text import fold
from s2r.policy import RULING_VALUES, RULINGS, PolicyFault, check_policies, load_policy, pattern_problem, policy_root, source_kind
from s2r.policy.lines import key_lines, line_of
from s2r.policy.load import files_digest, read_files
from s2r.settings import Settings

SHIPPED = Path(__file__).parents[2] / "policies"

VENUE = """\
mic = "XDUS"
name = "Börse Düsseldorf"
country = "DE"
languages = ["de", "en"]
date_order = "dmy"
timezone = "Europe/Berlin"
aliases = ["Düsseldorfer Börse"]
related_mics = []
ticker_pattern = '[A-Z0-9]{2,6}'

[[official]]
name = "Börse Düsseldorf"
domain = "boerse-duesseldorf.de"
kind = "exchange"
"""
SECOND_VENUE = VENUE.replace("XDUS", "XHAM").replace("Düsseldorf", "Hamburg").replace("duesseldorf", "hamburg")
LEXICON = """\
language = "de"
query = ["Delisting"]
object = [
  { pattern = 'widerruf der zulassung', example = "Widerruf der Zulassung zum regulierten Markt" },
]

[[stage.decision]]
pattern = 'hat beschlossen'
example = "Der Vorstand hat beschlossen"

[[stage.decision]]
pattern = '\\bdelisting\\b.{0,40}\\bbeantragt'
example = "Delisting der Aktie beantragt"
not_example = "ein Antrag auf Delisting"

[modality]
negated = [
  { pattern = 'nicht', example = "wird nicht delistet" },
]
"""
DATES = """\
language = "de"

[[cue]]
kind = "effective"
pattern = 'mit wirkung zum'
example = "mit Wirkung zum 30. Juni"
"""
SOURCES = """\
source = [
  { kind = "press", domain = "handelsblatt.com" },
  { kind = "forum", pattern = '/forum/', example = "acme.com/forum/1" },
]
"""
RULING = '[rulings.halt_qualifies]\nvalue = false\ntext = "A trading suspension'
HALT_CASE = 'case = [{ stage = ["suspension"] }]\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small policies folder without a fault."""
    for relative, text in {
        "venues/xdus.toml": VENUE,
        "venues/xham.toml": SECOND_VENUE,
        "delisting/lexicon/de.toml": LEXICON,
        "delisting/dates/de.toml": DATES,
        "sources.toml": SOURCES,
    }.items():
        path = tmp_path / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    shutil.copy(SHIPPED / "delisting/policy.toml", tmp_path / "delisting/policy.toml")
    return tmp_path


def edit(root: Path, file: str, old: str, new: str) -> int:
    """Replace the one occurrence of `old`; give the 1-based line where it began."""
    path = root / file
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (file, old, text.count(old))
    path.write_text(text.replace(old, new), "utf-8")
    return text.count("\n", 0, text.index(old)) + 1


POLICY, LEX, DAT, VEN, SRC = (
    "delisting/policy.toml",
    "delisting/lexicon/de.toml",
    "delisting/dates/de.toml",
    "venues/xdus.toml",
    "sources.toml",
)

# file, text replaced, replacement, key of the fault, words of the problem
STRUCTURE = [
    (POLICY, 'version = "1"', 'version = "1"\ncolour = "red"', "colour", "unknown key", 1),
    (POLICY, 'version = "1"', "version = 1", "version", "valid string", 0),
    (POLICY, "min_queries = 3", 'min_queries = "3"', "coverage.min_queries", "valid integer", 0),
    (POLICY, "min_queries = 3", "min_querys = 3", "coverage.min_querys", "unknown key", 0),
    (
        POLICY,
        'qualifying_stages = ["decision", "application",',
        'qualifying_stages = ["decision", "applied",',
        "qualifying_stages[1]",
        "'applied'",
        0,
    ),
    (POLICY, '"condition_met"]\nnon_q', '"warning"]\nnon_q', "non_qualifying_stages[1]", "also a qualifying stage", 2),
    (POLICY, 'reasons = ["merger_acquisition",', 'reasons = ["merger",', "reasons[0]", "'merger'", 0),
    (POLICY, 'disclosure_types = ["exchange_notice",', 'disclosure_types = ["notice",', "disclosure_types[0]", "'notice'", 0),
    (POLICY, 'source_rank = ["exchange",', 'source_rank = ["bourse",', "source_rank[0]", "'bourse'", 0),
    (POLICY, "[rulings.canonical_date]", "[rulings.usual_date]", "rulings.usual_date", "no code asks", 0),
    (POLICY, HALT_CASE, "", "rulings.halt_qualifies", "has no case", -3),
    (POLICY, HALT_CASE, HALT_CASE.replace("suspension", "pause"), "rulings.halt_qualifies.case[0].stage[0]", "'pause'", 0),
    (POLICY, HALT_CASE, HALT_CASE.replace("stage", "source"), "rulings.halt_qualifies.case[0].source[0]", "'suspension'", 0),
    (
        POLICY,
        HALT_CASE,
        HALT_CASE.replace(" }", ', family = ["reason.move"] }'),
        "rulings.halt_qualifies.case[0].family[0]",
        "reason.move",
        0,
    ),
    (POLICY, HALT_CASE, HALT_CASE.replace(" }", ', within = "page" }'), "rulings.halt_qualifies.case[0].within", "'page'", 0),
    (POLICY, HALT_CASE, HALT_CASE.replace(" }", ', colour = "red" }'), "rulings.halt_qualifies.case[0].colour", "unknown key", 0),
    (POLICY, RULING, RULING.replace("false", '"maybe"'), "rulings.halt_qualifies.value", "'maybe'", 1),
    (POLICY, RULING, RULING.replace("false", "1"), "rulings.halt_qualifies.value", "valid boolean", 1),
    (POLICY, 'value = "publication"', 'value = "letter"', "rulings.canonical_date.value", "'letter'", 0),
    (POLICY, 'route = "accept"\nreason = "No', 'route = "approve"\nreason = "No', "route[10].route", "'approve'", 0),
    (POLICY, 'status = ["abstain"]', 'status = ["dunno"]', "route[2].status[0]", "'dunno'", 0),
    (POLICY, 'package = ["fail"]', 'package = ["broken"]', "route[3].package[0]", "'broken'", 0),
    (POLICY, "min_confidence = 0.7", "min_confidence = 70", "route[10].min_confidence", "between 0 and 1", 0),
    (POLICY, 'status = ["no"]\npackage = ["pass"]\n', 'status = ["no"]\n', "route[10].package", "must set this condition", -3),
    (LEX, 'language = "de"', 'language = "xx"', "language", "'xx'", 0),
    (LEX, 'language = "de"', 'language = "nl"', "language", "de.toml", 0),
    (LEX, "[[stage.decision]]\npattern = 'hat", "[[stage.decided]]\npattern = 'hat", "stage.decided", "unknown family", 0),
    (LEX, 'example = "Delisting der', 'sample = "Delisting der', "stage.decision[1].sample", "unknown key", 0),
    (LEX, "negated = [", "negative = [", "modality.negative", "unknown family", 0),
    (DAT, 'kind = "effective"', 'kind = "starting"', "cue[0].kind", "'starting'", 0),
    (DAT, 'kind = "effective"', 'kind = "effective"\nside = "left"', "cue[0].side", "'left'", 1),
    (DAT, 'kind = "effective"', 'kind = "effective"\nwithin = 0', "cue[0].within", "not a distance", 1),
    (VEN, 'languages = ["de", "en"]', 'languages = ["de", "xx"]', "languages[1]", "'xx'", 0),
    (VEN, 'languages = ["de", "en"]', "languages = []", "languages", "empty", 0),
    (VEN, 'date_order = "dmy"', 'date_order = "dym"', "date_order", "'dym'", 0),
    (VEN, 'timezone = "Europe/Berlin"', 'timezone = "Europe/Bonn"', "timezone", "'Europe/Bonn'", 0),
    (VEN, 'timezone = "Europe/Berlin"', 'timezone = "Europe"', "timezone", "'Europe'", 0),
    (VEN, 'country = "DE"', 'country = "Germany"', "country", "'Germany'", 0),
    (VEN, 'mic = "XDUS"', 'mic = "XHAN"', "mic", "xdus.toml", 0),
    (VEN, 'mic = "XDUS"', 'mic = "xdus"', "mic", "market identifier", 0),
    (VEN, "related_mics = []", 'related_mics = ["XXXX"]', "related_mics[0]", "no venue XXXX", 0),
    (VEN, 'kind = "exchange"', 'kind = "bourse"', "official[0].kind", "'bourse'", 0),
    (VEN, 'domain = "boerse-duesseldorf.de"', 'domain = "https://Boerse.de"', "official[0].domain", "not a domain", 0),
    (VEN, '["Düsseldorfer Börse"]', '["Düsseldorfer Börse",\n  " "]', "aliases[1]", "empty", 1),
    (SRC, 'kind = "press"', 'kind = "paper"', "source[0].kind", "'paper'", 0),
    (SRC, 'domain = "handelsblatt.com"', 'note = "?"', "source[0]", "either domain or pattern", 0),
    (SRC, "]", '  { kind = "forum", domain = "handelsblatt.com" },\n]', "source[2].domain", "already source[0]", 0),
]
PATTERNS = [
    (LEX, "'hat beschlossen'", "'hat (beschlossen'", "stage.decision[0].pattern", "does not compile"),
    (LEX, "'hat beschlossen'", "'hat.*beschlossen'", "stage.decision[0].pattern", "unbounded gap"),
    (LEX, "'hat beschlossen'", "'hat.+?beschlossen'", "stage.decision[0].pattern", "unbounded gap"),
    (LEX, "'hat beschlossen'", "'(?:hat ?)+beschlossen(?:a+)+'", "stage.decision[0].pattern", "nests an unbounded repeat"),
    (LEX, "'hat beschlossen'", "'hat Beschlossen'", "stage.decision[0].pattern", "folded text never does"),
    (LEX, '"Der Vorstand hat beschlossen"', '"Der Vorstand beschließt"', "stage.decision[0].example", "does not match its example"),
    (LEX, '"ein Antrag auf Delisting"', '"Delisting wird beantragt"', "stage.decision[1].not_example", "matches its not_example"),
    (LEX, "'widerruf der zulassung'", "'widerruf [^.]*zulassung'", "object[0].pattern", "unbounded gap"),
    (LEX, "'nicht'", "'kein'", "modality.negated[0].example", "does not match"),
    (DAT, '"mit Wirkung zum 30. Juni"', '"am 30. Juni"', "cue[0].example", "does not match"),
    (DAT, "'mit wirkung zum'", "'mit .*zum'", "cue[0].pattern", "unbounded gap"),
    (VEN, "'[A-Z0-9]{2,6}'", "'[A-Z0-9{2,6}'", "ticker_pattern", "does not compile"),
    (SRC, "'/forum/'", "'/board/'", "source[1].pattern", "does not match its example"),
    (SRC, "'/forum/'", "'/Forum/'", "source[1].pattern", "folded text never does"),
]


@pytest.mark.parametrize(("file", "old", "new", "key", "problem", "below"), STRUCTURE)
def test_structural_fault_has_file_line_and_key(root: Path, file: str, old: str, new: str, key: str, problem: str, below: int) -> None:
    """A wrong value stops the load and is reported at its own line, with what would be right."""
    line = edit(root, file, old, new) + below
    fault = next((f for f in check_policies(root) if f.key == key), None)
    assert fault is not None, check_policies(root)
    assert (fault.file, fault.line) == (file, line)
    assert problem in fault.problem
    assert fault.advice
    with pytest.raises(PolicyError) as caught:
        load_policy(root=root)
    assert caught.value.subject.startswith(root.as_posix())


@pytest.mark.parametrize(("file", "old", "new", "key", "problem"), PATTERNS)
def test_pattern_fault_has_file_line_and_key(root: Path, file: str, old: str, new: str, key: str, problem: str) -> None:
    """A bad pattern or example is reported at its own line."""
    line = edit(root, file, old, new)
    assert [(f.file, f.line, f.key) for f in check_policies(root)] == [(file, line, key)]
    assert problem in check_policies(root)[0].problem


def test_small_folder_is_without_fault(root: Path) -> None:
    """The folder that the fault tests start from is right."""
    assert check_policies(root) == []
    policy = load_policy(root=root)
    assert policy.venues["XDUS"].aliases == ("Düsseldorfer Börse",)
    assert policy.lexicons["de"].stage["decision"][1].not_example
    assert policy.policy_id == f"delisting@{policy.definition.version}#{policy.digest[:12]}"


@pytest.mark.slow
def test_shipped_policies_have_no_fault() -> None:
    """Every file under policies/ passes every check."""
    assert [f"{f.file}:{f.line} {f.key}: {f.problem}" for f in check_policies(SHIPPED)] == []


def test_all_faults_are_reported_and_the_first_is_raised(root: Path) -> None:
    """Faults of several files come back together, sorted; loading raises one of them with file, line and key."""
    edit(root, VEN, '"Europe/Berlin"', '"Europe/Bonn"')
    edit(root, DAT, '"effective"', '"starting"')
    edit(root, LEX, "'nicht'", "'kein'")
    assert [(f.file, f.key) for f in check_policies(root)] == [
        (DAT, "cue[0].kind"),
        (LEX, "modality.negated[0].example"),
        (VEN, "timezone"),
    ]
    with pytest.raises(PolicyError, match=r"dates/de\.toml:4: cue\[0\]\.kind: unknown value 'starting'\. Use one of: .*effective"):
        load_policy(root=root)


def test_missing_ruling_is_named_with_its_table(root: Path) -> None:
    """A ruling that code asks for must be in policy.toml; its absence is reported where the rulings begin."""
    edit(root, POLICY, "[rulings.halt_qualifies]", "[rulings.pause_qualifies]")
    fault = next(f for f in check_policies(root) if f.key == "rulings.halt_qualifies")
    text = (root / POLICY).read_text("utf-8")
    assert fault.line == text.count("\n", 0, text.index("\n[rulings.")) + 2
    assert "is missing" in fault.problem
    assert "[rulings.halt_qualifies]" in fault.advice


def test_own_ruling_with_a_case_is_no_fault(root: Path) -> None:
    """The ruling that docs/policy.md adds is accepted; a value that neither refuses nor admits is not."""
    guide = (SHIPPED.parent / "docs/policy.md").read_text("utf-8")
    own = guide[guide.index("[rulings.adviser_resigned_qualifies]") :].partition("```")[0]
    path = root / POLICY
    text = path.read_text("utf-8").replace("# ---- routing", f"{own}\n# ---- routing")
    path.write_text(text, "utf-8")
    assert check_policies(root) == []
    path.write_text(text.replace(own, own.replace("value = true", 'value = "often"')), "utf-8")
    assert [fault.key for fault in check_policies(root)] == ["rulings.adviser_resigned_qualifies.value"]
    path.write_text(text.replace(own, own.replace("has resigned', ex", "(?:has resigned', ex")), "utf-8")
    assert [fault.key for fault in check_policies(root)] == ["rulings.adviser_resigned_qualifies.case[0].pattern"]


def test_code_twice_and_name_twice_are_faults(root: Path) -> None:
    """Two files with one MIC, and a name that points to two venues, are faults of the later file."""
    (root / "venues/xhan.toml").write_text(SECOND_VENUE, "utf-8")
    faults = [(f.file, f.line, f.key) for f in check_policies(root)]
    assert ("venues/xhan.toml", 1, "mic") in faults
    assert any("also in venues/xham.toml" in f.problem for f in check_policies(root))
    assert ("venues/xhan.toml", 2, "name") in faults


def test_abbreviations_may_be_shared(root: Path) -> None:
    """NSE is used in Mumbai and in Lagos; only longer names must be unique."""
    edit(root, VEN, '["Düsseldorfer Börse"]', '["NSE", "the NSE"]')
    edit(root, "venues/xham.toml", '["Hamburger Börse"]', '["NSE", "the NSE"]')
    assert check_policies(root) == []


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        (b'mic = "XDUS"\nname = Boerse\n', 2, "is not TOML"),
        (b'mic = "XDUS"\nmic = "XDUS"\n', 2, "is not TOML"),
        ('mic = "XDUS"\nname = "Börse"\n'.encode("latin-1"), 2, "is not UTF-8"),
        (b'mic = "XDUS"\nname = "open\n', 2, "is not TOML"),
    ],
)
def test_unreadable_file_has_its_line(root: Path, content: bytes, line: int, problem: str) -> None:
    """Broken syntax and broken bytes are reported at their line."""
    (root / VEN).write_bytes(content)
    fault = check_policies(root)[0]
    assert (fault.file, fault.line) == (VEN, line)
    assert problem in fault.problem


def test_missing_folder_and_missing_key(root: Path, tmp_path: Path) -> None:
    """A folder without policy.toml is a fault, a missing key is reported at its table."""
    assert "missing" in check_policies(tmp_path / "nowhere")[0].problem
    with pytest.raises(PolicyError, match="missing"):
        load_policy(root=tmp_path / "nowhere")
    edit(root, LEX, 'example = "Der Vorstand hat beschlossen"\n', "")
    assert [(f.line, f.key, f.problem) for f in check_policies(root)] == [(7, "stage.decision[0].example", "is missing")]


LINES = '''\
a = 1
"b c" = """
x = 2
"""
list = [
  "one", # two = 2
  { p = '[', q = "]" },
  [1,
   2],
]
[t.u]
k = 'v'
[[arr]]
k = 1
[[arr.sub]]
k = 2
[[arr.sub]]

k = 2
[[arr]]
when = 1979-05-27 07:32:00
x.y = 3
'''


def test_lines_of_keys_in_all_toml_forms() -> None:
    """Strings, comments, inline tables, arrays of arrays and nested tables do not move a line."""
    tomllib.loads(LINES)
    lines = key_lines(LINES)
    expected = {
        ("a",): 1, ("b c",): 2, ("list",): 5, ("list", 0): 6, ("list", 1): 7, ("list", 1, "q"): 7, ("list", 2, 1): 9, ("t", "u"): 11,
        ("t", "u", "k"): 12, ("arr", 0): 13, ("arr", 0, "k"): 14, ("arr", 0, "sub", 0, "k"): 16, ("arr", 0, "sub", 1): 17,
        ("arr", 0, "sub", 1, "k"): 19, ("arr", 1): 20, ("arr", 1, "when"): 21, ("arr", 1, "x", "y"): 22,
    }  # fmt: skip
    assert {path: lines.get(path) for path in expected} == expected
    assert line_of(lines, ("arr", 1, "missing")) == 20


@pytest.mark.slow
def test_every_shipped_key_has_a_line() -> None:
    """The line scanner finds every key and item that tomllib finds, in all shipped files."""

    def paths(value: object, path: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        return [p for key, item in items for p in ((*path, key), *paths(item, (*path, key)))]

    for file in sorted(SHIPPED.rglob("*.toml")):
        text = file.read_text("utf-8")
        lines = key_lines(text)
        missing = [path for path in paths(tomllib.loads(text), ()) if path not in lines]
        assert missing == [], file.name


@pytest.mark.parametrize(
    ("pattern", "good"),
    [
        (r"\bdelist\w*", True),
        (r"(?:\w+ ){0,5}x", True),
        (r"a\s*b", True),
        (r"[^.]{0,60}x", True),
        (r"上場廃止の決定", True),
        (r"n[º°]", True),
        (r"a.*b", False),
        (r"a[\s\S]+b", False),
        (r"[^,]+b", False),
        (r"(?:\w+ )+x", False),
        (r"(?:\w+){1,9}x", False),
        (r"x?", False),
        (r"“x", False),
        ("e\u0301chec", False),
        ("ｶﾌﾞ", False),
    ],
)
def test_pattern_rules(pattern: str, good: bool) -> None:
    """Bounded, separated and folded patterns pass; others do not."""
    assert (pattern_problem(pattern) == "") is good


def test_digest_covers_names_and_bytes(root: Path) -> None:
    """Any changed byte or name changes the digest; a file that is no policy does not."""
    first = load_policy(root=root).digest
    (root / "venues/notes.md").write_text("x", "utf-8")
    assert load_policy(root=root).digest == first
    edit(root, VEN, "Düsseldorfer Börse", "Börse am Rhein")
    assert load_policy(root=root).digest != first
    files = read_files(root, "delisting")
    assert files_digest(files) != files_digest(tuple((f"{name}x", content) for name, content in files))
    assert files_digest((("a", b"bc"),)) != files_digest((("ab", b"c"),))


def test_policies_folder_is_the_setting_then_the_working_directory(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting wins over ./policies, which wins over the packaged copy."""
    monkeypatch.chdir(tmp_path)
    assert (policy_root() / "delisting/policy.toml").is_file()
    (tmp_path / "policies").mkdir()
    assert policy_root(Settings()) == Path("policies")
    assert policy_root(Settings(policies=root)) == root


def test_every_ruling_has_text_and_allowed_value() -> None:
    """Each ruling that code may ask for is in the shipped policy with a sentence."""
    policy = load_policy(root=SHIPPED)
    assert set(policy.definition.rulings) == RULINGS
    for name, ruling in policy.definition.rulings.items():
        assert policy.ruling(name) in RULING_VALUES[name]
        assert ruling.text.endswith(".")


def test_no_positive_is_accepted_without_a_risk_model() -> None:
    """Without a risk model that allows it, the only accepting rule is for a covered, checked "no"."""
    accepting = [rule for rule in load_policy(root=SHIPPED).definition.route if rule.route == "accept"]
    assert [(rule.status, rule.risk_within) for rule in accepting] == [(("yes",), True), (("no",), None)]
    assert all(rule.coverage_sufficient and rule.package == ("pass",) for rule in accepting)


MARKETS = """
XNYS XNAS XASE ARCX BATS XLON AIMX XDUB XTSE XTSX XCNQ NEOE XFRA XETR XDUS XHAM XMUN XSTU XBER XPAR ALXP XAMS XBRU XLIS XSWX
XSTO FNSE XNGM XHEL XCSE XOSL XOAS MERK XWAR XNCO XMIL EXGM XMAD XBAR XVAL XBIL XMAB XWBO XLUX XASX XTKS XOSE XNGO XFKA XSAP
XHKG XGEM XSHG XSHE XKRX XKOS XSTC HSTC XSES XNSE XBOM XKLS XIDX XBKK XTAI ROCO BVMF XMEX XBOG XSGO XLIM XBUE XJSE XNSA XNAI
XCAI XIST XTAE XSAU XADS XDFM MISX
"""


def test_venues_cover_the_markets() -> None:
    """Every market that s2r knows has a venue file with an official source, search terms and a name in a local language."""
    venues = load_policy(root=SHIPPED).venues
    wanted = re.findall(r"\w{4}", MARKETS)
    assert set(wanted) - set(venues) == set()
    for venue in venues.values():
        assert venue.official, venue.mic
        assert venue.terms, venue.mic
        assert venue.ticker_pattern, venue.mic


@pytest.mark.parametrize(
    ("text", "mics"),
    [
        ("shares of Acme on Nasdaq Stockholm and on Nasdaq", {"XSTO", "XNAS"}),
        ("admission of the shares to trading on AIM, a market operated by London Stock Exchange plc", {"AIMX"}),
        ("we aim to be part of the Main Market of the London Stock Exchange", {"XLON"}),
        ("ammissione su AIM Italia", {"EXGM"}),
        ("NYSE American LLC, formerly NYSE MKT", {"XASE"}),
        ("filed Form 25-NSE with the New York Stock Exchange LLC", {"XNYS"}),
        ("Widerruf an der Frankfurter Wertpapierbörse, nicht an der Börse Düsseldorf", {"XFRA", "XDUS"}),
        ("akcje na Giełdzie Papierów Wartościowych w Warszawie S.A.", {"XWAR"}),
        ("transfert d'Euronext Paris vers Euronext Growth Paris", {"XPAR", "ALXP"}),
        ("radiation de la cote d'Euronext Bruxelles", {"XBRU"}),
        ("TSX Venture Exchange has approved, the Toronto Stock Exchange has not", {"XTSX", "XTSE"}),
        ("香港聯合交易所有限公司GEM", {"XGEM"}),
        ("紐約證券交易所及香港聯交所", {"XNYS", "XHKG"}),
        ("東京証券取引所市場第二部", {"XTKS"}),
        ("한국거래소 코스닥시장본부", {"XKOS"}),
        ("hủy niêm yết tại Sở Giao dịch Chứng khoán Hà Nội", {"HSTC"}),
        ("शेयर बीएसई और एनएसई पर", {"XBOM", "XNSE"}),
        ("Bolsas de Valores de Madrid, Barcelona, Bilbao y Valencia", {"XMAD"}),
        ("شطب من البورصة المصرية", {"XCAI"}),
        ("NASDAQ OMX Helsinki Oy and Nasdaq Dubai", {"XHEL", "DIFX"}),
        ("a six month set of results from the garden hose maker in this case", set()),
    ],
)
def test_longest_name_points_to_one_venue(text: str, mics: set[str]) -> None:
    """Names are specific: with the longest first, a phrase of a real notice names its venues and no other."""
    names = {fold(n).text: v.mic for v in load_policy(root=SHIPPED).venues.values() for n in (v.name, *v.aliases, *v.former_names)}
    rest, found = fold(text).text, set()
    for name in sorted(names, key=len, reverse=True):
        at = rest.find(name)
        if at >= 0 and not (name.isascii() and re.search(rf"\w{re.escape(name)}|{re.escape(name)}\w", rest)):
            found.add(names[name])
            rest = rest.replace(name, "|")
    assert found == mics


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://www.nyse.com/publicdocs/nyse/x.pdf", "exchange"),
        ("https://www.sec.gov/Archives/edgar/data/1/0001.txt", "filing"),
        ("https://www.sec.gov/litigation/admin/2017/34-1.pdf", "regulator"),
        ("https://www.prnewswire.com/news-releases/acme-301.html", "wire"),
        ("https://www1.hkexnews.hk/listedco/listconews/sehk/2020/x.pdf", "filing"),
        ("https://uk.reuters.com/article/idUKFWN1", "press"),
        ("https://www.reuters.com/companies/ACME.N", "aggregator"),
        ("https://www.ariva.de/forum/acme-1", "forum"),
        ("https://www.ariva.de/acme-aktie", "aggregator"),
        ("https://web.archive.org/web/20120303120000/http://www.londonstockexchange.com/x", "exchange"),
        ("https://ir.acme-steel.test/news/2019-08-20", "issuer"),
        ("https://acme.test/fr/communiques/2014-radiation", "issuer"),
        ("https://osten-anzeiger-zeitung.test/2019/01/15/acme", "press"),
        ("https://market-notices.test/2019/09/25/acme", "exchange"),
        ("https://bolsa-sur.test/avisos/2019", "exchange"),
        ("https://aktien-forum.test/thread/88", "forum"),
        ("https://tickerworld.test/delisted/ACME", "aggregator"),
        ("https://nordwire-newswire.test/r/2009/03/acme", "wire"),
        ("https://acme.test/", "unknown"),
        ("not an address", "unknown"),
        ("http://[::1", "unknown"),
        ("", "unknown"),
    ],
)
def test_kind_of_site(url: str, kind: str) -> None:
    """Known domains by the longest match, unknown hosts by general words, kept pages by the page they keep."""
    assert source_kind(url, load_policy(root=SHIPPED)) == kind


@pytest.mark.parametrize(
    ("url", "issuer", "kind"),
    [
        ("https://acme-steel.test/news/x", "Acme Steel plc", "issuer"),
        ("https://www.corvino.co.uk/press/x", "Établissements Corvino SA", "issuer"),
        ("https://acme.test/press", "Acme Steel plc", "unknown"),
        ("https://www.reuters.com/article/1", "Reuters Group plc", "press"),
        ("https://nordic-notices.test/1", "Nordic Steel AB", "exchange"),
        ("https://alderfinance.test/news/x", "Alder Rural Finance Ltd", "issuer"),
        ("https://aldermoor-group.test/news/x", "Aldermoor Metals plc", "issuer"),
        ("https://ri-alderrural.test/x", "Alder Rural Participações S.A.", "issuer"),
        ("https://ri-rural.test/x", "Alderwick Participações S.A.", "unknown"),
        ("https://aldermoormetals-ir.test/x", "The Aldermoor Metals Company", "issuer"),
        ("https://aldermoorgazette.test/x", "Aldermoor Metals plc", "press"),
        ("https://metalsaldermoor.test/x", "Aldermoor Metals plc", "unknown"),
        ("https://aldermoorunited.test/x", "Aldermoor Metals plc", "unknown"),
    ],
)
def test_site_of_the_issuer(url: str, issuer: str, kind: str) -> None:
    """A host that begins the issuer's name is the issuer's, unless it is listed, too short or more than the name."""
    assert source_kind(url, load_policy(root=SHIPPED), issuer) == kind


def test_fault_reads_as_one_line() -> None:
    """A fault becomes an error whose text has file:line, key, problem and advice."""
    fault = PolicyFault(file="sources.toml", line=3, key="source[1].kind", problem="unknown value 'x'", advice="Use one of: press.")
    assert str(fault.error()) == "sources.toml:3: source[1].kind: unknown value 'x'. Use one of: press."
