"""An error knows the file that it is about."""

import linecache
import pickle
from pathlib import Path

import pytest

from classy_aesop import InputError, errors, read_scores
from classy_aesop.errors import DataWarning, warn
from classy_aesop.fitters import RobustRegression


def test_file_and_line_come_with_the_error_also_from_another_process():
    for error in (InputError("score is x", path="j.tsv", line=17), InputError("no rows")):
        back = pickle.loads(pickle.dumps(error))
        assert (str(back), back.path, back.line) == (str(error), error.path, error.line)
    assert (back.path, back.line) == (None, None)


def test_a_name_of_blanks_can_be_seen(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(" ").write_text("topic,system,x\nd1,s1\n")
    with pytest.raises(InputError, match=r"^' ', line 2: "):
        read_scores(" ")
    with pytest.raises(FileNotFoundError, match=r"^'  ': no such file"):
        read_scores("  ")


def test_a_warning_names_the_callers_line_however_deep_in_the_package_it_begins():
    y = [3.0] * 32 + [1.0, 2.0, 4.0, 5.0, 1.0, 2.0, 4.0, 5.0]
    with pytest.warns(DataWarning) as caught:
        RobustRegression().fit([[7 * row % 40] for row in range(40)], y)  # warned in `solve`
    with pytest.warns(DataWarning) as direct:
        warn("2 rows are left out")
    assert caught[0].filename == direct[0].filename == __file__
    assert "# warned in `solve`" in linecache.getline(__file__, caught[0].lineno)
    assert 'warn("2 rows' in linecache.getline(__file__, direct[0].lineno)


def test_levels_of_the_stack_are_counted_in_one_place():
    """`warn` finds the caller's line by itself; what is counted by hand is wrong once a function is between."""
    package = Path(errors.__file__).parent
    texts = {path.name: path.read_text("utf-8") for path in package.rglob("*.py")}
    assert [name for name, text in texts.items() if "stacklevel=" in text] == ["errors.py"]
