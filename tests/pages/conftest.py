"""A folder of a small run whose summarizers have names that could do harm, and its page."""

import pytest

HOSTILE = {
    "1": "<script>alert(1)</script>",
    "2": "abc\u202edef",
    "3": "x" * 200,
    "4": "$\\frac{$ \"'&amp;--><!--",
    "5": "</svg></style><img src=x onerror=alert(2)>",
    "6": "مُلخِّص",
}


@pytest.fixture(scope="session")
def run_folder(made, tmp_path_factory):
    """The folder of one run on made-up years. Only to be read."""
    from benchmarks.made_up.corpora import corpus_of_records
    from classy_aesop import Config, train
    from classy_aesop.config import RunTable, SearchOptions, Year
    from classy_aesop.pages.experiment import write

    def renamed(rows):
        return [
            {**row, "summarizer_id": HOSTILE.get(row["summarizer_id"], row["summarizer_id"])} for row in rows
        ]

    corpora = {
        name: corpus_of_records(renamed(year.summaries), renamed(year.judgments))
        for name, year in made.items()
    }
    run = RunTable("6", "responsiveness", "nonnegative", tasks=("A",), peers=("all_peers",))
    search = SearchOptions.from_method("classy2011", names=("r2", "coverage", "redundancy1"))
    config = Config(tuple(map(Year, made)), runs=(run,), search=search)
    folder = tmp_path_factory.mktemp("run")
    write(train(config, corpora), folder, folder)
    return folder


@pytest.fixture(scope="session")
def page(run_folder, tmp_path_factory):
    """The file of that run's page, beside it its numbers. Only to be read."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("jinja2")
    from classy_aesop.pages.contents import run_page
    from classy_aesop.pages.page import write_page

    path = tmp_path_factory.mktemp("page") / "report.html"
    write_page(run_page(run_folder), path)
    return path
