"""Runs the program: `python -m nonet COMMAND ...`, and the command `nonet` of the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Optional

# The variable that names the commands which have passed this call on, one a line.
PASSED_ON = "NONET_PASSED_ON"
# More commands than this end the call: a script on the path may call this module again.
MOST = 8


def program() -> Optional[Path]:
    """The program of this wheel; None if the package was built without it."""
    found = Path(__file__).parent / "bin" / ("nonet.exe" if os.name == "nt" else "nonet")
    return found if found.is_file() else None


def real(path: str) -> str:
    """The path without links. On Windows a command may name itself without its extension."""
    found = os.path.normcase(os.path.realpath(path))
    return found[: -len(".exe")] if found.endswith(".exe") else found


def other_program() -> Optional[Path]:
    """The first `nonet` on the path that has not passed this call on; None if there is none.

    Else the commands of two packages without the program would call each other for ever.
    """
    passed_on = [line for line in os.environ.get(PASSED_ON, "").split("\n") if line]
    passed_on.append(real(sys.argv[0]))
    if len(passed_on) > MOST:
        return None
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("nonet", path=folder)
        if found is not None and real(found) not in passed_on:
            os.environ[PASSED_ON] = "\n".join(passed_on)
            return Path(found)
    return None


def main() -> int:
    """Runs the program with the arguments of this process. The result is its exit status."""
    own = program()
    found = own or other_program()
    if found is None:
        print(
            "this package has no program inside, and there is no other `nonet` on the path: "
            "install a wheel of a release, or build the program with `cargo install --path .` "
            "in the repository",
            file=sys.stderr,
        )
        return 2
    words = [str(found), *sys.argv[1:]]
    if os.name == "nt":
        return subprocess.call(words)
    if own and not os.access(own, os.X_OK):  # Some installers drop the permission.
        own.chmod(own.stat().st_mode | 0o755)
    sys.stdout.flush()
    os.execv(words[0], words)


if __name__ == "__main__":
    sys.exit(main())
