"""What the tests of the module share: the module as it was built, and the program beside it."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
sys.path.insert(0, str(BUILD / "python"))
import slipscope  # noqa: E402, F401

PROGRAM = BUILD / "slipscope"


def program_hashes(folder, *words):
    """What the program's run of these words ends with, by channel."""
    subprocess.run(
        [PROGRAM, "run", *words, "-o", folder, "--force", "--progress", "none"],
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    channels = json.loads((pathlib.Path(folder) / "meta.json").read_text())["channels"]
    return {channel["model"]: channel["state_hash"] for channel in channels}
