"""Whatever a file holds: it is read, or it is one exception with sentences. Nothing else ever comes."""

import os
import pathlib
import random
import re
import tempfile
import unittest
import warnings

from support import ROOT, slipscope

CORPUS = ROOT / "tests" / "fuzz" / "corpus"


def broken(text, numbers):
    """Cut off, a part gone, a part twice, a few bytes others, or a number that is none."""
    at, end = sorted(numbers.randrange(len(text) + 1) for _ in range(2))
    kind = numbers.randrange(5)
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text[:at] + text[end:]
    if kind == 2:
        return text[:end] + text[at:]
    if kind == 3:
        bytes_ = bytearray(text)
        for _ in range(min(4, len(bytes_))):
            bytes_[numbers.randrange(len(bytes_))] = numbers.randrange(256)
        return bytes(bytes_)
    found = list(re.finditer(rb"-?\d+\.?\d*", text))
    if not found:
        return text
    number = numbers.choice(found)
    other = numbers.choice([b"nan", b"-1e400", b"0", b"-1", b"99999999999999999999", b"'x'"])
    return text[: number.start()] + other + text[number.end() :]


class BadInputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.refused = self.read = 0

    def take(self, call):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call()
            self.read += 1
        except slipscope.Error as error:
            self.assertTrue(str(error).strip())
            self.assertNotIn(" --", str(error).replace("slipscope --version", ""))
            self.refused += 1

    def each(self, kind, suffix, call):
        """The corpus of a kind, and each file of it broken in so many ways."""
        numbers = random.Random(7)
        ways = int(os.environ.get("SLIPSCOPE_PYTHON_BROKEN", "12"))
        for source in sorted((CORPUS / kind).iterdir()):
            whole = source.read_bytes()
            for text in [whole] + [broken(whole, numbers) for _ in range(ways)]:
                path = self.folder / (source.name.replace(".", "-") + suffix)
                path.write_bytes(text)
                self.take(lambda: call(path))
        self.assertGreater(self.refused, 3, kind)

    def test_scenes(self):
        self.each("scene", ".toml", slipscope.Scene)
        self.take(lambda: slipscope.Scene.from_text("\0"))

    def test_robots(self):
        self.each("urdf", ".urdf", slipscope.Scene)
        self.each("mjcf", ".xml", slipscope.Scene)

    def test_problems(self):
        self.each("problem", ".json", slipscope.solve)

    def test_recorded_runs(self):
        self.each("npz", ".npz", slipscope.load)
        self.refused = 0
        self.each(
            "npz", ".npz", lambda path: slipscope.run("conveyor", "sap", steps=1, foreign=[path])
        )

    def test_studies(self):
        # a study that can be read would be run: its head alone
        numbers = random.Random(7)
        for source in sorted((CORPUS / "study").iterdir()):
            for _ in range(12):
                text = broken(source.read_bytes(), numbers)
                text = text.replace(b"[[run]]", b"[[rnu]]").decode(errors="replace") + "\n"
                self.take(lambda text=text: slipscope.study(text, quick=True))
        self.assertGreater(self.refused, 10)

    def test_meshes_and_clouds(self):
        scene = """title = "a body of a file"
[material.a]
[body.b]
shape = "{kind}"
file = "{file}"
mass = 1
position = [0, 0, 1]
"""
        for kind, suffix in (("mesh", ".obj"), ("cloud", ".ply"), ("cloud", ".csv")):
            self.refused = 0

            def read(path, kind=kind):
                text = scene.format(kind=kind, file=path.name)
                slipscope.Scene.from_text(text, str(self.folder / "scene.toml"))

            self.each(kind, suffix, read)


if __name__ == "__main__":
    unittest.main()
