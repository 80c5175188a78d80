"""`analyze odds`: exact odds of a game at the table. The options are those of the game's questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.commands.options import Command, FileName, Folder, GameCommand
from analyzer.errors import nearest

if TYPE_CHECKING:
    from analyzer.answers import Answer
    from analyzer.questions import Question

# Keys in a context's meta, and what the names of the parameters of questions begin with.
QUESTIONS, GAME, PARAMETER = "analyzer.questions", "analyzer.game", "given_"
WIDTH = 100


class OddsCommand(GameCommand):
    """A command on a GAME that has the options of that game's questions."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        game = ctx.meta[GAME] = self._game(args)
        ctx.meta[QUESTIONS] = self._questions(game)
        try:
            return Command.parse_args(self, ctx, args)
        except click.NoSuchOption as error:
            known = [name for one in self.get_params(ctx) for name in one.opts if name.startswith("--")]
            raise nearest(error.option_name, known, f"option of odds {game}".strip()) from None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters, after those of the questions of the game that was named."""
        asked: tuple[Question, ...] = ctx.meta.get(QUESTIONS, ())
        own: dict[str, click.Parameter] = {}
        for one in (one for question in asked for one in question.parameters):
            if one.name not in own:
                having = [
                    question.name for question in asked if one.name in {p.name for p in question.parameters}
                ]
                where = f" [{', '.join(having)}]" if len(having) < len(asked) else ""
                flag = isinstance(one.default, bool)
                given: dict[str, Any] = (
                    {"is_flag": True, "default": None} if flag else {"metavar": one.metavar}
                )
                own[one.name] = click.Option(
                    [f"--{one.name}", f"{PARAMETER}{one.keyword}"], help=f"{one.about}{where}", **given
                )
        first, *rest = click.Command.get_params(self, ctx)
        return [first, *rest[:1], *own.values(), *rest[1:]]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The questions of the game that was named, with an example of each."""
        asked: tuple[Question, ...] = ctx.meta.get(QUESTIONS, ())
        game = ctx.meta.get(GAME, "")
        for title, lines in (
            ("Questions", [(one.name, one.about) for one in asked]),
            ("Examples", [(f"analyze odds {game} {one.name} {one.example}", "") for one in asked]),
        ):
            if lines:
                with formatter.section(title):
                    formatter.write_dl(lines, col_max=200)

    def _questions(self, game: str) -> tuple[Question, ...]:
        from analyzer import questions

        return questions.questions(game) if game else ()


@click.command(cls=OddsCommand)
@click.argument("game")
@click.argument("question", required=False)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a setting (repeatable).")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="A config file (YAML).")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON, and nothing else.")
@click.option("--csv", type=FileName(path_type=Path), metavar="FILE", help="Write the table to a file.")
@click.option("--plot", type=FileName(path_type=Path), metavar="FILE", help="Write a chart, .png or .svg.")
@click.option("--out", type=Folder(path_type=Path), metavar="FOLDER", help="Write table, answer and charts.")
def odds(
    game: str,
    question: str | None,
    settings: tuple[str, ...],
    config: Path | None,
    as_json: bool,
    csv: Path | None,
    plot: Path | None,
    out: Path | None,
    **given: Any,
) -> None:
    """Exact odds of GAME at the table, without a simulation.

    GAME alone lists its questions and answers the first. The options of a question are enough to ask it:
    QUESTION can be left out where they leave no doubt (the first that has them all is taken).

    \b
    Examples:
      analyze odds moscow --cards 3+4+5 --army 8 --general --month september
      analyze odds moscow --want 0.8 --army 12 --divisions 2+3+3+5 --generals 4
      analyze odds undaunted --unit sniper --target gunner --cover 2 --distance 3
      analyze odds undaunted remove --unit gunner --target scout --cards 2
      analyze odds eastfront --germans panther:2,pak_40 --face-up t34_76 --seen rifles:3
      analyze odds kraskar --unit "Storm Riders" --target "Hedge Spears" --bonus 3
      analyze odds moscow months --attack 14 --set die_sides=10 --plot months.png
    What a game can be asked: analyze odds GAME --help
    """
    from analyzer import questions
    from analyzer.answers import chart_file

    if plot is not None:
        chart_file(plot)
    wanted = {name.removeprefix(PARAMETER): value for name, value in given.items() if value is not None}
    answer = questions.ask(game, question, wanted, settings, config)
    for warning in answer.warnings:
        click.echo(f"Note: {warning}", err=True)
    files = _write(answer, csv, plot, out)
    if as_json:
        click.echo(answer.as_json())
    else:
        if question is None and not wanted:
            _tell_questions(game, questions.questions(game))
        _tell(answer)
    for path in files:
        click.echo(f"Written: {path}", err=as_json)


def _tell_questions(game: str, known: tuple[Question, ...]) -> None:
    click.echo(f"Exact odds of {game}. Questions, with an example of each:")
    for one in known:
        click.echo(f"  {one.name}: {one.about}\n      analyze odds {game} {one.name} {one.example}")
    click.echo(f"All options: analyze odds {game} --help. The first question, without any:\n")


def _tell(answer: Answer) -> None:
    click.echo(f"{answer.title}\n\n{answer.text_table()}\n")
    click.echo(click.wrap_text(answer.finding, WIDTH))
    click.echo(click.wrap_text(answer.words, WIDTH))


def _write(answer: Answer, csv: Path | None, plot: Path | None, out: Path | None) -> list[Path]:
    from analyzer.answers import written

    found = [answer.write_figure(plot)] if plot is not None else []
    found += [written(csv, answer.as_csv().encode())] if csv is not None else []
    return [*found, *(answer.write(out) if out is not None else [])]
