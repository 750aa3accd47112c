"""The command ``study``: each study of the registry with the options that its function takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from classy_aesop.cli.commands import Asked, Command
from classy_aesop.report.result import Result
from classy_aesop.studies import STUDIES


@dataclass(frozen=True)
class StudyCommand(Command):
    """A study as a command."""

    @property
    def typed(self) -> str:
        """How it is typed after the name of the program."""
        return f"study {self.name}"

    def run(self, asked: Asked) -> Result:
        """Run the study; below a table of a paper stand its misprints."""
        from classy_aesop.studies.misprints import misprints

        return Result(super().run(asked), notes=misprints(self.name))


def study_commands() -> Iterator[Command]:
    """Give the command of each study."""
    for name, study in STUDIES.items():
        peers = {"peers": study.peers} if study.peers else {}
        yield StudyCommand(f"studies.{study.function}", name, study.help, defaults=peers)
