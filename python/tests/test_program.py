"""The command `nonet` of a package without the program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest

import nonet

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the commands are scripts with #!")

# The command of an installed package, next to a module without the program.
COMMAND = """#!{python}
import sys
sys.path.insert(0, {folder!r})
from passing import main
sys.exit(main())
"""

Package = Callable[[str], Path]


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


@pytest.fixture
def package(tmp_path: Path) -> Package:
    """Makes the command of a package without the program."""
    module = Path(nonet.__file__).parent / "__main__.py"

    def make(name: str) -> Path:
        folder = tmp_path / name
        text = COMMAND.format(python=sys.executable, folder=str(folder))
        command = write(folder / "commands/nonet", text)
        shutil.copy(module, folder / "passing.py")
        return command

    return make


def call(command: Path, *folders: Path) -> subprocess.CompletedProcess[str]:
    """Calls a command with these folders as the path."""
    words = [str(command), "levels", "--json"]
    env = {**os.environ, "PATH": os.pathsep.join(map(str, folders))}
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60, env=env)


def test_another_program_on_the_path_runs(package: Package, tmp_path: Path) -> None:
    command = package("a")
    other = write(tmp_path / "other/nonet", '#!/bin/sh\necho "$0 $*"\nexit 3\n')
    done = call(command, command.parent, other.parent)
    assert (done.returncode, done.stdout) == (3, f"{other} levels --json\n"), done.stderr


def test_a_command_never_calls_itself(package: Package, tmp_path: Path) -> None:
    command = package("a")
    link = tmp_path / "links/nonet"
    link.parent.mkdir()
    link.symlink_to(command)
    for called in (command, link):
        done = call(called, link.parent, command.parent)
        assert (done.returncode, done.stdout) == (2, "")
        assert "no other `nonet` on the path" in done.stderr and "wheel of a release" in done.stderr


def test_commands_do_not_call_each_other_for_ever(package: Package, tmp_path: Path) -> None:
    one, two = package("a"), package("b")
    done = call(one, one.parent, two.parent)
    assert done.returncode == 2 and "no other `nonet` on the path" in done.stderr
    script = write(tmp_path / "script/nonet", f'#!/bin/sh\nexec {one} "$@"\n')
    done = call(script, script.parent)
    assert done.returncode == 2 and "no other `nonet` on the path" in done.stderr
