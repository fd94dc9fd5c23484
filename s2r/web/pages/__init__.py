"""HTML pages of the reviewer workbench."""

from __future__ import annotations

from fastapi import APIRouter

from s2r.web.pages import decide, evidence, home, log, queue, row, settings, tables

router = APIRouter(include_in_schema=False)
for _module in (home, queue, row, decide, evidence, log, settings, tables):
    router.include_router(_module.router)
