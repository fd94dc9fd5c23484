"""The order of steps for one listing, concurrency, resume, and the run's account of itself."""

from s2r.pipeline.run import Event, Phase, RunPlan, RunResult, run_audit

__all__ = ["Event", "Phase", "RunPlan", "RunResult", "run_audit"]
