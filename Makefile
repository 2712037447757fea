# Abhidhan: `make help` lists the commands.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := src packages tests tools bench

.DEFAULT_GOAL := help
.PHONY: help install serve test check nightly all-tests format lint types contracts coverage fuzz bench eval docs golden screenshots release translations lock clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

install: .venv/installed ## Create .venv with the abhidhan command

serve: .venv/installed ## Serve the dictionary on http://127.0.0.1:8080
	@$(BIN)/abhidhan serve

test: .venv/installed-dev ## Run the tests that start no server, browser or other program (see check)
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "not thorough and not nightly"

check: lint types contracts all-tests ## Check format, lint, types and import contracts, and run all tests

nightly: .venv/installed-dev ## Run the longest tests: those of `make check` on PostgreSQL, and for every word instead of a sample
	@$(BIN)/python -m pytest -n auto --dist worksteal -m nightly

all-tests: .venv/installed-dev
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "not nightly"

format: .venv/installed-dev ## Format the code, and fix lint errors
	@$(BIN)/ruff format $(SOURCES)
	@$(BIN)/ruff check --fix $(SOURCES)

lint: .venv/installed-dev
	@$(BIN)/ruff format --check $(SOURCES)
	@$(BIN)/ruff check $(SOURCES)

types: .venv/installed-dev
	@$(BIN)/mypy

contracts: .venv/installed-dev
	@$(BIN)/lint-imports

coverage: .venv/installed-dev ## Measure the coverage of all tests, and check its minimum; takes half as long again as the tests
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "not nightly" --cov --cov-report=
	@$(BIN)/python -m coverage report

SECONDS := 600
fuzz: .venv/installed-dev ## Fuzz the API by its OpenAPI document, in every role (SECONDS=600, SEED=...)
	@$(BIN)/python -m tools.fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

bench: .venv/installed-dev ## Measure speed and memory, and print a table
	@$(BIN)/python -m bench.run

eval: .venv/installed-dev ## Measure the quality of look-ups of words, proverbs and typed text
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

golden: .venv/installed-dev ## Renew the golden answers of the tests; read the difference before you commit it
	@ABHIDHAN_WRITE_GOLDEN=1 $(BIN)/python -m pytest -n0 --quiet tests/contract/test_golden.py tests/contract/test_wire_names.py

screenshots: .venv/installed-dev ## Take screenshots of twenty pages, at two widths and in both themes (needs Chromium)
	$(BIN)/python -m tools.screenshots

# The tests of this rule leave the checks out.
RELEASE_CHECKS := check
release: .venv/installed-dev $(RELEASE_CHECKS) ## Check, build and try the packages of this version, and tag the commit
	@$(BIN)/python -m tools.release $(RELEASE_OPTIONS)

docs: .venv-docs/installed ## Build the documents as a site in build/docs
	@NO_MKDOCS_2_WARNING=1 .venv-docs/bin/python -m mkdocs build --strict

translations: .venv/installed-dev ## Update the message catalogues from the pages
	@$(BIN)/python -m tools.translations update

# --no-strip-extras: without "coverage[toml]==..." pip would install the newest version of a package requested with extras.
PIN := $(BIN)/uv pip compile --universal --no-strip-extras --generate-hashes --no-emit-index-url --no-header --no-annotate \
	--no-emit-package assamese --python-version 3.11 --quiet
lock: .venv/installed-dev ## Update the pinned packages, for all supported Pythons and platforms
	@$(PIN) pyproject.toml --group build --output-file requirements/run.lock
	@$(PIN) pyproject.toml --all-extras --group build --group dev --output-file requirements/dev.lock
	@$(PIN) pyproject.toml --all-extras --group build --constraint requirements/dev.lock \
		--output-file requirements/optional.lock
	@$(PIN) --group anki --output-file requirements/anki.lock
	@$(PIN) --group openapi --output-file requirements/openapi.lock
	@$(PIN) --group docs --output-file requirements/docs.lock

clean: ## Remove build outputs, but not the data folder var/
	@rm -rf .venv .venv-anki .venv-docs .venv-openapi build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*

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

# Anki (AGPL) opens our decks in a separate process and environment; .ci/run creates it.
.venv-anki/installed: .venv/bin/python requirements/anki.lock
	@echo "Installing Anki into .venv-anki ..."
	@$(PYTHON) -m venv --without-pip .venv-anki
	@$(BIN)/python -m pip --python .venv-anki/bin/python install --quiet --disable-pip-version-check \
		--require-hashes -r requirements/anki.lock
	@touch $@

# The site of the documents, which also checks their links; .ci/run creates this.
.venv-docs/installed: .venv/bin/python requirements/docs.lock
	@echo "Installing MkDocs into .venv-docs ..."
	@$(PYTHON) -m venv --without-pip .venv-docs
	@$(BIN)/python -m pip --python .venv-docs/bin/python install --quiet --disable-pip-version-check \
		--require-hashes -r requirements/docs.lock
	@touch $@

# Programs that read our OpenAPI document, the JavaScript ones installed by npm; .ci/run creates this. The variable must
# not be named OPENAPI_TOOLS: make would override the value that .ci/run exports to the tests.
OPENAPI_PROGRAMS := tests/openapi_tools
.venv-openapi/installed: .venv/bin/python requirements/openapi.lock $(wildcard $(OPENAPI_PROGRAMS)/*)
	@echo "Installing readers of OpenAPI into .venv-openapi ..."
	@$(PYTHON) -m venv --without-pip .venv-openapi
	@cp $(OPENAPI_PROGRAMS)/* .venv-openapi
	@npm ci --prefix .venv-openapi --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null & \
	$(BIN)/python -m pip --python .venv-openapi/bin/python install --quiet --disable-pip-version-check \
		--require-hashes -r requirements/openapi.lock && wait $$!
	@touch $@
