"""Workers of this machine: how they begin, and what is left of them."""

import os
import signal
import socket
import sys
import threading
import time
from contextlib import contextmanager
from types import ModuleType

import pytest

from classy_aesop.work import cluster, workers
from classy_aesop.work.workers import map_in_order, map_workers, progress_bar, show_progress

KIND = "type(__import__('multiprocessing').current_process()).__name__"


@pytest.fixture
def another_thread():
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    yield thread
    stop.set()
    thread.join()


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")
def test_nothing_is_forked_beside_another_thread(another_thread, monkeypatch):
    """A lock that the thread holds would stay locked in the worker."""
    assert workers._start_method() == "spawn"
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    assert workers._start_method() == "fork"


def test_a_bar_has_no_thread():
    """Next to which no worker would be forked."""
    before = set(threading.enumerate())
    with progress_bar("first", 4, "steps", shown=True):
        assert set(threading.enumerate()) <= before


@pytest.mark.slow
def test_a_pool_leaves_no_thread(monkeypatch):
    """Beside which the next one would not be forked."""
    monkeypatch.setattr(workers, "_start_method", lambda: "fork")
    before = set(threading.enumerate())
    found = list(map_in_order(eval, ["__import__('os').getpid()"] * 4, 2))
    assert set(threading.enumerate()) <= before
    assert os.getpid() not in found


def test_a_single_item_needs_no_worker():
    assert list(map_in_order(eval, ["__import__('os').getpid()"], 2)) == [os.getpid()]


@pytest.mark.slow
def test_workers_beside_another_thread(another_thread):
    assert list(map_in_order(eval, [KIND] * 4, 2)) == ["SpawnProcess"] * 4
    held = "(m := __import__('signal')).SIGINT in m.pthread_sigmask(m.SIG_BLOCK, ())"
    assert list(map_in_order(eval, [held] * 4, 2)) == [True] * 4
    assert not eval(held)  # by the workers alone


def test_a_negative_number_of_workers_drops_nothing(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    for n_jobs in (-1, -2):
        assert list(map_in_order(abs, range(3), n_jobs)) == [0, 1, 2]


@contextmanager
def server(said):
    """A server that greets its first visitor and then is silent, for three seconds."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(3)

        def serve():
            visitor, _ = listening.accept()
            with visitor:
                visitor.sendall(said)
                over.wait(3)

        over = threading.Event()
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        over.set()
        thread.join()


@pytest.mark.slow
def test_what_answers_like_no_scheduler_is_told_soon(monkeypatch):
    """A silent server would be waited for without end, and the first bytes of another read as a huge length."""
    pytest.importorskip("distributed", reason="dask is not installed (extra dask)")
    monkeypatch.setattr(cluster, "MAX_SECONDS_TO_CONNECT", 0.5)
    for said in (b"", b"SSH-2.0-OpenSSH_9.0\r\n", b"\0" * 64):
        with server(said) as address:
            began = time.monotonic()
            with pytest.raises(ConnectionError, match=f"^{address}: no scheduler of dask answers"):
                cluster.connect_client(address)
            assert time.monotonic() - began < 2.5


def test_a_bar_says_the_step_and_passes_items_on(capsys):
    assert list(show_progress(iter("abc"), "letters", "letters", shown=True, total=3)) == ["a", "b", "c"]
    told = capsys.readouterr().err
    assert "letters: 100%" in told
    assert "3/3" in told
    items = iter("abc")
    assert show_progress(items, "letters", "letters", shown=False) is items
    with progress_bar("first", 4, "steps", shown=True) as advance:
        advance(3, "second")
    assert "second:  75%" in capsys.readouterr().err
    with progress_bar("first", 4, "steps", shown=False) as advance:
        advance()
    assert capsys.readouterr().err == ""


def test_parts_come_in_their_order():
    assert list(map_workers(pow, [(2, 3), (3, 2)], n_jobs=1)) == [8, 9]


@pytest.mark.slow
def test_workers_hold_interruptions_back_and_this_process_does_not():
    asked = [(signal.SIG_BLOCK, ())] * 4
    masks = list(map_workers(signal.pthread_sigmask, asked, n_jobs=2))
    assert all(signal.SIGINT in mask for mask in masks)
    assert signal.SIGINT not in signal.pthread_sigmask(*asked[0])


@pytest.mark.slow
def test_workers_whose_results_are_not_all_taken_end_without_a_word(recwarn):
    done = map_workers(pow, [(2, 3)] * 1000, n_jobs=2)
    assert next(iter(done)) == 8
    del done
    assert not recwarn.list


def test_a_bar_is_a_notebooks_own_only_in_a_notebook(monkeypatch):
    said, fake = [], ModuleType("tqdm.auto")
    fake.tqdm = lambda *_, **how: said.append(how["desc"])
    monkeypatch.setitem(sys.modules, "tqdm.auto", fake)
    workers._make_bar([], "read", "rows", None)
    assert said == []
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    workers._make_bar([], "read", "rows", None)
    assert said == ["read"]
