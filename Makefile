# Two commands matter: `make serve` and `make test`. The rest is what they stand on.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
BUILT := build/.built
SOURCES := $(shell find ext -name '*.pyx' -o -name '*.pxd' -o -name '*.h')

.PHONY: serve test build check clean

serve: $(BUILT)  ## start a node with an index of text to try things on
	$(BIN)/lanner demo

test: $(BUILT)  ## run all tests
	$(BIN)/python -m pytest

check: $(BUILT)  ## formatting, lint, types, layering
	ci/check

build: $(BUILT)

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip 'setuptools>=77' 'cython>=3.2,<4'
	touch $@

$(BUILT): $(STAMP) setup.py $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e '.[test,lint]'
	mkdir -p build && touch $@

clean:
	rm -rf build dist *.egg-info
	find ext -name '*.so' -delete
