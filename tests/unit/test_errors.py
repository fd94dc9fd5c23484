"""The error tree: what a caller does about an error is its type; each says what, about what, and what to do."""

from __future__ import annotations

import pytest

from s2r import errors


@pytest.mark.parametrize(
    ("kind", "parents"),
    [
        (errors.InputError, (errors.ConfigError,)),
        (errors.PolicyError, (errors.ConfigError,)),
        (errors.SourceTimeout, (errors.SourceError,)),
        (errors.SourceRefused, (errors.SourceError,)),
        (errors.SourceBroken, (errors.SourceError,)),
        (errors.SourceUnusable, (errors.S2RError,)),
        (errors.IntegrityError, (errors.S2RError,)),
        (errors.StoreError, (errors.S2RError,)),
        (errors.BudgetExceeded, (errors.S2RError,)),
    ],
)
def test_tree(kind: type[errors.S2RError], parents: tuple[type[Exception], ...]) -> None:
    """Every error has its branch, and the root catches it."""
    assert issubclass(kind, (*parents,))
    assert issubclass(kind, errors.S2RError)
    assert kind.__name__ in (errors.__doc__ or "")


def test_branches_do_not_overlap() -> None:
    """An unusable provider is no failed item; a store that cannot be written is no error of configuration."""
    assert not issubclass(errors.SourceUnusable, errors.SourceError)
    assert not issubclass(errors.StoreError, errors.ConfigError)


@pytest.mark.parametrize(
    ("message", "subject", "advice", "text"),
    [
        ("is missing", "", "", "is missing"),
        ("is missing", "pool.jsonl", "", "pool.jsonl: is missing"),
        ("is missing", "pool.jsonl", "Give another.", "pool.jsonl: is missing. Give another."),
        ("is it there?", "x", "Look.", "x: is it there? Look."),
    ],
)
def test_text(message: str, subject: str, advice: str, text: str) -> None:
    """Subject, message and advice in one line."""
    error = errors.S2RError(message, subject=subject, advice=advice)
    assert str(error) == text
    assert (error.message, error.subject, error.advice) == (message, subject, advice)
