"""The programs that measure the workbench still run, over a folder of a few rows; what they promise is looked at on a quiet machine."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from s2r.reviews import measure as reviews
from s2r.web import measure as web

FEW = ["--rows", "40", "--evidence", "3", "--repeats", "2"]


@pytest.mark.proof
def test_reviews_and_pages_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each act, page, export and import has a line with its figures; nothing is called slow where the promise is out of reach of a busy machine."""
    for module in (reviews, web):
        monkeypatch.setattr(module, "PAGE_MS", 1e6)
    done = CliRunner().invoke(reviews.main, [*FEW, "--decisions", "5"], catch_exceptions=False)
    assert (done.exit_code, done.output.count("export queue."), done.output.count("import of 5 decisions")) == (0, 2, 1), done.output
    assert {"queue: text", "row", "claim next", "decide"} <= {line.partition("  ")[0] for line in done.output.splitlines()}
    done = CliRunner().invoke(web.main, [*FEW, "--bodies", "5"], catch_exceptions=False)
    assert (done.exit_code, done.output.count("export ")) == (0, 2), done.output
    assert {"home", "queue: text", "alike rows", "row with its page open"} <= {line.partition("  ")[0] for line in done.output.splitlines()}
