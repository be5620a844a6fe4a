"""Commands that are made from questions: `simkit X` asks `simkit.X`."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import click

from simkit.ask.arguments import SHARED, How, Shell, hints_of, keywords_of, shared_meanings, texts_of
from simkit.cli.answer import print_answer, print_first_answer, print_follow_ups, report_command, save_page
from simkit.cli.execution import execution_of
from simkit.cli.interrupts import paused_after
from simkit.cli.options import Command, command, parameter, shared_options, shell_of
from simkit.cli.output import say

Question = Callable[..., Any]
# Names of shared keywords: those that few questions take come before those of all.
SPECIFIC_FIRST = [name for keywords in reversed(SHARED) for name in texts_of(keywords).meanings]


@dataclass(frozen=True)
class Invocation:
    """A question with the values of its command's parameters, as they are typed; a call asks it."""

    question: Question
    given: dict[str, Any]
    into: str | None = None
    writes_page: bool = False

    def __call__(self) -> Any:
        """Ask the question, and return what it returns."""
        question, parameters = self.question, inspect.signature(self.question).parameters
        hints = hints_of(question)
        kinds = {name: hints[name] for name in parameters if name != "keywords"} | keywords_of(question)
        parsed = {name: self._value(name, shell_of(kind)) for name, kind in kinds.items()}
        values = {name: value for name, value in parsed.items() if value is not None}
        bound = inspect.signature(question).bind_partial()
        bound.arguments |= {name: values.pop(name) for name in parameters if name in values}
        if "keywords" in parameters:  # the question plays
            how = {name: values.pop(name) for name in How.__annotations__ if name in values}
            if folder := vars(question)["folder"]:
                how = {"out": folder(self.given)} | how
            first_answer = partial(print_first_answer, writes_page=self.writes_page)
            how |= {"into": self.into or "", "first_answer": first_answer}
            bound.arguments["keywords"] = values | {"execution": execution_of(how)}
        return question(*bound.args, **bound.kwargs)

    def _value(self, name: str, shell: Shell) -> Any:
        """Return the value of an argument; None where none is given."""
        text = self.given.get(name)
        if text in (None, ()):
            return None
        if shell.parse is None:
            return text
        return shell.parse(text, self.given["game"]) if shell.of_game else shell.parse(text)


def command_of(question: Question) -> Command:
    """Return the command of a question, which prints its brief and what the page of the result adds."""

    @asks(question)
    @shared_options("into", *vars(question)["shell"], "json")
    def show(
        ask: Invocation, as_json: bool, whole: bool = False, hours: float | None = None, page: bool = False
    ) -> None:
        with paused_after(hours):
            print_result(ask, as_json, whole, page)

    return show


def print_result(ask: Invocation, as_json: bool, whole: bool = False, page: bool = False) -> None:
    """Ask a question and print its answer; `page`: write its page, too."""
    declared, result = vars(ask.question), replace(ask, writes_page=page)()
    print_answer(result, declared["page"], as_json, whole)
    if page:
        save_page(result)
    if as_json:
        return
    place = f"\nRun: {result.run.place}   " if "table" in declared["shell"] else ""
    say(f"{place}report: {report_command(result.run)}")
    if "confirm" in keywords_of(ask.question):
        print_follow_ups(result)


def asks(question: Question) -> Callable[[Callable[..., None]], Command]:
    """Return a decorator that makes the command of a question.

    The decorated function prints the answer: it gets the question as it is asked, and the values of options
    with which it is decorated, too, which only a shell has.
    """

    def make(show: Callable[..., None]) -> Command:
        own = _parameters(question)

        def callback(**given: Any) -> None:
            mine = {name: given.pop(name) for name in [*given] if name not in own}
            show(Invocation(question, given, mine.pop("into", None)), **mine)

        more = [*reversed(vars(show).get("__click_params__", []))]
        vars(callback)["__click_params__"] = [*reversed([*own.values(), *more])]
        callback.__name__, callback.__doc__ = question.__name__, _in_shell(_help(question), own)
        return command()(callback)

    return make


def _parameters(question: Question) -> dict[str, click.Parameter]:
    """Return the parameters of a command by name: those of the question, then the shared ones, `How` last.

    A shared keyword has no option of a name that the question uses for something else.
    """
    kinds, meanings = hints_of(question), shared_meanings() | texts_of(question).meanings
    declared = inspect.signature(question).parameters
    defaults = {
        name: None if own.kind is own.VAR_POSITIONAL else own.default for name, own in declared.items()
    }
    taken, hidden = keywords_of(question), vars(question).get("hidden", ())
    common = {name: taken[name] for name in SPECIFIC_FIRST if name in taken and name not in hidden}
    parameters, used = dict[str, click.Parameter](), set[str]()
    for name, kind in [*((name, kinds[name]) for name in declared if name != "keywords"), *common.items()]:
        if shell_of(kind).hidden:
            continue
        each = parameter(name, kind, meanings[name], defaults.get(name))
        if name in declared or not used & {*each.opts}:
            parameters[name] = each
            used |= {*each.opts}
    for each in parameters.values():
        if isinstance(each, click.Option):
            each.help = _in_shell(str(each.help), parameters)
    return parameters


def _in_shell(text: str, parameters: Mapping[str, click.Parameter]) -> str:
    """Return a text of a docstring in which arguments in backquotes are spelled as in a shell."""

    def spell(match: re.Match[str]) -> str:
        named = parameters.get(match[1])
        if named is None:
            return match[0]
        return named.opts[-1] if isinstance(named, click.Option) else named.human_readable_name.strip("[]")

    return re.sub(r"`(\w+)`", spell, text)


def _help(question: Question) -> str:
    """Return the help of a command: what its docstring says before the arguments, and its examples."""
    texts = texts_of(question)
    if not texts.examples:
        return texts.about
    head = "Examples:  " if texts.examples.count("simkit ") > 1 else "Example:  "
    lines = f"\n{' ' * len(head)}".join(texts.examples.splitlines())
    return f"{texts.about}\n\n\b\n{head}{lines}"
