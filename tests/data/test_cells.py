"""Cells of tab-separated tables, as programs write them that know no quotes."""

import pytest

from classy_aesop.data.table_files import tsv_rows


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ('with "quote"\t1', ['with "quote"', "1"]),
        ('"a" and "b"\t1', ['"a" and "b"', "1"]),
        ('"open\t1', ['"open', "1"]),
        ('shut"\t1', ['shut"', "1"]),
        ('6" pipe\t 1 ', ['6" pipe', "1"]),
        ('""open\t1', ['""open', "1"]),
        (' "quoted" \t"1"', ["quoted", "1"]),
        ('"a\tb"\t1', ["a\tb", "1"]),
        ('""\t""""', ["", '"']),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_tables_of_programs_without_quotes_are_read_as_they_stand(line, cells, end):
    text = end.join(["name\tscore", line, "", 'plain\t"2', 'shut"\t3', ""])
    assert list(tsv_rows(text)) == [
        (1, ["name", "score"]),
        (2, cells),
        (4, ["plain", '"2']),
        (5, ['shut"', "3"]),
    ]


def test_a_quoted_line_break_moves_the_lines_that_follow():
    assert list(tsv_rows('a\tb\n"x\n\ny"\t1\nz\t2')) == [
        (1, ["a", "b"]),
        (2, ["x\n\ny", "1"]),
        (5, ["z", "2"]),
    ]
