# Abhidhan: `make help` lists what there is to do.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := src packages tests tools bench

.DEFAULT_GOAL := help
.PHONY: help install serve test check nightly all-tests format lint types contracts coverage fuzz bench eval translations lock clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

install: .venv/installed ## Make .venv with the abhidhan command

serve: .venv/installed ## Serve the dictionary on http://127.0.0.1:8080
	@$(BIN)/abhidhan serve

test: .venv/installed-dev ## Run the tests; those that repeat others on PostgreSQL or in a matrix: make check
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "not thorough and not nightly"

check: lint types contracts all-tests ## Format, lint, types, import contracts, all tests

nightly: .venv/installed-dev ## Run the longest tests: on PostgreSQL, and for every word, what `make check` shows on SQLite and for a sample
	@$(BIN)/python -m pytest -n auto --dist worksteal -m nightly

all-tests: .venv/installed-dev
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "not nightly"

format: .venv/installed-dev ## Put the code into its form
	@$(BIN)/ruff format $(SOURCES)
	@$(BIN)/ruff check --fix $(SOURCES)

lint: .venv/installed-dev
	@$(BIN)/ruff format --check $(SOURCES)
	@$(BIN)/ruff check $(SOURCES)

types: .venv/installed-dev
	@$(BIN)/mypy

contracts: .venv/installed-dev
	@$(BIN)/lint-imports

coverage: .venv/installed-dev ## Measure what the tests cover, and hold it to the floor; half as slow again as the tests alone
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "not thorough and not nightly" --cov --cov-report=
	@$(BIN)/python -m coverage report

SECONDS := 600
fuzz: .venv/installed-dev ## Ask the API whatever it describes, as people of every kind (SECONDS=600, SEED=...)
	@$(BIN)/python -m tools.fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

bench: .venv/installed-dev ## Measure speed and memory, and print a table
	@$(BIN)/python -m bench.run

eval: .venv/installed-dev ## Measure how well words, proverbs and typing are understood
	@$(BIN)/python -m tools.evaluate
	@echo; $(BIN)/python -m tools.evaluate_misspelled
	@echo; $(BIN)/python -m tools.evaluate_everyday
	@echo; $(BIN)/python -m tools.evaluate_analysis
	@if [ -n "$$ABHIDHAN_SHARED_DATA" ]; then $(BIN)/python -m tools.evaluate_transliteration "$$ABHIDHAN_SHARED_DATA"; \
	else echo; echo "Left out: the pairs of Aksharantar and IE-CoR (ABHIDHAN_SHARED_DATA names their folder)."; fi
	@if [ -n "$$ABHIDHAN_SHARED_DATA" ]; then $(BIN)/python -m tools.coverage "$$ABHIDHAN_SHARED_DATA"; \
	else echo; echo "Left out: how much of newspapers is covered (ABHIDHAN_SHARED_DATA)."; fi
	@$(BIN)/python -m tools.evaluate_ranking $${ABHIDHAN_SHARED_DATA:+"$$ABHIDHAN_SHARED_DATA"}
	@echo; $(BIN)/python -m tools.evaluate_pronunciation $${ABHIDHAN_SHARED_DATA:+"$$ABHIDHAN_SHARED_DATA"}

translations: .venv/installed-dev ## Bring the catalogues of the interface up to date with the pages
	@$(BIN)/python -m tools.translations update

# Extras stay in the names ("coverage[toml]==..."): pip takes the newest version of a name that is not pinned as it is asked.
PIN := uv pip compile --universal --no-strip-extras --generate-hashes --no-emit-index-url --no-header --no-annotate \
	--no-emit-package assamese --python-version 3.11 --quiet
lock: ## Pin every package anew, for all supported Pythons and platforms (needs uv)
	@$(PIN) pyproject.toml --group build --output-file requirements/run.lock
	@$(PIN) pyproject.toml --all-extras --group build --group dev --output-file requirements/dev.lock
	@$(PIN) pyproject.toml --all-extras --group build --constraint requirements/dev.lock \
		--output-file requirements/optional.lock
	@$(PIN) --group anki --output-file requirements/anki.lock
	@$(PIN) --group openapi --output-file requirements/openapi.lock

clean: ## Remove what was built; the data folder var/ stays
	@rm -rf .venv .venv-anki .venv-openapi .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Abhidhan needs Python 3.11 or newer.")'
	@$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python requirements/run.lock pyproject.toml packages/assamese/pyproject.toml
	@echo "Installing Abhidhan into .venv (about a minute) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
		--editable packages/assamese --editable .
	@touch $@

.venv/installed-dev: .venv/installed requirements/dev.lock
	@echo "Installing the tools for tests and checks ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	@touch $@

# Anki opens our decks in a process of its own (AGPL), so not in .venv; .ci/run makes this.
.venv-anki/installed: .venv/bin/python requirements/anki.lock
	@echo "Installing Anki into .venv-anki ..."
	@$(PYTHON) -m venv --without-pip .venv-anki
	@$(BIN)/python -m pip --python .venv-anki/bin/python install --quiet --disable-pip-version-check \
		--require-hashes -r requirements/anki.lock
	@touch $@

# Programs that read our OpenAPI document, those of JavaScript with npm; .ci/run makes this. Make would hand a variable
# named OPENAPI_TOOLS on to the tests in place of the one that .ci/run exports.
OPENAPI_PROGRAMS := tests/openapi_tools
.venv-openapi/installed: .venv/bin/python requirements/openapi.lock $(wildcard $(OPENAPI_PROGRAMS)/*)
	@echo "Installing readers of OpenAPI into .venv-openapi ..."
	@$(PYTHON) -m venv --without-pip .venv-openapi
	@cp $(OPENAPI_PROGRAMS)/* .venv-openapi
	@npm ci --prefix .venv-openapi --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null & \
	$(BIN)/python -m pip --python .venv-openapi/bin/python install --quiet --disable-pip-version-check \
		--require-hashes -r requirements/openapi.lock && wait $$!
	@touch $@
