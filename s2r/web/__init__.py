"""The web side of the service: REST and pages, one FastAPI application; loaded by `s2r serve` only."""
