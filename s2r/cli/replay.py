"""`s2r replay`: read again what models said in a run, without a call."""

from __future__ import annotations

from pathlib import Path

import click

from s2r.cli.common import EXIT_GATE, EXIT_OK, emit, read_settings, stderr, stdout
from s2r.job.replay import replay_run
from s2r.policy import policy_root


@click.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per difference on stdout; everything human goes to stderr.")
def replay(run: Path, policies: Path | None, as_json: bool) -> int:
    """Parse every answer of a model in RUN again from its archived exchange, show it its evidence as archived, and verify it; no call is
    made. Exit 3 when anything comes out otherwise than recorded."""
    done = replay_run(run, policy_root(read_settings(policies=policies)))
    for one in done.differences:
        if as_json:
            emit({"row_id": one.row_id, "judge": one.judge, "problem": one.problem})
        else:
            stdout().print(f"DIFFERENT {one.row_id}{f' {one.judge}' if one.judge else ''}: {one.problem}.")
    line = f"{done.opinions} answers of {done.records} records read again: {len(done.differences)} differences."
    (stderr() if as_json else stdout()).print(line)
    return EXIT_GATE if done.differences else EXIT_OK
