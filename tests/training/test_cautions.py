"""What is easily misread is said; years that share topics are refused."""

import pytest

from classy_aesop import InputError, train


@pytest.mark.slow
def test_years_that_share_topics_are_refused(corpora, config_of):
    again = {**corpora, "2022": corpora["2021"]}
    with pytest.raises(
        InputError, match=r"years share topics or texts: 2021/D2101/A and 2022/D2101/A \(topic\)"
    ):
        train(config_of(), again)


@pytest.mark.slow
def test_slow_searches_are_reported(corpora, config_of):
    notes = train(config_of(run="extra_trees"), corpora).notes
    assert "run x-A-no_models: extra_trees fits 15 subsets one by one; whole = true fits one" in notes
