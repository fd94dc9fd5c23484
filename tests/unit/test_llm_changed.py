"""A page that says that it was changed after the cutoff is of its own class, in any language."""

from __future__ import annotations

import datetime as dt

import pytest
from factories import listing

from s2r.adjudicate import adjudicate_documents
from s2r.adjudicate.llm.dating import date_document
from s2r.extract import extract
from s2r.models import DateClass
from s2r.policy import Policy

CUTOFF = dt.date(2020, 12, 31)
LANGUAGES = {"4. Mai": "de", "le 4 m": "fr", "4 de m": "es", "2019年5": "ja", "2019년 ": "ko"}
SAID = {
    "de": "hat heute mit Zustimmung des Aufsichtsrats das Delisting der Aktien von der Nasdaq beschlossen und bekannt gegeben.",
    "fr": "annonce que son conseil d'administration a décidé la radiation de ses actions du Nasdaq.",
    "es": "comunica que el consejo de administración ha acordado la exclusión de negociación de sus acciones del Nasdaq.",
}
CHANGED = [
    "Published May 4, 2019. Updated March 3, 2021.",
    "May 4, 2019\nUPDATE March 3, 2021: the page was extended.",
    "May 4, 2019\n(corrected on March 3, 2021)",
    "4 May 2019\nLast modified: Wednesday, 3 March 2021",
    "4. Mai 2019\nAktualisiert am 3. März 2021",
    "le 4 mai 2019\nMis à jour le 3 mars 2021",
    "4 de mayo de 2019\nActualizado el 3 de marzo de 2021",
    "2019年5月4日\n更新日：2021年3月3日",
    "2019년 5월 4일\n수정 2021년 3월 3일",
]
NOT_CHANGED = [
    "May 4, 2019\nThe bond matures on March 3, 2021.",
    "Published May 4, 2019. Updated June 3, 2019.",
    "May 4, 2019\nThe delisting becomes effective on March 3, 2021.",
]


@pytest.mark.parametrize("line", CHANGED)
@pytest.mark.slow
def test_a_change_after_the_cutoff_is_seen_in_the_text(line: str, policy: Policy) -> None:
    """What such a page said by the cutoff is not known."""
    assert _class(line, policy) is DateClass.EDITED_LATER


@pytest.mark.parametrize("line", NOT_CHANGED)
def test_other_days_after_the_cutoff_change_nothing(line: str, policy: Policy) -> None:
    """Days to come, and changes before the cutoff, leave a page what it is."""
    assert _class(line, policy) is DateClass.DATED


def _class(line: str, policy: Policy) -> DateClass:
    row = listing(0, cutoff=CUTOFF)
    lang = LANGUAGES.get(line[:6], "en")
    said = f"{row.issuer} {SAID.get(lang, 'has decided to delist its common stock from The Nasdaq Stock Market.')}"
    body = f'<html lang="{lang}"><body>{"".join(f"<p>{part}</p>" for part in line.splitlines())}<p>{said}</p></body></html>'
    found = extract(body.encode(), "text/html; charset=utf-8", "https://wire.example/news/7", digest="sha256:1")
    _, judged = adjudicate_documents(row, [found], policy)
    return date_document(judged[0], CUTOFF).klass
