"""Configs: pydantic models read from YAML, with ``--set a.b=c`` on top; what is wrong is told with its place."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError


class ConfigError(ValueError):
    """A config that cannot be used; the message names the file, the field and the mend."""


class Section(BaseModel):
    """A config or a part of one: unknown keys are refused, values stay as they are read."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


Config = TypeVar("Config", bound=Section)


def load_config(model: type[Config], path: Path, overrides: Iterable[str], example: str) -> Config:
    """Read ``path`` and set each ``a.b=c`` on top; ``example`` is a file to copy, for the message.

    Raises ConfigError with the place of whatever is wrong.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not readable as YAML: {error}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: a config is a mapping of fields; {example} is one to copy")
    for override in overrides:
        _set(content, override)
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise ConfigError(f"{path}: " + "; ".join(_problem(model, e) for e in error.errors())) from None


def _set(content: dict[str, Any], override: str) -> None:
    place, equals, text = override.partition("=")
    if not equals or not place:
        raise ConfigError(f"--set {override}: write it as field.path=value")
    *sections, field = place.split(".")
    for name in sections:
        content = content.setdefault(name, {})
        if not isinstance(content, dict):
            raise ConfigError(f"--set {override}: {name} is a value, not a section")
    try:
        content[field] = yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"--set {override}: the value is not readable as YAML; quote it") from None


def _problem(model: type[Section], error: Any) -> str:
    place = ".".join(map(str, error["loc"])) or "config"
    if error["type"] == "extra_forbidden":
        near = get_close_matches(str(error["loc"][-1]), _fields(model, error["loc"][:-1]), 1)
        return f"{place}: unknown key" + (f"; did you mean {near[0]}?" if near else "")
    found = "" if isinstance(error["input"], dict) else f" (it is {error['input']!r})"
    return f"{place}: {error['msg'].removeprefix('Value error, ')}{found}"


def _fields(model: Any, path: tuple[str | int, ...]) -> list[str]:
    for name in path:
        model = model.model_fields[name].annotation
    return [field.alias or name for name, field in model.model_fields.items()]
