"""The agent that knows nothing: each staged legal action is equally likely."""

from agents.protocol import BatchAgent, Index, Rows, StagedActions, Streams
from gouji_env.engine import random_rows


class RandomAgent(BatchAgent):
    """Uniform over the legal staged actions: first over SELECT (or pass and the like), then over COMPOSE."""

    name = "random"

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        random_rows(rows, index, streams, out)
