"""Every public function and class shows in its documentation how it is used; pytest runs these examples."""

import doctest
import inspect

import pytest

import classy_aesop


@pytest.mark.parametrize("name", sorted(set(classy_aesop.__all__) - {"__version__"}))
def test_it_has_an_example_with_an_answer(name):
    examples = doctest.DocTestParser().get_examples(inspect.getdoc(getattr(classy_aesop, name)))
    assert [one for one in examples if one.want], name
    assert not [one for one in examples if doctest.SKIP in one.options], name
