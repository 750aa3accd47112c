"""A Python file of one's own adds a feature, a metric and a reader, without a package."""

import os

import pytest
from joblib.externals.loky import get_reusable_executor

from classy_aesop import outside
from classy_aesop.baselines import BASELINES
from classy_aesop.features import FEATURES
from classy_aesop.reading import READERS

PLUGIN = '''
from classy_aesop.baselines import BASELINES, jensen_shannon
from classy_aesop.features import feature
from classy_aesop.reading import READERS, read_jsonl

@feature(kind="linguistic", group="form", source="elsewhere")
def own_tokens(topic):
    """Number of tokens."""
    return topic.summaries.n_tokens.astype(float)

BASELINES["own_metric"] = lambda corpus, *, jackknife, tokenizer="rouge": jensen_shannon(corpus, jackknife=jackknife)
READERS["own_layout"] = read_jsonl
'''


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Write the file; take what it added away afterwards."""
    monkeypatch.setenv(outside.PLUGINS_VARIABLE, "")
    registries = [(registry, dict(registry)) for registry in (FEATURES, BASELINES, READERS)]
    outside.import_file.cache_clear()
    path = tmp_path / "own.py"
    path.write_text(PLUGIN)
    yield path
    for registry, before in registries:
        registry.clear()
        registry.update(before)


def test_its_parts_are_named_like_ours_wherever_it_stands(plugin, small, printed):
    for words in (
        ("--layout", "own_layout", "--plugin", plugin),
        ("--plugin", plugin, "--layout", "own_layout"),
    ):
        out = printed("features", small / "2021", *words, "--names", "own_tokens,r1", "-q")
        assert {"own_tokens", "r1"} <= set(out.splitlines()[0].split("\t"))
    assert "JS-1" in printed("baselines", small / "2021", "--plugin", plugin, "-m", "own_metric", "-q")
    assert os.environ[outside.PLUGINS_VARIABLE] == str(plugin)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("names", [("r2",), ("r2", "own_tokens"), ("r2", "form")])
def test_a_feature_that_a_configuration_does_not_name_is_said(plugin, folder, run, names):
    """By its name or its group; it was passed over in silence."""
    config = (folder / "one.toml").read_text()
    quoted = ", ".join(f'"{name}"' for name in names)
    start, end = config.index("names = ["), config.index("]", config.index("names = ["))
    (folder / "own.toml").write_text(f"{config[:start]}names = [{quoted}{config[end:]}")
    code, _, told = run("train", folder / "own.toml", "--plugin", plugin, "-o", folder / "out")
    assert code == 0
    is_said = "names of [search] in the configuration has neither it nor its group: own_tokens" in told
    assert is_said == (len(names) == 1)


@pytest.fixture
def own_workers():
    """joblib keeps workers from test to test: those of earlier ones know no plug-in, and later ones want none."""
    get_reusable_executor().shutdown()
    yield
    get_reusable_executor().shutdown()


@pytest.mark.slow
def test_workers_know_its_parts(plugin, own_workers, small, printed):
    alone = printed("features", small / "2021", "--plugin", plugin, "--names", "own_tokens", "-q", "-j", "1")
    assert (
        printed("features", small / "2021", "--plugin", plugin, "--names", "own_tokens", "-q", "-j", "2")
        == alone
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("x = 1\ny = x / 0\n", "line 2: ZeroDivisionError: division by zero"),
        ("def f():\n    x = = 1\n", "line 2: SyntaxError: invalid syntax"),
        ("import json\n\njson.loads('{')\n", "line 3: JSONDecodeError: "),
    ],
)
def test_an_error_in_it_is_one_line_with_file_and_line(plugin, small, refused, content, said):
    plugin.write_text(content)
    refused(1, f"own.py, {said}", "features", small / "2021", "--plugin", plugin)


def test_a_file_that_is_not_there_is_an_error_of_the_command_line(small, refused):
    refused(2, "nowhere.py: No such file", "features", small / "2021", "--plugin", "nowhere.py")
