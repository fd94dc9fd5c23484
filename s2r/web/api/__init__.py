"""REST: one file per subject, each with a `router`; all of them are served below /api/v1."""
