"""Errors by leaving out one topic at a time: those of means, by hand, and of estimates without some topics."""

import numpy as np
import pytest

from classy_aesop.significance.leave_one_out import leave_one_out_covariance, leave_one_out_errors


def test_means_have_the_usual_error_and_covariance():
    scores = np.random.default_rng(0).normal(size=(12, 3))
    without = (scores.sum(axis=0) - scores) / 11
    error, df = leave_one_out_errors(without, scores.mean(axis=0), np.ones((12, 3)))
    assert error == pytest.approx(scores.std(axis=0, ddof=1) / np.sqrt(12), abs=1e-12)
    assert df.tolist() == [11.0, 11.0, 11.0]
    covariance = leave_one_out_covariance(without, scores.mean(axis=0))
    assert covariance == pytest.approx(np.cov(scores.T) / 12, abs=1e-12)
    assert np.sqrt(np.diag(covariance)) == pytest.approx(error, abs=1e-12)


def test_topics_without_a_part_in_an_estimate_do_not_count():
    # means of 1 and 5, and of 1, 5 and 9: without each topic 5, 1 and 7, 5, 3
    without = np.array([[5.0, 7.0], [1.0, 5.0], [np.nan, 3.0]])
    weights = np.array([[1.0, 1.0], [1.0, 1.0], [0.0, 2.0]])
    error, df = leave_one_out_errors(without, np.array([3.0, 5.0]), weights)
    assert error == pytest.approx([2.0, np.sqrt(16 / 3)])
    assert df == pytest.approx([1.0, 16 / 6 - 1])


def test_an_estimate_without_a_topic_has_no_error():
    error, df = leave_one_out_errors(np.zeros((2, 1)), np.zeros(1), np.zeros((2, 1)))
    assert np.isnan(error).all()
    assert df.tolist() == [-1.0]
