"""numba's compiler with a type: what is compiled keeps its signature, wherever numba is missing.

numba has no types of its own, and the environment that checks types does not hold it.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def njit(**options: bool | str) -> Callable[[Kernel], Kernel]:
    """Return a decorator that compiles a function; *options* are those of `numba.njit`."""
    compile_: Callable[[Kernel], Kernel] = numba.njit(**options)
    return compile_
