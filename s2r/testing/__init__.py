"""A loopback world of search services, web sites and model services, part of the product: for its tests, its benchmarks and your own tests.

Nothing in it leaves 127.0.0.1. See docs/testing.md.
"""

from s2r.testing.faults import BROKEN, FAULTS, HARMLESS, SLOWER, SPENT, STALLED, Fault, fault
from s2r.testing.models import ModelWorld
from s2r.testing.modelsaid import Cite, Heard, Said, Tokens
from s2r.testing.server import Answer, Seen, html_answer, json_answer
from s2r.testing.services import SERVICES, Asked, Found, Service
from s2r.testing.webarchive import KeptWeb
from s2r.testing.world import World

__all__ = [
    "BROKEN",
    "FAULTS",
    "HARMLESS",
    "SERVICES",
    "SLOWER",
    "SPENT",
    "STALLED",
    "Answer",
    "Asked",
    "Cite",
    "Fault",
    "Found",
    "Heard",
    "KeptWeb",
    "ModelWorld",
    "Said",
    "Seen",
    "Service",
    "Tokens",
    "World",
    "fault",
    "html_answer",
    "json_answer",
]
