"""What all measures share: options from a function's parameters, a table, a progress line.

A measure is a function. Its parameters are its options: those before `*` are given in order, those
after it by name. The annotation says what is expected; `Annotated` adds a help text, a tuple of
what may be chosen, or a function that converts one word. The description is the docstring of its
module.
"""

import argparse
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

Item = TypeVar("Item")
Total = TypeVar("Total", bound="AddedCounts")


SEEDS = ("seed", "first")


class NothingToMeasure(ValueError):
    """The options name nothing that can be measured; `str()` is a sentence for the person."""


def called(measure: Callable[..., Any], words: Sequence[str] | None = None) -> Any:
    """Return what a function returns for the options of a command line."""
    return measure(**vars(parser_of(measure).parse_args(words)))


def run(measure: Callable[..., int | None], words: Sequence[str] | None = None) -> int:
    """Call a measure with the options of a command line; return the exit code."""
    try:
        return called(measure, words) or 0
    except NothingToMeasure as fault:
        print(fault, file=sys.stderr)
    except FileNotFoundError as fault:
        print(f"There is no {fault.filename}.", file=sys.stderr)
    return 2


def refuse_alone(package: str) -> None:
    """Exit with a sentence if `python -m` was given a module of *package*, which runs nothing."""
    words = sys.orig_argv
    module = words[words.index("-m") + 1] if sys.argv[:1] == ["-m"] and "-m" in words else ""
    spec = find_spec(module) if module.startswith(f"{package}.") else None
    if spec and spec.origin and "__main__" not in Path(spec.origin).read_text("utf-8"):
        raise SystemExit(f"{module} runs by its name: python -m models.measure NAME")


def parser_of(measure: Callable[..., Any]) -> argparse.ArgumentParser:
    """Return the parser of a measure's options."""
    name = measure.__module__.rpartition(".")[2]
    ask = argparse.ArgumentParser(
        None if name == "__main__" else name,
        description=inspect.getdoc(inspect.getmodule(measure)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for name, parameter in inspect.signature(measure, eval_str=True).parameters.items():
        is_named = parameter.kind is parameter.KEYWORD_ONLY
        option = _option(parameter.annotation)
        if option.get("type") in (int, float):
            option["type"] = at_least(_least(name, parameter.default), option["type"])
        if parameter.default is not parameter.empty:
            option |= {"default": parameter.default}
            if "nargs" in option or not is_named:
                option["nargs"] = "*" if "nargs" in option else "?"
        elif is_named:
            option |= {"required": True}
        ask.add_argument(f"--{name.replace('_', '-')}" if is_named else name, **option)
    return ask


def at_least(least: int, kind: type = int) -> Callable[[str], Any]:
    """Return a parser of finite numbers that are not below *least*."""

    def parse(word: str) -> Any:
        try:
            number = kind(word)
        except ValueError:
            number = float("nan")
        if least <= number < float("inf"):
            return number
        what = "a whole number" if kind is int else "a number"
        raise argparse.ArgumentTypeError(f"write {what} from {least}, not {word!r}")

    return parse


def _least(name: str, default: Any) -> int:
    """Return 1 for a count, 0 for a seed and for a count that is 0 unless it is given."""
    smallest = min(default, default=0) if isinstance(default, (tuple, list)) else default
    return int(type(smallest) is int and smallest >= 1 and name not in SEEDS)


def _option(kind: Any) -> dict[str, Any]:
    """Return what argparse is given for an annotation."""
    if get_origin(kind) in (Union, UnionType):
        return _option(next(one for one in get_args(kind) if one is not type(None)))
    if get_origin(kind) is Annotated:
        kind, *notes = get_args(kind)
        words = [one for one in notes if isinstance(one, str)]
        others = [one for one in notes if not isinstance(one, str)]
        return (
            _option(kind)
            | {"help": " ".join(words)}
            | {"choices" if isinstance(one, tuple) else "type": one for one in others}
        )
    if kind is bool:
        return {"action": "store_true"}
    if get_origin(kind) in (list, Sequence):
        return _option(*get_args(kind)) | {"nargs": "+"}
    if get_origin(kind) is Literal:
        return {"choices": get_args(kind), "type": type(get_args(kind)[0])}
    return {"type": kind}


class AddedCounts:
    """Base of dataclasses of counts: two are added field by field."""

    __slots__ = ()

    def __add__(self: Total, other: Total) -> Total:
        """Return both together."""
        names = [one.name for one in fields(self)]  # type: ignore[arg-type]
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in names))


def progress(name: str, items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items, and show on standard error how many are done; in a file only at the end."""
    for number, item in enumerate(items, start=1):
        if sys.stderr.isatty() or number == len(items):
            end = "\n" if number == len(items) else ""
            sys.stderr.write(f"\r{name}: {number} of {len(items)}{end}")
            sys.stderr.flush()
        yield item


def share(part: int, of: int) -> str:
    """Return a share in per cent, or a dash where there is nothing to share."""
    return f"{100 * part / of:.2f} %" if of else "–"


class PrintedRows:
    """A table whose rows are printed as they come, the first column to the left."""

    def __init__(self, *heads: str, first: int = 22, least: int = 7) -> None:
        """Print the heads; the columns are as wide as they are, and no smaller than *least*."""
        self.widths = [-first, *(max(least, len(head)) for head in heads[1:])]
        self.row(*heads)

    def row(self, *cells: object) -> None:
        """Print a row."""
        shown = (
            str(cell).ljust(-width) if width < 0 else str(cell).rjust(width)
            for cell, width in zip(cells, self.widths, strict=True)
        )
        print(*shown, flush=True)


def markdown_table(heads: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Return rows under their heads, the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(heads, *body, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *rest = (
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return "| " + " | ".join((first, *rest)) + " |"

    rule = "| " + " | ".join("-" * (w - (i > 0)) + ":" * (i > 0) for i, w in enumerate(widths))
    return "\n".join([line(heads), f"{rule} |", *map(line, body)])
