"""Matching typed words with sentences, from strict to loose criteria."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, pairwise, takewhile

from scorer.messages import Message, _, languages, translated

TABLE, PLAYER = _("table {number}", number=0), _("player {number}", number=0)
UMLAUTS = str.maketrans({"ß": "ss"} | {marked: f"{bare}e" for marked, bare in ("äa", "öo", "üu")})
TIMES = re.compile(r"(?<=\d)\s*[x×]\s*(?:([1-6])\b|(?=[^\W\d]))", re.IGNORECASE)  # "4 x sixes"
# Words for each face of a die, in the plural; all begin like the first one.
FACES = _("one ones, two twos, three threes, four fours, five fives, six sixes")
# A word of a sentence or command, then others that mean it: German verbs change with the person.
FORMS = _("holds bank banks, banks hold holds")
Fits = Callable[[list[str], list[str]], bool]


def with_faces(typed: str) -> Iterator[str]:
    """Yield the typed text, then with each language's words for faces: "4 x 6", "4 Sechser"."""
    if not TIMES.search(typed):
        yield typed
    bare = unmarked(typed.lower())
    for faces in map(_faces, languages()):
        said = TIMES.sub(partial(_so_many, faces), bare)
        for begins, *others in faces:
            said = re.sub(rf"\b(?:{'|'.join(others)})\b", begins, said)
        if said != bare:
            yield said


def _so_many(faces: Sequence[Sequence[str]], times: re.Match[str]) -> str:
    return f" {faces[int(times[1]) - 1][0]} " if times[1] else " "


@cache
def _faces(language: str) -> list[list[str]]:
    return [words.split() for words in unmarked(translated(FACES, language).lower()).split(",")]


def faces_named(typed: str) -> list[int]:
    """Return the faces typed as words, in any language: 6 for "sixes" or "Sechser"."""
    named = {
        word: pips
        for language in languages()
        for pips, words in enumerate(_faces(language), start=1)
        for word in words
    }
    return [named[word] for word in re.findall(r"[a-z]+", unmarked(typed.lower())) if word in named]


@cache
def meanings(typed: str) -> Collection[str]:
    """Return the words of sentences and commands of which *typed* is another form."""
    forms = [unmarked(translated(FORMS, language).lower()).split(",") for language in languages()]
    return {word for row in chain(*forms) for word, *others in [row.split()] if typed in others}


def numbered(words: list[str], wanted: list[str]) -> bool:
    """Return True if the sentence was typed with its number in the history."""
    return wanted[:1] != [] and wanted[0].isdigit() and words == wanted[1:]


def with_its_numbers(words: list[str], wanted: list[str]) -> bool:
    """Whether the words are in that order, with all numbers beside or between them."""
    if not wanted:
        return False
    ends = {
        place
        for place, word in enumerate(words)
        if _begins(word, wanted[0]) and not _runs_on(words, place, wanted[0])
    }
    for typed in wanted[1:]:
        ends = {place for end in ends for place in _next(words, end, typed)}
    return any(not _runs_on(words, end + 1, wanted[-1]) for end in ends)


def _runs_on(words: list[str], place: int, typed: str) -> bool:
    """Return True if a row of numbers continues at a place after a typed one."""
    return 0 < place < len(words) and all(map(_is_number, (typed, *words[place - 1 : place + 1])))


def _next(words: list[str], end: int, typed: str) -> Iterator[int]:
    """Yield the positions of *typed* after a place, up to the first number."""
    for place in range(end + 1, len(words)):
        if _begins(words[place], typed):
            yield place
        if _is_number(words[place]):
            return


def _is_number(word: str) -> bool:
    return word[:1].isdigit()


def in_order(words: list[str], wanted: list[str]) -> bool:
    """Return True if the words are in that order, possibly with others between them."""
    rest = iter(words)
    return all(any(_begins(word, typed) for word in rest) for typed in wanted)


def in_any_order(words: list[str], wanted: list[str]) -> bool:
    """Return True if the words occur in any order, each as often as typed."""
    there = all(
        sum(_begins(word, typed) for word in words) >= wanted.count(typed) for typed in wanted
    )
    return there and all(_numbers_of(words, *pair) for pair in pairwise(wanted))


def all_occur(words: Collection[str], wanted: Sequence[str]) -> bool:
    """Return True if each typed word, numbers apart, abbreviates one of the words."""
    return all(
        any(_begins(word, typed) for word in words) for typed in wanted if not typed.isdigit()
    )


def _numbers_of(words: list[str], typed: str, number: str) -> bool:
    """Whether a word is followed by the typed number, if it has one: row 1 is not row 2."""
    if typed.isdigit() or not number.isdigit():
        return True
    behind = [
        takewhile(str.isdigit, words[place + 1 :])
        for place, word in enumerate(words)
        if _begins(word, typed)
    ]
    numbers = [*chain.from_iterable(behind)]
    return not numbers or number in numbers


@lru_cache(maxsize=2**13)  # of thousands of sentences the words are few
def _begins(word: str, typed: str) -> bool:
    """Return True if *typed* abbreviates *word* or is a form of it; numbers are not abbreviated."""
    return word == typed if typed.isdigit() else word.startswith(typed) or word in meanings(typed)


@lru_cache(maxsize=2**13)  # a position may have thousands, each compared many times
def plain(text: str) -> list[str]:
    """Return words in lower case; the number of a table or player, no die, joins its word."""
    bare = unmarked(re.sub(r"[,;:.]+(?=\s|$)|[()]", "", text.lower()))
    return re.sub(rf"\b({words_for(TABLE, PLAYER)})\s+(?=\d+\b)", r"\1-", bare).split()


@cache
def words_for(*messages: Message) -> str:
    """Return a regular expression for the words before the 0 of messages, in all languages."""
    words = {translated(one, spoken) for one in messages for spoken in languages()}
    return f"(?:{'|'.join(sorted(re.escape(word.lower()[:-2]) for word in words))})"


def unmarked(text: str) -> str:
    """Return lower case without diacritics."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFD", text.translate(UMLAUTS))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


# From strict to loose: the first criterion with a match is used.
TIERS: tuple[Fits, ...] = (list.__eq__, numbered, with_its_numbers, in_order, in_any_order)
