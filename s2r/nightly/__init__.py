"""The nightly audit: only what changed or expired is paid for again, and what came of it is told."""
