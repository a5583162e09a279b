"""What a training run tells: the log, TensorBoard, and a line on the screen."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text
from torch.utils.tensorboard import SummaryWriter

from agents.arena import DuelResult
from train.folder import RunFolder


class Report:
    """Writes every record to ``log.jsonl`` and TensorBoard; x is the iteration in both.

    Use it as a context manager. ``iteration`` is where a resumed run goes on; what was told of later ones is dropped.
    """

    def __init__(self, folder: RunFolder, console: Console, iteration: int = 0) -> None:
        self._folder = folder
        self._console = console
        folder.cut_log(iteration)
        self._curves = SummaryWriter(str(folder.tensorboard), purge_step=iteration + 1 if iteration else None)
        self._line = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> "Report":
        if self._console.is_terminal:
            self._line.start()
        return self

    def __exit__(self, *error: Any) -> None:
        self._line.stop()
        self._curves.close()

    def iteration(self, record: Mapping[str, float], share: float) -> None:
        """One iteration: its number under ``iteration``, and what was measured; ``share`` of the budget is used."""
        self._folder.log({"event": "iteration", **record})
        for name, value in record.items():
            if name != "iteration":
                self._curves.add_scalar(f"train/{name}", value, record["iteration"])
        self._show(
            f"iteration {record['iteration']:.0f}  {record['seconds']:.0f} s ({min(share, 1):.0%})  "
            f"{record['rows'] / 1e6:.2f} M rows, {record['rows_per_second']:,.0f}/s  entropy {record['entropy']:.2f}"
        )

    def evaluation(self, counters: Mapping[str, float], opponent: str, result: DuelResult) -> None:
        """One duel of the policy; ``counters`` say how far training was."""
        low, high = result.interval
        self._folder.log(
            {
                "event": "evaluation",
                **counters,
                "opponent": opponent,
                "points_per_deal": result.points_per_deal,
                "low": low,
                "high": high,
                "duel_deals": result.deals,
            }
        )
        self._curves.add_scalar(f"evaluation/{opponent}", result.points_per_deal, counters["iteration"])
        self._console.print(
            f"{counters['seconds']:6.0f} s  iteration {counters['iteration']:5.0f}  against {opponent}: "
            f"{result.points_per_deal:+.2f} points a deal ({low:+.2f} .. {high:+.2f})",
            highlight=False,
            soft_wrap=True,
        )

    def doing(self, text: str) -> None:
        """What goes on right now, where a screen is watched."""
        self._show(text)

    def _show(self, text: str) -> None:
        if self._line.is_started:
            self._line.update(Text(text), refresh=True)
