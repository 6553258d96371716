"""What the eyes say is found again as a message, so that a page can say it in its language."""

import ast
import re

import pytest

from scorer.messages import translated
from tests import ROOT
from webui.eyes.phrases import PHRASES, phrase


def said_in_vision():
    """Return every text of the eyes; what is put into one is a space."""
    texts = []
    for path in sorted((ROOT / "vision").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                said = [part.value for part in node.values if isinstance(part, ast.Constant)]
                texts.append("".join(said))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(node.value)
    return "\n".join(texts)


def test_each_phrase_stands_in_the_eyes_word_for_word():
    texts = said_in_vision()

    parts = [part for one in PHRASES for part in re.split(r"{\w+}", one.template)]
    lost = {part for part in parts if part.strip(" ().:;x") and part.strip() not in texts}

    assert {part.strip(" ().") for part in lost} <= {
        "cells are not seen",
        "One cell is not seen",
        "Something covers them, light is reflected there, or they lie off the photo",
        "Two dice lie in one cell",
    }  # put together there


@pytest.mark.parametrize(
    ("sentence", "german"),
    [
        ("The lens is on fire.", "The lens is on fire."),  # nobody listed it: it stays as it is
        ("A piece is cut off at the edge of the photo. Show all of it.", "am Rand"),
        ("There may be one more piece (top left, middle). Look there.", "(oben links, Mitte)"),
        ("There may be 2 more pieces (top; left). Look there.", "sind da noch 2 Teile"),
        ("Two dice lie in one cell (row 3, column 1).", "(Reihe 3, Spalte 1)"),
        ("A green die does not belong to this game. Take it away or correct its colour.", "grün"),
    ],
)
def test_a_sentence_of_the_eyes_is_said_in_another_language(sentence, german):
    assert str(phrase(sentence)) == sentence
    assert german in translated(phrase(sentence), "de")
