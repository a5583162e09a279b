#!/usr/bin/env bash
# All baselines under all presets, `search` against the others, and what cards and seats are worth; then the tables and
# pictures of README.md. Wants quiet cores, because `search` thinks by the clock. What is played already is not played
# again: delete the RUNS folder to start afresh. After `make`, .venv/bin holds the commands that are used here.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH="$PWD/.venv/bin:$PATH"
here=experiments/baselines
runs=${RUNS:-runs}
gouji tournament $here/tournament.yaml --out "$runs/baselines"
gouji tournament $here/search.yaml --out "$runs/search"
gouji tournament $here/search_others.yaml --out "$runs/search-others"
python $here/worth.py
python $here/page.py "$runs/baselines" "$runs/search" "$runs/search-others"
