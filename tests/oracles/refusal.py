"""What an oracle says where a rule is broken."""


class No(Exception):
    """The rules forbid it."""


def need(truth: object) -> None:
    """Raise No unless it is true."""
    if not truth:
        raise No
