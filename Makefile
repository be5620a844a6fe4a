# make demo   the flagship question, answered: installs, plays, writes the report
# make site   pages that play, for each game, and the manuals: a folder to open in a browser (about five minutes)
# make test   the everyday tests (also: lint, docs, wheel, test-rest, test-all, proofs, torture, bench; .ci/run is what a change must pass)
PYTHON ?= python3
BIN := .venv/bin
DEMO := runs/demo
# Python compiles what it imports, once (most of what is installed never is): tests start simkit often.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt

.PHONY: install demo torture test test-rest test-browser test-all proofs lint stubs docs site wheel bench clean

install: .venv/installed

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "simkit needs Python 3.11 or later; say: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv .venv
	$(INSTALL) --upgrade pip || echo "going on with the pip of $(PYTHON)"  # that of Python 3.11 takes twice as long

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	$(INSTALL) -e .
	@touch $@

.venv/installed-docs: .venv/bin/python pyproject.toml constraints.txt
	$(INSTALL) -e '.[docs]'
	@touch .venv/installed $@

.venv/installed-dev: .venv/bin/python pyproject.toml constraints.txt
	$(INSTALL) -e '.[dev]'
	@touch .venv/installed $@

.venv/installed-rest: .venv/bin/python pyproject.toml constraints.txt
	$(INSTALL) -e '.[dev-rest]'
	@touch .venv/installed .venv/installed-docs .venv/installed-dev $@

demo: .venv/installed
	rm -rf $(DEMO)
	$(BIN)/simkit run experiments/outpost_seven_opening.toml -o $(DEMO) --page

# With bounds checks everywhere, rules are compiled once for the kernel and for those who step through games.
test test-rest proofs: export NUMBA_BOUNDSCHECK = 1
test: .venv/installed-dev
	$(BIN)/python tests/warm.py
	$(BIN)/python -m pytest -q -n 2 --dist worksteal

test-rest: .venv/installed-rest
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m 'browser or slow'

# All proofs, also those that hold, in place of those that changes wake (tests/proofs.py).
proofs: .venv/installed-rest
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m proof --all-proofs

test-browser: .venv/installed-rest
	$(BIN)/python -m pytest -q -m browser

test-all: test test-rest

torture: .venv/installed-dev
	$(BIN)/python tests/torture.py

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# The lines of the stub, and tables of the manuals, that are made of the declarations of questions.
stubs: .venv/installed-dev
	$(BIN)/python -m tests.declarations --write

wheel: .venv/installed-rest
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*

SPHINX := $(BIN)/python -m sphinx -q -W --keep-going -c docs -d docs/made/.doctrees
docs: .venv/installed-docs
	$(SPHINX) . site
	@echo "open site/docs/index.html"

# Nothing in the folder asks a server for anything, so it can be opened from disk, handed on or published as it is.
site: .venv/installed-docs
	rm -rf site runs/site
	$(BIN)/python docs/live_pages.py site
	$(SPHINX) . site
	@echo "open site/index.html"

# make bench REF=v1.0: speeds as ratios to an earlier revision
REF ?= HEAD~1
bench: .venv/installed
	$(BIN)/simkit bench --against $(REF) --seconds 0.2

clean:
	rm -rf .venv runs build dist site *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
