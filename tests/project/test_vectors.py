"""Rule cases: all of them pass, and a file that holds none is refused in a sentence."""

import pytest

from tests import vectors

CASES = [pytest.param(game, case, id=case["id"]) for game, case in vectors.load(vectors.DEFAULT)]


@pytest.mark.parametrize(("game", "case"), CASES)
def test_a_rule_case_is_answered_as_it_expects(game, case):
    assert vectors.check(game, case) == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "No such file or directory"),
        (b"{", "it is no JSON from line 1 on"),
        (b"\xff\xd8", "it is no text"),
        (b"[1]", "it is not of the form table-vectors/1"),
        (
            b'{"games": {"pig": {"vectors": [{"kind": "x"}]}}}',
            "it is not of the form table-vectors/1",
        ),
        (b'{"games": {"pig": {"cases": []}}}', "it is not of the form table-vectors/1"),
    ],
)
def test_a_file_without_rule_cases_is_told_in_a_sentence(content, why, tmp_path, capsys):
    path = tmp_path / "cases.json"
    if content is not None:
        path.write_bytes(content)

    assert vectors.main([str(path)]) == 2
    assert capsys.readouterr().err == f"{path} is not a file of rule cases: {why}.\n"
