#!/usr/bin/env bash
# The demo behind `make demo`: train from nothing, measure on fresh deals, draw the learning curve.
#
#   bash experiments/demo/run.sh FOLDER [options of `gouji train`]
#
# A folder that holds an earlier run is gone on with, so nothing is lost: an interrupted run is finished, a finished
# one is measured and drawn again. DEALS is the number of deals that the result is measured on.
set -euo pipefail
run=$1
shift

if [ -e "$run/config.yaml" ]; then
    echo "== $run holds an earlier run: going on with it. A fresh one: make demo RUN=another/folder"
    gouji train --resume "$run"
else
    echo "== Training from nothing, into $run. Ctrl-C keeps what was learned; make demo then goes on."
    gouji train configs/train/demo.yaml --out "$run" "$@"
fi

echo "== Measuring the trained policy on ${DEALS:=1000} deals that it has never seen"
for opponent in random greedy; do
    gouji evaluate "checkpoint:$run" "$opponent" --deals "$DEALS" --seed 1 --json "$run/against_$opponent.json"
done
python -m train.plot "$run"

cat <<END

== Where everything is
  $run/curve.png              the learning curve
  $run/against_random.json    the result against the random bot, of the table above
  $run/against_greedy.json    and against the greedy bot
  $run/checkpoints/           the policy; it plays wherever an agent is named: checkpoint:$run
  $run/log.jsonl              everything that was measured on the way
  $run/tensorboard/           the same as curves: .venv/bin/tensorboard --logdir $run
  Go on with: .venv/bin/gouji evaluate checkpoint:$run greedy, .venv/bin/gouji bench, README.md
END
