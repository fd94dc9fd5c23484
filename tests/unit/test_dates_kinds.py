"""What dates are dates of, and the day of announcement: the table of snippets, the published sample, and the cue files."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from s2r.adjudicate.rules.datekinds import announcement_date, classify_dates
from s2r.cli.dates import dates
from s2r.errors import InputError
from s2r.evaluate.dates import DateScore, SnippetContext, cues_for, read_rows, read_snippet, score, with_reading
from s2r.lang.dates import read_dates
from s2r.models import DateKind
from s2r.policy import load_policy
from s2r.policy.patterns import example_problem, pattern_problem

ROOT = Path(__file__).parent.parent.parent
TABLE = ROOT / "tests" / "cases" / "dates.jsonl"
LATER = ROOT / "tests" / "cases" / "dates-later.jsonl"  # two batches in more oblique words
ANGLES = ROOT / "tests" / "cases" / "dates-angles.jsonl"  # three batches from other sides of the sentence
SAMPLE = ROOT.parent / "shared" / "dates" / "dates-dev.jsonl"
SENTENCES = ROOT / "tests" / "cases" / "date_kinds.txt"
CUES = load_policy("delisting", ROOT / "policies").date_lexicons


def _score(path: Path) -> DateScore:
    return score((snippet, read_snippet(snippet.text, snippet.context, CUES)) for _, snippet in read_rows(path))


@pytest.mark.slow
def test_own_table_holds_its_floor() -> None:
    """The table of snippets in 20 languages keeps its accuracy; nothing is read from trap strings."""
    result = _score(TABLE)
    languages = {snippet.context.lang.split("-")[0] for _, snippet in read_rows(TABLE)}
    assert len(languages) >= 18
    assert result.expected >= 300
    assert result.values >= 0.99 * result.expected, result.misses
    assert result.kinds >= 0.95 * result.expected, result.misses
    assert result.announcements >= 0.95 * result.rows, result.misses
    assert result.trapped == 0, result.misses


@pytest.mark.slow
def test_later_snippets_hold_their_floor() -> None:
    """Snippets in more oblique words, most of them in one of 26 languages."""
    result = _score(LATER)
    assert result.values >= 0.98 * result.expected, result.misses
    assert result.kinds >= 0.92 * result.expected, result.misses
    assert result.announcements >= 0.89 * result.rows, result.misses
    assert result.trapped == 0, result.misses


@pytest.mark.slow
def test_snippets_from_other_angles_hold_their_floor() -> None:
    """Forms, clefts, days that the market learns, sentences told backwards, in 21 languages."""
    result = _score(ANGLES)
    assert result.rows >= 350
    assert result.values >= 0.97 * result.expected, result.misses
    assert result.kinds >= 0.92 * result.expected, result.misses
    assert result.announcements >= 0.91 * result.rows, result.misses
    assert result.trapped == 0, result.misses


@pytest.mark.parametrize(
    ("text", "lang", "wanted"),
    [
        ("The panel ruled on 13 September; word of the ruling went out on 15 September.", "en", ("decision", "announcement")),
        ("Par décision du 9 octobre rendue publique le 12 octobre, SIX a approuvé la décotation.", "fr", ("decision", "announcement")),
        ("Der Antrag ging am 3. Mai ein und wurde am 9. Mai bewilligt.", "de", ("filing", "decision")),
        ("Trading in the shares has been suspended from 3 May; a filing is due by 9 May.", "en", ("suspension", "deadline")),
    ],
)
def test_a_word_belongs_to_the_date_that_it_is_nearer_to(text: str, lang: str, wanted: tuple[str, ...]) -> None:
    """Between two dates a word speaks of one of them."""
    read = read_snippet(text, SnippetContext(lang=lang, dateline=dt.date(2016, 10, 20)), CUES).dates
    assert tuple(d.kind for d in read) == wanted


@pytest.mark.parametrize(
    ("text", "lang", "wanted"),
    [
        (
            "Bolagsstämman biföll den 1 december styrelsens förslag att begära avnotering; det meddelades den 2 december.",
            "sv",
            "2016-12-02",
        ),
        ("Styrelsens förslag till avnotering läggs fram på stämman, meddelades den 2 december.", "sv", None),
        ("On 1 December holders approved the proposal to delist from AIM, it was announced on 2 December.", "en", "2016-12-02"),
    ],
)
def test_what_is_settled_is_announced_though_it_was_a_proposal(text: str, lang: str, wanted: str | None) -> None:
    """A proposal discloses nothing until it is approved."""
    read = read_snippet(text, SnippetContext(lang=lang, dateline=dt.date(2016, 12, 5)), CUES).announcement_date
    assert (read.isoformat() if read else None) == wanted


def test_the_day_of_the_news_is_one_day_of_a_text() -> None:
    """When words tell on which day it was announced, a day that no word speaks of is not taken for it."""
    text = "Avviso del 22 ottobre: revoca delle azioni dalla quotazione. Residuo in mano all'offerente dal 21 ottobre."
    first, second = read_snippet(text, SnippetContext(lang="it", dateline=dt.date(2015, 10, 23)), CUES).dates
    assert (first.kind, second.kind == "announcement") == ("announcement", False)


def _sentences() -> Iterator[tuple[str, str, str, str, str]]:
    """(language, country, kind, text, date in it) of each line of the table of sentences."""
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            lang, country, kind, marked = line.split("|")
            at, to = marked.index("["), marked.index("]")
            yield lang, country, kind, marked[:at] + marked[at + 1 : to] + marked[to + 1 :], marked[at + 1 : to]


@pytest.mark.parametrize("language", sorted({lang for lang, *_ in _sentences()}))
def test_every_kind_is_known_in_every_language(language: str) -> None:
    """In sentences with one date, each kind is told from the others by the words of its language."""
    rows = [row for row in _sentences() if row[0] == language]
    missed = []
    for _, country, kind, text, date in rows:
        read = read_snippet(text, SnippetContext(lang=language, country=country, dateline=dt.date(2016, 5, 10)), CUES).dates
        if not any(d.kind == kind and (d.raw in date or date in d.raw) for d in read):
            missed.append((kind, text, [(d.raw, d.kind.value) for d in read]))
    assert len(missed) <= len(rows) // 40, missed


@pytest.mark.parametrize(
    ("text", "lang", "wanted"),
    [
        ("Issuer | Suspended | Form 25 filed\nDunlevy Inc | 04/17/2015 | 06/24/2015", "en-US", ("suspension", "filing")),
        ("Issuer\tSuspended\tForm 25 filed\nDunlevy\t04/17/2015\t06/24/2015\nHarn\t05/18/2015\t07/01/2015", "en-US", ("suspension", "filing") * 2),
        ("Emittent | Letzter Handelstag | Widerruf wirksam\nOstra AG | 04.08.2015 | 17.08.2015", "de", ("last_trading", "effective")),
        ("Trading was suspended on 17 April 2015 | Form 25 was filed on 24 June 2015", "en", ("suspension", "filing")),
    ],
)  # fmt: skip
def test_head_of_a_column_names_its_dates(text: str, lang: str, wanted: tuple[str, ...]) -> None:
    """A date that fills a cell is what the head of its column says; a bar between two sentences makes no table."""
    mentions = read_dates(text, lang=lang)
    assert tuple(kind.value for kind in classify_dates(text, mentions, cues=cues_for(lang, CUES))) == wanted


@pytest.mark.parametrize(
    ("text", "lang", "wanted"),
    [
        ("Gestern wurde klar, dass die Aktie von der Börse verschwindet.", "de", "announcement"),  # the clause speaks of another day
        ("I går ble det klart at aksjen forsvinner fra børsen.", "no", "announcement"),
        ("Orwyn stunned holders on 9 May that its shares will be delisted.", "en", "announcement"),  # whatever the verb
        ("Le 9 mai, le titre a été radié.", "fr", "effective"),
    ],
)
def test_what_was_said_speaks_of_another_day(text: str, lang: str, wanted: str) -> None:
    """The words of a clause with "that" do not say what the day of the saying is."""
    read = read_snippet(text, SnippetContext(lang=lang, dateline=dt.date(2016, 5, 10)), CUES)
    assert read.dates[0].kind == wanted


@pytest.mark.parametrize(
    ("text", "page", "wanted"),
    [
        ("Oslo Børs – vedtak om strykning 15.11.2018. Rjukan ASA strykes fra 17.12.2018.", dt.date(2018, 11, 16), dt.date(2018, 11, 15)),
        ("Oslo Børs – vedtak om strykning 15.11.2018. Rjukan ASA strykes fra 17.12.2018.", dt.date(2019, 11, 16), None),
    ],
)
def test_day_at_the_end_of_a_heading_is_that_of_the_notice(text: str, page: dt.date, wanted: dt.date | None) -> None:
    """A heading that ends in the day of its page, or one just before, dates the notice; one of another time does not."""
    read = read_snippet(text, SnippetContext(lang="no", country="NO", page_meta_date=page), CUES)
    assert (read.dates[0].kind == "announcement") == (wanted is not None)
    assert wanted is None or read.announcement_date == wanted


@pytest.mark.skipif(not SAMPLE.exists(), reason="the shared sample of dated snippets is not here")
def test_sample_is_all_right() -> None:
    """Every date, kind, announcement date and trap of the shared sample is right."""
    result = _score(SAMPLE)
    assert result.misses == ()


@pytest.mark.parametrize("language", sorted(CUES))
def test_cue_patterns_match_their_examples(language: str) -> None:
    """Every cue, object, qualifying and blocking pattern is sound and matches its example."""
    lexicon = CUES[language]
    for phrase in (*lexicon.cue, *lexicon.object, *lexicon.qualify, *lexicon.block):
        assert not pattern_problem(phrase.pattern), phrase
        assert not example_problem(phrase.pattern, phrase.example), phrase


def test_range_ends_get_their_own_kinds() -> None:
    """An acceptance period begins with no special day and ends with a deadline."""
    text = "Die Annahmefrist läuft vom 25. Oktober bis 22. November 2016."
    mentions = read_dates(text, lang="de", country="DE")
    kinds = classify_dates(text, mentions, cues=cues_for("de", CUES))
    assert kinds == (DateKind.OTHER, DateKind.DEADLINE)


def test_a_day_ahead_is_no_publication() -> None:
    """A date after the document's own is never an announcement, decision or letter."""
    text = "The company announced 3 May 2019 as the day on which its listing ends."
    mentions = read_dates(text, lang="en", country="GB", anchor=dt.date(2019, 4, 20))
    (kind,) = classify_dates(text, mentions, cues=cues_for("en", CUES), anchor=dt.date(2019, 4, 20))
    assert kind not in (DateKind.ANNOUNCEMENT, DateKind.DECISION, DateKind.LETTER)


@pytest.mark.parametrize(
    ("text", "lang", "wanted"),
    [
        ("The board has decided to delist the shares.", "en", "2019-04-20"),
        ("The shares could be delisted if no plan is filed.", "en", None),
        ("Trading was suspended yesterday.", "en", None),
        ("Le conseil a décidé de demander la radiation des actions.", "fr", "2019-04-20"),
        ("Der Vorstand erwägt ein Delisting.", "de", None),
        ("取締役会は上場廃止の申請を決議した。", "ja", "2019-04-20"),
        ("公司股票可能被终止上市。", "zh-Hans", None),
    ],
)
def test_undated_statements_fall_to_the_dateline(text: str, lang: str, wanted: str | None) -> None:
    """An undated decision in a dated text is disclosed on the date of the text; a warning or suspension discloses nothing."""
    anchor = dt.date(2019, 4, 20)
    cues = cues_for(lang, CUES)
    mentions = read_dates(text, lang=lang, anchor=anchor)
    found = announcement_date(text, mentions, classify_dates(text, mentions, cues=cues, anchor=anchor), cues=cues, anchor=anchor)
    assert (found.isoformat() if found else None) == wanted


def test_gold_changes_nothing() -> None:
    """The reading of a row depends on its text and context alone."""
    for row, snippet in read_rows(TABLE):
        bare = {"text": row["text"], "context": row["context"]}
        reading = read_snippet(snippet.text, SnippetContext.model_validate(bare["context"]), CUES)
        assert reading == read_snippet(snippet.text, snippet.context, CUES)
        assert set(with_reading(bare, reading)) == {"text", "context", "read", "read_announcement_date"}
        break


@pytest.mark.slow
def test_command_writes_rows_with_readings(tmp_path: Path) -> None:
    """`s2r dates FILE --out FILE` writes every row with what was read."""
    out = tmp_path / "read.jsonl"
    result = CliRunner().invoke(dates, [str(TABLE), "--out", str(out)], standalone_mode=False)
    assert result.exception is None
    rows = [row for row, _ in read_rows(out)]
    assert len(rows) == sum(1 for _ in read_rows(TABLE))
    assert all({"read", "read_announcement_date", "text"} <= set(row) for row in rows)
    assert set(rows[0]["read"][0]) == {"raw", "value", "precision", "kind"}
    assert "value and precision" in result.output


def test_bad_line_is_named(tmp_path: Path) -> None:
    """A line that is no snippet is an input error with its number."""
    path = tmp_path / "bad.jsonl"
    path.write_text('{"text": "x", "context": {}}\n{"no": 1}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        list(read_rows(path))


def test_odd_context_is_no_obstacle(tmp_path: Path) -> None:
    """A document date that is only a month, or nulls, leave the snippet readable."""
    path = tmp_path / "odd.jsonl"
    context = '{"lang": null, "country": null, "dateline": "2015-05", "extra": 1}'
    path.write_text(f'{{"text": "on 5 May 2015", "context": {context}, "expected": null}}\n', encoding="utf-8")
    ((_, snippet),) = read_rows(path)
    assert snippet.context.dateline is None
    assert read_snippet(snippet.text, snippet.context, CUES).dates[0].value == "2015-05-05"


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="5 May2019.;,上場廃止Ж\n(—)年月日", max_size=120), st.sampled_from(sorted(CUES)))
def test_classifying_never_raises(text: str, lang: str) -> None:
    """Any text can be classified and asked for its announcement."""
    anchor = dt.date(2019, 5, 5)
    cues = cues_for(lang, CUES)
    mentions = read_dates(text, lang=lang, anchor=anchor)
    kinds = classify_dates(text, mentions, cues=cues, anchor=anchor)
    assert len(kinds) == len(mentions)
    announcement_date(text, mentions, kinds, cues=cues, anchor=anchor)
