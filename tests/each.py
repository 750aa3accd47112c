"""Many small cases in one test: a test of its own would cost more than most of them."""

import inspect
from contextlib import contextmanager
from functools import wraps
from reprlib import repr as shortened

import pytest


def each(names, values, ids=None):
    """Run a test for each of the values, like ``pytest.mark.parametrize``, but as one test; an error names its case.

    Each case has a ``tmp_path`` and a ``monkeypatch`` of its own; what other fixtures give is shared by all cases.
    """
    names = names.replace(",", " ").split() if isinstance(names, str) else names
    rows = [value if len(names) > 1 else (value,) for value in values]
    labels = ids if isinstance(ids, list) else [ids(*row) if ids else shown(names, row) for row in rows]
    given = [(label, dict(zip(names, row, strict=True))) for label, row in zip(labels, rows, strict=True)]
    assert given, f"no case of {names}"

    def decorate(function):
        test = function if hasattr(function, "cases") else looped(function)
        test.cases = [
            (f"{label}; {more}" if label else more, one | other)
            for label, one in test.cases
            for more, other in given
        ]
        rest = dict(test.__signature__.parameters)
        for name in names:
            del rest[name]
        test.__signature__ = inspect.Signature(rest.values())
        return test

    return decorate


def shown(names, row):
    return ", ".join(f"{name}={shortened(value)}" for name, value in zip(names, row, strict=True))


def looped(function):
    """Give a test that runs the function for each of its ``cases``: an empty one, until ``each`` fills them."""

    @wraps(function)
    def test(request, **fixtures):
        __tracebackhide__ = True
        for at, (label, case) in enumerate(test.cases[: n_quick(request)]):
            try:
                with own(fixtures, at) as given:
                    function(**given, **case)
            except BaseException as error:  # a failure of pytest's is no Exception
                error.add_note(f"case: {label}")
                raise

    test.cases = [("", {})]
    request = inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    test.__signature__ = inspect.Signature([request, *inspect.signature(function).parameters.values()])
    return test


def n_quick(request):
    """Give how many cases run without ``--slow``: of a test marked ``slow(after=N)`` the first N, else all."""
    marker = request.node.get_closest_marker("slow")
    return None if marker is None or request.config.getoption("--slow") else marker.kwargs["after"]


@contextmanager
def own(fixtures, at):
    """Give the fixtures of one case."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        fresh = {"monkeypatch": monkeypatch}
        if "tmp_path" in fixtures:
            fresh["tmp_path"] = fixtures["tmp_path"] / str(at)
            fresh["tmp_path"].mkdir()
        yield fixtures | {name: fresh[name] for name in fresh if name in fixtures}
