#!/usr/bin/env bash
# The statistics of the arena put to the test: figures, pictures, tables of README.md and docs/measuring.md.
set -euo pipefail
cd "$(dirname "$0")"
PATH="$(cd ../.. && pwd)/.venv/bin:$PATH"
python same_agent.py
python duplicate_variance.py
python operating_curve.py
python results_page.py
