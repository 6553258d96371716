"""Rule cases: a file that holds none is refused in a sentence."""

import pytest

from tests import vectors


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "No such file or directory"),
        (b"{", "it is no JSON from line 1 on"),
        (b"\xff\xd8", "it is no text"),
        (b"[1]", "it is not of the form table-vectors/1"),
        (b'{"games": {"pig": {"cases": []}}}', "it is not of the form table-vectors/1"),
    ],
)
def test_a_file_without_rule_cases_is_told_in_a_sentence(content, why, tmp_path, capsys):
    path = tmp_path / "cases.json"
    if content is not None:
        path.write_bytes(content)

    assert vectors.main([str(path)]) == 2
    assert capsys.readouterr().err == f"{path} is not a file of rule cases: {why}.\n"
