# Targets set up their own .venv from the pinned requirements; nothing else is needed than Python 3.11+ with venv and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= out
# where a machine sets it, each of the many short processes compiles every module anew
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test proofs browser check eval bench fmt serve clean setup dev lock

$(VENV)/.setup: requirements.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv>=0.9,<1"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.setup requirements-dev.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.txt
	@touch $@

setup: $(VENV)/.setup

dev: $(VENV)/.dev

demo: $(VENV)/.setup  ## audit the embedded universe against its own pool: no key, no network
	@$(BIN)/s2r audit demo/universe.csv --pool demo/pool.jsonl --out $(OUT)/demo || \
	  { code=$$?; test $$code -eq 4 && echo "The demo holds one unreadable document on purpose: listed above, the run went on (exit code 4)."; }

test: $(VENV)/.dev  ## the whole test suite; twice as many workers as cores, since many tests wait for servers
	@$(BIN)/python -m pytest -n $$(( 2 * $$(nproc) )) --dist worksteal

proofs: $(VENV)/.dev  ## whole worlds with loopback models: hostile and late pages, gold answers, wrong days (minutes)
	@$(BIN)/python -m pytest -n auto --proofs -m proof -rA

browser: $(VENV)/.dev  ## the workbench in Debian's Chromium, with axe-core (npm)
	@$(BIN)/python -m pytest -m browser --proofs -rs

check: $(VENV)/.dev  ## format, lint, types, import layers, unit tests (of long tables every sixth row)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m pytest -n auto tests/unit -m "not slow"

eval: $(VENV)/.dev  ## accuracy on the gold sets against pinned floors
	@$(BIN)/python -m s2r.evaluate.sets --out $(OUT)/eval

bench: $(VENV)/.dev  ## speed and memory, as ratios in one run
	@$(BIN)/python -m s2r.evaluate.bench
	@$(BIN)/python -m s2r.evaluate.bench_events
	@$(BIN)/python -m s2r.reviews.measure
	@$(BIN)/python -m s2r.web.measure --no-export
	@$(BIN)/python -m benchmarks

fmt: $(VENV)/.dev
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

serve: $(VENV)/.setup  ## open the workbench over the demo run on loopback
	@test -f $(OUT)/demo/report.html || $(MAKE) demo
	@echo "The workbench over $(OUT)/demo: http://127.0.0.1:8765/ (Ctrl-C stops)"
	@$(BIN)/s2r serve --web-only --out $(OUT)/demo --policies policies

lock: $(VENV)/.setup  ## renew the pins (needs the package registry)
	@$(BIN)/uv pip compile --quiet --no-header --generate-hashes --universal --python-version 3.11 pyproject.toml --extra parquet -o requirements.txt
	@$(BIN)/uv pip compile --quiet --no-header --generate-hashes --universal --python-version 3.11 pyproject.toml --extra dev --extra parquet --extra duckdb --extra risk --extra dask -c requirements.txt -o requirements-dev.txt
	@$(BIN)/uv pip compile --quiet --no-header --generate-hashes --universal --python-version 3.11 pyproject.toml --extra local-llm -c requirements.txt -o requirements-local-llm.txt

clean:
	rm -rf $(VENV) $(OUT) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
