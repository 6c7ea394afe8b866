# Everything happens in .venv; `make` alone lists what there is to do.
# Extra words go through ARGS:  make play ARGS="--help"    make test ARGS="-k notation"

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -qq
WORKERS ?= 2
ARGS ?=

# What is done already: a stamp is older than what it depends on when there is something to do again.
CREATED := $(VENV)/.created
INSTALLED := $(VENV)/.installed
WARMED := $(VENV)/.warmed
TEST_HOME := $(CURDIR)/.pytest_cache/home
TEST_WARMED := $(TEST_HOME)/.warmed
DEVELOPED := $(VENV)/.developed
BUNDLED := $(VENV)/.bundled
CLIENT_CHECKED := $(VENV)/.client-checked

PACKAGING := pyproject.toml constraints.txt
COMPILED := $(shell find $(addprefix src/rowlock/,rules fast solver networks bots) -name '*.py' 2>/dev/null)
CLIENT := $(shell find web src/rowlock/locale -type f -not -path 'web/node_modules/*' -not -name '*.py[co]' 2>/dev/null)
PYTHONS := python3 python3.14 python3.13 python3.12 python3.11 python
CHROMIUMS := chromium chromium-browser google-chrome google-chrome-stable
FIREFOXES := firefox-esr firefox

# Whatever the environment says: without bytecode on disk every process of the tests compiles all sources again.
unexport PYTHONDONTWRITEBYTECODE

QUICK := not (browser or crash or cluster or postgres or bounds or site or slow)
heading = @printf '\n== %s\n' '$(1)'

# More workers than cores: some tests mostly wait, the quick ones more than those with a browser.
PYTEST := $(BIN)/python -m pytest -n $$(($(WORKERS) + 1))
QUICK_PYTEST := ROWLOCK_QUICK=1 $(BIN)/python -m pytest -n $$(($(WORKERS) + 2))

# After an hour pytest is interrupted and says how far it came.
SOAK := ROWLOCK_SOAK=1 timeout --foreground --signal=INT --kill-after=60 60m

# One process, which prints what it measures.
define soak
	$(call heading,soak: pytest $(1))
	@$(SOAK) $(BIN)/python -m pytest --timeout=3600 -s -v $(1) $(ARGS)
endef

# Two at a time, one for each core; what each of them prints comes in one piece.
TOGETHER := $(MAKE) --no-print-directory --jobs=2 PARALLEL=yes $(if $(filter output-sync,$(.FEATURES)),--output-sync)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
ifneq ($(PARALLEL),yes)
.NOTPARALLEL:
endif
.PHONY: help install play check test soak soak-kills soak-postgres soak-hostile soak-reviews soak-rest ready lint static svelte vitest chromium firefox nginx format bench golden docs clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(WARMED) $(BUNDLED)  ## prepare .venv with the rowlock command in it
	@echo 'ready: $(BIN)/rowlock'

play: $(WARMED) $(BUNDLED)  ## install what is missing, then play in the browser
	@$(BIN)/rowlock $(ARGS)

check: $(DEVELOPED) $(BUNDLED)  ## while you work: static checks and the quick tests, in two minutes
	@$(TOGETHER) ready
	$(call heading,pytest without what needs a browser or a database server)
	@$(QUICK_PYTEST) -q -m '$(QUICK)' $(ARGS)

test: $(DEVELOPED) $(BUNDLED) chromium firefox nginx  ## all checks and all tests, as in CI
	@$(TOGETHER) ready
	$(call heading,pytest)
	@$(PYTEST) $(ARGS)

soak: soak-kills soak-postgres soak-hostile soak-reviews soak-rest  ## the long versions of the tests; every part, soak-kills for example, takes an hour at most

# 500 kills of a server with SQLite.
soak-kills: $(TEST_WARMED) $(BUNDLED)
	$(call soak,-m crash tests/server/test_crash.py)

# 500 kills of two servers that share a PostgreSQL database, and 500 of the workers of one.
soak-postgres: $(TEST_WARMED) $(BUNDLED)
	$(call soak,-k kill_9 tests/server/test_postgres.py)

# 1,000,000 malformed and hostile messages, frames and requests.
soak-hostile: $(TEST_WARMED) $(BUNDLED)
	$(call soak,-m hostile tests/server/test_hostile.py)

# The laws of reviews: 1,000 games of every variant and number of players.
soak-reviews: $(TEST_WARMED)
	$(call heading,soak: reviews)
	@$(SOAK) $(PYTEST) --timeout=3600 --dist load tests/test_review.py $(ARGS)

# Laws, fuzzing and all other tests.
soak-rest: $(TEST_WARMED) $(BUNDLED) chromium firefox nginx
	$(call heading,soak)
	@$(SOAK) $(PYTEST) --timeout=3600 -m 'not (crash or hostile)' --deselect tests/server/test_postgres.py::test_kill_9 --ignore tests/test_review.py $(ARGS)

ready: static $(TEST_WARMED) $(CLIENT_CHECKED)

lint: static svelte  ## static checks only: ruff, mypy, import-linter, svelte-check

static: $(DEVELOPED)
	$(call heading,ruff check)
	@$(BIN)/ruff check
	$(call heading,ruff format)
	@$(BIN)/ruff format --check
	$(call heading,mypy)
	@$(BIN)/mypy
	$(call heading,import-linter)
	@$(BIN)/lint-imports --no-logo

svelte: $(DEVELOPED) $(BUNDLED)
	$(call heading,svelte-check)
	@test -d web/node_modules || $(BIN)/python web/bundle.py ci
	@$(BIN)/python web/bundle.py run check

vitest: $(DEVELOPED) $(BUNDLED)  ## unit tests of the client only
	$(call heading,vitest)
	@test -d web/node_modules || $(BIN)/python web/bundle.py ci
	@$(BIN)/python web/bundle.py test

# Both look at nothing but the client's sources: nothing to do again while these stay as they are.
$(CLIENT_CHECKED): $(DEVELOPED) $(BUNDLED) $(CLIENT)
	@$(MAKE) --no-print-directory svelte vitest
	@touch $@

# The browser tests use the system's Chromium; where it is missing and may be installed, it is.
chromium:
	@if [ -z "$$ROWLOCK_CHROMIUM" ] && [ -z "$$(for name in $(CHROMIUMS); do command -v $$name; done)" ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo 'installing Chromium ...'; \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null; \
	  else \
	    echo 'the browser tests need Chromium: apt install chromium, or name it in ROWLOCK_CHROMIUM' >&2; exit 1; \
	  fi; \
	fi

# One module tests in Firefox, too; it is skipped where Firefox is missing and cannot be installed.
firefox:
	@if [ -z "$$ROWLOCK_FIREFOX" ] && [ -z "$$(for name in $(FIREFOXES); do command -v $$name; done)" ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo 'installing Firefox ...'; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y firefox-esr >/dev/null; } || true; \
	  fi; \
	fi

# One module tests behind nginx; it is skipped where nginx is missing and cannot be installed.
nginx:
	@if [ -z "$$(command -v nginx || command -v /usr/sbin/nginx)" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo 'installing nginx ...'; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y nginx-light openssl >/dev/null; } || true; \
	fi

format: $(DEVELOPED)  ## let ruff format the code and mend what it can
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format

bench: $(DEVELOPED) $(WARMED)  ## measure speed
	@$(BIN)/python -m benchmarks $(ARGS)

golden: $(DEVELOPED)  ## write the golden playthroughs anew; read the diff before you commit it
	@$(BIN)/python -m tests.golden $(ARGS)

docs: $(DEVELOPED)  ## build the documentation site into site/; broken links are errors
	@$(BIN)/python -m tests.reference_pages
	@$(BIN)/python -m zensical build --strict --clean

clean:  ## remove .venv, caches and build output
	rm -rf $(VENV) web/node_modules src/rowlock/server/static build dist site .cache htmlcov .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(CREATED):
	@python=; for name in $(or $(PYTHON),$(PYTHONS)); do \
	  if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$$name; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo 'rowlock needs Python 3.11 or newer; found none (name one with: make PYTHON=/path/to/python3)' >&2; exit 1; \
	fi; \
	if ! $$python -c 'import ensurepip, venv' 2>/dev/null; then \
	  echo "rowlock needs the venv module of $$python (Debian, Ubuntu: apt install python3-venv)" >&2; exit 1; \
	fi; \
	echo 'creating .venv ...'; $$python -m venv $(VENV)
	@touch $@

$(INSTALLED): $(CREATED) $(PACKAGING)
	@echo 'installing rowlock into .venv, half a minute the first time ...'
	@$(PIP) install -c constraints.txt -e .
	@touch $@ $(BUNDLED)

$(BUNDLED): $(INSTALLED) $(CLIENT)
	@echo 'building the client ...'
	@$(PIP) install --no-deps -e .
	@touch $@

# With all the rest, as once is faster than one after the other; bytecode is written for what is imported only.
$(DEVELOPED): $(CREATED) $(PACKAGING)
	@echo 'installing rowlock and the test tools into .venv, a minute the first time ...'
	@$(PIP) install --no-compile -c constraints.txt -e '.[dev,docs]'
	@touch $(INSTALLED) $(BUNDLED) $@

$(WARMED): $(INSTALLED) $(COMPILED)
	@echo 'compiling the rules ...'
	@$(BIN)/rowlock warm
	@touch $@

# Tests keep compiled code of their own; compiled here, no two workers compile the same.
$(TEST_WARMED): $(DEVELOPED) $(COMPILED)
	@echo 'compiling the rules for the tests ...'
	@mkdir -p $(TEST_HOME)
	@ROWLOCK_HOME=$(TEST_HOME) $(BIN)/rowlock warm
	@touch $@
