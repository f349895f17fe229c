"""Runs the program: `python -m nonet COMMAND ...`, and the command `nonet` of a wheel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Optional


def program() -> Optional[Path]:
    """The program of this wheel; None if the package was built without it."""
    found = Path(__file__).parent / "bin" / ("nonet.exe" if os.name == "nt" else "nonet")
    return found if found.is_file() else None


def main() -> int:
    """Runs the program with the arguments of this process. The result is its exit status."""
    found = program()
    if found is None:
        print(
            "this package has no program inside: install a wheel of a release, or build the "
            "program with `cargo install --path .` in the repository",
            file=sys.stderr,
        )
        return 2
    words = [str(found), *sys.argv[1:]]
    if os.name == "nt":
        return subprocess.call(words)
    if not os.access(found, os.X_OK):  # Some installers drop the permission.
        found.chmod(found.stat().st_mode | 0o755)
    sys.stdout.flush()
    os.execv(words[0], words)


if __name__ == "__main__":
    sys.exit(main())
