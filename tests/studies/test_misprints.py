"""Misprints are of studies that exist, and stand in what is read, not in what programs get."""

import pytest

from classy_aesop.studies import OTHERWISE, STUDIES
from classy_aesop.studies.printed import _misprinted, misprints


def test_every_misprint_is_of_a_study_and_of_one_of_the_papers():
    papers = ("Deutsch et al. (2021)", "Rankel et al. (2011)", "Rankel et al. (2013)", "Rankel (2016)")
    for studies, where, note in _misprinted():
        for name in studies.split():
            assert name in OTHERWISE or STUDIES[name].remakes, name
        assert where.startswith((*papers, "Lin and Hovy (2003)"))
        assert note
        assert not note.endswith(".")


@pytest.mark.slow
def test_they_are_printed_below_the_table(tmp_path, capsys):
    from classy_aesop.cli import main

    path = tmp_path / "marked.tsv"
    path.write_text("topic\tsummarizer\tmarked\tunits\tcompleteness\nt1\t1\t3\t6\t0.5\n")
    [note] = misprints("marked-units")
    for format, line in (("text", note), ("latex", f"% {note}"), ("tsv", None)):
        assert main(["study", "marked-units", str(path), "-f", format]) == 0
        shown = " ".join(capsys.readouterr().out.split())  # a screen breaks lines
        assert (line in shown) if line else "footnote" not in shown
