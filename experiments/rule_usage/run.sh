#!/usr/bin/env bash
# Count the uses of each rule and write the tables of README.md and docs/rules.md. One core, less than a minute.
set -euo pipefail
cd "$(dirname "$0")"
PATH="$(cd ../.. && pwd)/.venv/bin:$PATH"
python run.py "$@"
python table.py
