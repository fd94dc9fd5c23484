"""The conformance suite over every wire format and schema dialect of models."""

from __future__ import annotations

import asyncio

import pytest

from s2r.testing.model_conformance import MODEL_CHECKS, ModelCheck
from s2r.testing.model_trial import SPECS, ModelSpec


@pytest.mark.parametrize("check", MODEL_CHECKS, ids=lambda check: check.name)
@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.label)
def test_every_wire_format_keeps_every_check(spec: ModelSpec, check: ModelCheck) -> None:
    """The conformance suite, one check and wire format at a time."""
    asyncio.run(check.run(spec))
