#!/usr/bin/env bash
# Measure this machine and write speed.json and the tables of README.md. Wants quiet cores; takes a few minutes.
# Options go to `gouji bench`. After `make`, .venv/bin holds the commands that are used here.
set -euo pipefail
cd "$(dirname "$0")"
PATH="$(cd ../.. && pwd)/.venv/bin:$PATH"
gouji bench --vs-peers --json speed.json "$@"
python table.py
