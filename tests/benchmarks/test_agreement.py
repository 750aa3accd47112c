"""Peers and package agree; nothing here looks at a clock."""

import numpy as np
import pytest

from benchmarks import features, pairs, resampling, search
from benchmarks.data import QUICK, made_up_search, made_up_year
from benchmarks.feature_peers import PEERS, Case, by_counters, cases
from benchmarks.matrices import grades, metrics_and_human_scores
from benchmarks.search import METHODS


@pytest.fixture(scope="module", params="AB")
def data(request):
    return made_up_search(QUICK, request.param)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_search_against_peers(method, data):
    assert search.compare(method, data, QUICK).difference <= method.agreement


@pytest.mark.slow
@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_rouge_against_peers(peer):
    if peer.absent():
        pytest.skip(peer.absent())
    topics = made_up_year(QUICK).topics[:2]
    assert np.nanmax(features.difference(peer, topics, peer.score(cases(topics)))) <= (peer.agrees or 0.05)


def test_counters_by_hand():
    # Bigrams of the reference: a b, b c, c d; hits a b, b c. SU4: six pairs and a, b, c; hits three pairs, and a, b of
    # the summary's counted unigrams a, b.
    np.testing.assert_allclose(by_counters([Case("a b\nc", ("a b c d",))]), [[2 / 3, 5 / 9]])


@pytest.mark.slow
@pytest.mark.parametrize("job", resampling.JOBS, ids=lambda job: job.name)
@pytest.mark.parametrize(("level", "coefficient"), resampling.CORRELATIONS)
def test_resampling_against_peers_on_their_draws(job, level, coefficient):
    rows = resampling.compare(
        job, metrics_and_human_scores(12, 9), level, coefficient, n_resamples=20, n_rounds=1
    )
    assert rows or not resampling.takes_part("nlpstats", coefficient)
    for row in rows:
        assert row.difference < 1e-12, row.peer


@pytest.mark.slow(after=4)
@pytest.mark.parametrize("job", pairs.JOBS, ids=lambda job: job.name)
def test_pairs_against_peers(job):
    assert pairs.compare(job, grades(6, 2, 20), n_rounds=1).difference < 1e-12
