"""What the one-file program runs: started by a double click, it serves and opens the browser."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()  # the eyes are processes of their own: this same program again
    from webui.__main__ import main

    code = main(sys.argv[1:] or ["serve", "--open"])
    if code and not sys.argv[1:] and sys.stdin and sys.stdin.isatty():
        input("Press Enter to close this window. ")  # which says why it does not start
    sys.exit(code)
