"""Bars of long computations, and their workers."""

import signal

import pytest

from classy_aesop.work.progress import by_workers, counted, no_bar, watched


def test_a_bar_says_the_step_and_passes_items_on(capsys):
    assert list(watched(iter("abc"), "letters", "letters", shown=True, total=3)) == ["a", "b", "c"]
    told = capsys.readouterr().err
    assert "letters: 100%" in told
    assert "3/3" in told
    items = iter("abc")
    assert watched(items, "letters", "letters", shown=False) is items
    with counted("first", 4, "steps", shown=True) as advance:
        advance(3, "second")
    assert "second:  75%" in capsys.readouterr().err
    with counted("first", 4, "steps", shown=False) as advance:
        advance()
    no_bar(2, "no one")
    assert capsys.readouterr().err == ""


def test_parts_come_in_their_order():
    assert list(by_workers(pow, [(2, 3), (3, 2)], n_jobs=1)) == [8, 9]


@pytest.mark.slow
def test_workers_hold_interruptions_back_and_this_process_does_not():
    asked = [(signal.SIG_BLOCK, ())] * 4
    masks = list(by_workers(signal.pthread_sigmask, asked, n_jobs=2))
    assert all(signal.SIGINT in mask for mask in masks)
    assert signal.SIGINT not in signal.pthread_sigmask(*asked[0])


@pytest.mark.slow
def test_workers_whose_results_are_not_all_taken_end_without_a_word(recwarn):
    done = by_workers(pow, [(2, 3)] * 1000, n_jobs=2)
    assert next(iter(done)) == 8
    del done
    assert not recwarn.list
