"""RuleSet: which Gouji is played. One field for each switch of docs/rules.md section 9.

A rule set is a frozen, validated, hashable value. Presets are read from ``rulesets/*.yaml``; a file of
your own names a preset to start from and the switches that differ::

    preset: classic
    yield: any

In Python the switches ``pass``, ``yield`` and ``return`` carry an underscore at the end.
"""

import hashlib
import json
from difflib import get_close_matches
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from gouji_env.cards import JOKER_COPIES, RANK_COPIES

PRESETS = ("classic", "yang2004", "qingdao", "biesan", "kaidian", "tv_biesan")

FirstLead = Literal["rotate", "threes", "fours", "random"]
LaterLead = Literal["rotate", "threes", "fours", "last_place", "random"]
Buying = Literal["off", "enemy_first", "partner_first"]


class RuleError(ValueError):
    """A rule set that does not exist, contradicts itself or cannot be read; the message names the switch."""


class Deck(BaseModel):
    """Four packs, or four packs with only some of the 3s and 4s kept (section 8.1)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    threes: int = Field(RANK_COPIES, ge=0, le=RANK_COPIES)
    fours: int = Field(RANK_COPIES, ge=0, le=RANK_COPIES)

    def counts(self) -> tuple[int, ...]:
        """Copies of each of the 15 card kinds, low to high."""
        return (self.threes, self.fours) + (RANK_COPIES,) * 11 + (JOKER_COPIES,) * 2

    def size(self) -> int:
        return sum(self.counts())


class RuleSet(BaseModel):
    """The switches of docs/rules.md section 9. Make one with ``preset`` and ``replace``, or with ``load``."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    deck: Deck = Deck()
    first_lead: FirstLead
    first_lead_later: LaterLead
    hung_twos: bool
    gouji_twos: Literal[1, 2]
    burn_order: Literal["fed_first", "seat_first", "seat_around"]
    burn_after_open: bool
    counter_burn: bool
    fail_keeps_head: bool
    pass_: Literal["opp_last", "strict"] = Field(alias="pass")
    yield_: Literal["none", "any", "nongouji"] = Field(alias="yield")
    siji: Literal["any", "gouji", "off"]
    choke: bool
    choke_keeps_head: bool = True
    open_four: bool
    four_fate: Literal["throw", "play"] = "throw"
    buy3: Buying
    buy4: Buying
    revolution: bool
    revolution_rights: int = Field(3, ge=0, le=36)
    renounce: bool = False
    partner_view: Literal["none", "le10"]
    tribute: Literal["off", "last_places", "full"]
    return_: Literal["none", "same"] = Field("same", alias="return")
    tribute_natural: bool = False
    exempt: bool = False
    record: Literal["signed", "positive_only"]
    end: Literal["one", "side"]

    @field_validator("deck", mode="before")
    @classmethod
    def _whole_deck(cls, value: Any) -> Any:
        return Deck() if value == Deck().size() and not isinstance(value, bool) else value

    @field_validator("siji", "buy3", "buy4", "tribute", mode="before")
    @classmethod
    def _off_in_yaml(cls, value: Any) -> Any:
        return "off" if value is False else value  # YAML reads an off without quotes as a boolean

    @field_validator("first_lead", mode="before")
    @classmethod
    def _no_last_place_yet(cls, value: Any) -> Any:
        if value == "last_place":
            raise ValueError("last_place needs an earlier deal; it is a value of first_lead_later only")
        return value

    @model_validator(mode="after")
    def _switches_agree(self) -> Self:
        pairs = (
            (self.open_four and not self.deck.fours, "open_four: the deck keeps no 4s; keep some, or switch it off"),
            (self.choke and not self.deck.threes, "choke: the deck keeps no 3s; keep some, or switch it off"),
            (self.buy3 != "off" and not self.deck.threes, "buy3: the deck keeps no 3s; keep some, or set it to off"),
            (self.buy4 != "off" and not self.deck.fours, "buy4: the deck keeps no 4s; keep some, or set it to off"),
        )
        for wrong, message in pairs:
            if wrong:
                raise ValueError(message)
        return self

    @classmethod
    def preset(cls, name: str) -> "RuleSet":
        """One of PRESETS by name. Raises RuleError for an unknown name."""
        return _preset(str(name))

    @classmethod
    def load(cls, source: str | Path) -> "RuleSet":
        """A preset by name, or a YAML file: ``preset: NAME`` and the switches that differ from it."""
        if str(source) in PRESETS:
            return cls.preset(str(source))
        path = Path(source)
        if not path.is_file():
            raise RuleError(f"{source}: neither a rule file nor a preset; presets are {', '.join(PRESETS)}")
        try:
            content = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise RuleError(f"{path}: not readable as YAML: {error}") from None
        if not isinstance(content, dict):
            raise RuleError(f"{path}: a rule file is a mapping of switches; see docs/rules.md section 9")
        base = content.pop("preset", None)
        if base is None:
            return _validated(content, str(path))
        if base not in PRESETS:
            raise RuleError(f"{path}: preset: {_no_preset(base)}")
        return _validated(cls.preset(base).switches() | content, str(path))

    def replace(self, **switches: Any) -> "RuleSet":
        """This rule set with some switches changed. Raises RuleError for an unknown switch or value."""
        known = {field.alias or name: name for name, field in type(self).model_fields.items()}
        fields = {known.get(name, name): value for name, value in switches.items()}
        aliases = {name: alias for alias, name in known.items()}
        return _validated(self.switches() | {aliases.get(name, name): v for name, v in fields.items()}, "rules")

    def switches(self) -> dict[str, Any]:
        """All switches under their names in YAML, in the order of docs/rules.md section 9."""
        return self.model_dump(by_alias=True)

    def digest(self) -> str:
        """Sixteen hexadecimal digits that are equal exactly when all switches are."""
        text = json.dumps(self.switches(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def name(self) -> str:
        """The preset's name, or the nearest preset's with the switches that differ."""
        nearest = min(PRESETS, key=lambda preset: len(self.overrides(preset)))
        changed = ", ".join(f"{switch}={value}" for switch, value in self.overrides(nearest).items())
        return f"{nearest} ({changed})" if changed else nearest

    def overrides(self, preset: str) -> dict[str, Any]:
        """The switches that differ from a preset, with this rule set's values."""
        base = RuleSet.preset(preset).switches()
        return {switch: value for switch, value in self.switches().items() if base[switch] != value}


@cache
def _preset(name: str) -> RuleSet:
    if name not in PRESETS:
        raise RuleError(f"{_no_preset(name)}, or name a YAML file")
    text = resources.files("gouji_env").joinpath("rulesets", f"{name}.yaml").read_text(encoding="utf-8")
    return _validated(yaml.safe_load(text), name)


def _validated(switches: dict[str, Any], place: str) -> RuleSet:
    try:
        return RuleSet.model_validate(switches)
    except ValidationError as error:
        raise RuleError(f"{place}: " + "; ".join(map(_problem, error.errors()))) from None


def _no_preset(name: object) -> str:
    return f"unknown rule set {name!r}; presets are {', '.join(PRESETS)}"


def _problem(error: Any) -> str:
    """One thing that is wrong with the switches, short."""
    switch = ".".join(map(str, error["loc"])) or "switches"
    if error["type"] == "extra_forbidden":
        model: type[BaseModel] = RuleSet if len(error["loc"]) == 1 else Deck
        known = [field.alias or name for name, field in model.model_fields.items()]
        near = get_close_matches(str(error["loc"][-1]), known, 1)
        return f"{switch}: unknown switch" + (f"; did you mean {near[0]}?" if near else "")
    return f"{switch}: {error['msg'].removeprefix('Value error, ')}"
