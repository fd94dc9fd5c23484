"""Imported once by the process that workers are forked from: what every worker needs is loaded once, and its memory is shared by all."""

from __future__ import annotations

import gc

import htmldate  # noqa: F401 - extraction imports both where it uses them, so that no command waits for them
import trafilatura  # noqa: F401

import s2r.pipeline.judge
import s2r.pipeline.settle  # noqa: F401
from s2r.light import collect_seldom

gc.collect()
collect_seldom()  # a collector that looks at shared memory writes into it, and makes it each worker's own
