"""An error knows the file that it is about."""

import pickle

from classy_aesop import InputError


def test_file_and_line_come_with_the_error_also_from_another_process():
    for error in (InputError("score is x", path="j.tsv", line=17), InputError("no rows")):
        back = pickle.loads(pickle.dumps(error))
        assert (str(back), back.path, back.line) == (str(error), error.path, error.line)
    assert (back.path, back.line) == (None, None)
