"""What keeps a process light."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest

from s2r.light import collect_seldom, without_numpy


@pytest.fixture
def collector() -> Iterator[None]:
    """The collector as it was, afterwards."""
    enabled, thresholds = gc.isenabled(), gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    (gc.enable if enabled else gc.disable)()


@pytest.mark.usefixtures("collector")
def test_garbage_is_collected_later_and_not_never() -> None:
    """The collector runs again, more seldom than by default, and what was there before is set aside."""
    gc.disable()
    collect_seldom()
    assert gc.isenabled()
    assert gc.get_threshold()[0] > 700
    assert gc.get_threshold()[1] > 0
    assert gc.get_freeze_count() > 0
    before = gc.get_stats()[0]["collections"]
    kept = [[] for _ in range(3 * gc.get_threshold()[0])]  # type: ignore[var-annotated]
    assert gc.get_stats()[0]["collections"] > before
    assert kept


def test_numpy_counts_as_missing_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside it cannot be imported, afterwards it is as unknown as before."""
    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    with without_numpy(), pytest.raises(ImportError):
        __import__("numpy")
    assert "numpy" not in sys.modules
