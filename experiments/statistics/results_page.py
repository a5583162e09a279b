"""Write the figures of the three studies as the tables of README.md and docs/measuring.md."""

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGES = (HERE / "README.md", HERE.parent.parent / "docs" / "measuring.md")
REGION = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end of measured -->)", re.DOTALL)


def same_agent() -> str:
    rows = [
        (row["agent"], row["duels"], row["deals"], f"±{row['half_width']:.2f}", row["holding"], share(row))
        for row in read("same_agent")
    ]
    return table("agent | duels | deals of each | interval, on average | hold 0 | share", "lrrrrr", rows)


def share(row: dict[str, Any]) -> str:
    return f"{100 * row['holding'] / row['duels']:.1f} %"


def duplicate_variance() -> str:
    rows = [
        (
            row["rules"],
            f"{row['a']} against {row['b']}",
            f"{row['points']:+.2f}",
            f"{row['sd_half']:.2f}",
            f"{row['sd_deal']:.2f}",
            f"{row['ratio']:.2f} ({row['ratio_low']:.2f}..{row['ratio_high']:.2f})",
            *(f"{row['deals_needed'][width]:,}" for width in ("0.5", "0.2", "0.1")),
        )
        for row in read("duplicate_variance")
    ]
    head = "rules | agents | points per deal | sd of a half | sd of a deal | ratio | ±0.5 | ±0.2 | ±0.1"
    return table(head, "llrrrrrrr", rows)


def operating_curve() -> str:
    content = read("operating_curve")
    rows = []
    for name, curve in content["curves"].items():
        for mean in (-0.2, 0.0, 0.1, 0.2, 0.4):
            at = curve["means"].index(mean)
            shares = (f"{100 * curve[end][at]:.1f} %" for end in ("better", "not_better"))
            rows.append((name, f"{mean:+.1f}", *shares, f"{curve['deals'][at]:,.0f}", f"{curve['deals_fixed']:,}"))
    head = "halves of a deal | true points a deal | better | not better | mean deals | fixed number"
    return table(head, "lrrrrr", rows)


def table(head: str, alignment: str, rows: list[tuple[Any, ...]]) -> str:
    rule = "".join(f" {'---:' if side == 'r' else '---'} |" for side in alignment)
    return "\n".join([f"| {head} |", f"|{rule}", *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def read(study: str) -> Any:
    return json.loads((HERE / f"{study}.json").read_text(encoding="utf-8"))


TABLES = {study.__name__: study for study in (same_agent, duplicate_variance, operating_curve)}


def main() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(
            REGION.sub(lambda match: f"{match[1]}\n{TABLES[match[2]]()}\n\n{match[3]}", text), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
