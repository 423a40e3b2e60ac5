# Everything runs in .venv, which the first use creates, and each change of pyproject.toml updates.
# Needs Python 3.11 or later, make, and a package index that pip can reach.

export PYTHON
# Tests start hundreds of processes, each of which would compile all of rulekit's modules again.
unexport PYTHONDONTWRITEBYTECODE

GAME ?= vitp
SEED ?= 7
MINUTES ?= 5
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help play test slow fuzz lint types docs bench check clean

help:  ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 16

play: $(READY)  ## play a random game; write its log and reference sheets to build/
	@mkdir -p build && $(BIN)/rulekit play $(GAME) --agents random --seed $(SEED) --log build/$(GAME).jsonl
	@$(BIN)/rulekit sheet $(GAME) -o build/$(GAME).pdf && $(BIN)/rulekit sheet $(GAME) -o build/$(GAME).html
	@echo "log: build/$(GAME).jsonl; reference sheets: build/$(GAME).pdf, build/$(GAME).html" >&2

test: $(READY)  ## run the quick tests
	$(BIN)/python -m pytest -n auto --dist worksteal

slow: $(READY)  ## run the long tests: thousands of games, deep searches, builds of the package
	$(BIN)/python -m pytest -n auto --dist worksteal -m slow --durations=20

fuzz: $(READY)  ## run random inputs for MINUTES=5; keep what fails in tests/fuzz/corpus/
	@$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

lint: $(READY)  ## run ruff
	$(BIN)/ruff check .

types: $(READY)  ## run mypy in strict mode
	$(BIN)/mypy

docs: $(READY)  ## build the documentation into site/; any warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir site

bench: $(READY)  ## run the benchmarks, which print ratios
	@$(BIN)/python -m benchmarks

check: $(READY)  ## check every rule set
	@set -e; for set in rules/*/; do echo "== $$set"; $(BIN)/rulekit check "$$set"; done

clean:  ## remove everything that make has created
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml .ci/find-python
	python=$$(sh .ci/find-python) && "$$python" -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
