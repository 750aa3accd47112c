"""Files as people have them: the commands that ``validate`` prints give the right answers, and nothing is guessed."""

import pytest

from classy_aesop.reading.file_report import inspect_file
from tests.reading.judged_files import CASES, is_right, printed_command, read_without_options, scores_by


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file)
def test_the_printed_command_gives_the_right_answer(shared, case):
    report = inspect_file(shared / "cases" / case.file)
    assert is_right(scores_by(printed_command(report, case)), case)
    assert any(line.subject == "doubtful" for line in report.lines) == case.is_doubtful


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file)
def test_no_doubtful_file_is_read_without_asking(shared, case):
    plain = read_without_options(shared / "cases" / case.file, case)
    has_one_reading = (
        not case.is_doubtful or case.file == "label-studio.csv"
    )  # only no topic that systems share
    assert plain in (("refused", "right") if has_one_reading else ("refused",))
