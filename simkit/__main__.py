"""Start of a command: `simkit`, which is also `python -m simkit`."""

import os
import signal
import sys
import traceback


def main() -> None:
    """Run the command of this process; Ctrl-C ends it without a traceback, also while libraries load."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not in the background of a script
        signal.signal(signal.SIGINT, _leave)
    try:
        from simkit.cli import main as run_command

        run_command()
    except Exception:
        traceback.print_exc()
        sys.exit(2)  # Python's own code 1 would be a verdict


def _leave(*_: object) -> None:
    os.write(2, b"simkit: stopped\n")
    os._exit(130)


if __name__ == "__main__":
    main()
