# make demo   install, train from nothing by self-play, measure against the rule bots, draw the curve
# make test   install, run all tests
# make lint   install, check style and types
# make bench  install, measure the speed of this machine
# Everything is installed into .venv; to start afresh delete that folder.

PYTHON ?= python3
RUN ?= runs/demo
BIN := .venv/bin
READY := .venv/ready

.PHONY: demo test lint bench

demo: $(READY)
	PATH="$(CURDIR)/$(BIN):$$PATH" bash experiments/demo/run.sh $(RUN)

test: $(READY)
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/gouji bench --vs-peers

# Torch goes first and alone: pip then takes the build that this machine's own pip settings prefer (with
# or without CUDA), and the second step keeps it.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
		{ echo "Gouji needs Python 3.11 to 3.13; name one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet $$(grep '^torch==' constraints.txt)
	$(BIN)/pip install --quiet -c constraints.txt -e '.[train,arena,sb3,dev]'
	touch $@
