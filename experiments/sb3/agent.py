"""A model that MaskablePPO has learned, as an agent: ``function:experiments.sb3.agent:load:runs/sb3/model.zip``."""

from typing import Any

from sb3_contrib import MaskablePPO

from agents.functions import FunctionAgent, Observation


def load(path: str) -> FunctionAgent:
    """The agent that plays the likeliest action of the model saved at ``path``."""
    model = MaskablePPO.load(path, device="cpu")

    def play(seen: Observation) -> Any:
        actions, _ = model.predict(seen["observation"], action_masks=seen["action_mask"], deterministic=True)
        return actions

    return FunctionAgent(f"sb3:{path}", play, batched=True)
