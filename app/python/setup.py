"""The wheel: `python3 -m build --wheel --no-isolation` in this folder. CMake builds the module.

With SLIPSCOPE_BUNDLE=1 the libraries and fonts that it needs are in the wheel, too (needs patchelf and the
fonts of app/setup.sh).
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parents[2]


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        folder = ROOT / "build" / "release"
        configure = ["cmake", "--preset", "release", f"-DSLIP_PYTHON_EXECUTABLE={sys.executable}"]
        subprocess.run(configure, cwd=ROOT, check=True)
        build = ["cmake", "--build", str(folder), "--target", "slipscope_python"]
        subprocess.run(build, cwd=ROOT, check=True)
        package = pathlib.Path(self.build_lib) / "slipscope"
        package.mkdir(parents=True, exist_ok=True)
        for path in (folder / "python" / "slipscope").iterdir():
            if path.is_file():
                shutil.copy2(path, package)
        for name in ("scenes", "assets"):
            ignore = shutil.ignore_patterns("pictures", "CHANGELOG.md")
            shutil.copytree(ROOT / name, package / "share" / name, ignore=ignore, dirs_exist_ok=True)
        if os.environ.get("SLIPSCOPE_BUNDLE") == "1":
            (module,) = package.glob("_slipscope*.so")
            subprocess.run(["strip", "--strip-debug", module], check=True)
            scripts = ROOT / "app" / "package"
            subprocess.run([scripts / "bundle.sh", module, package / "lib"], check=True)
            subprocess.run([scripts / "fonts.sh", package / "share" / "fonts"], check=True)
            licenses = package / "share" / "licenses"
            subprocess.run([scripts / "licenses.sh", package / "lib", licenses], check=True)


version = re.search(r"VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text().split("project(", 1)[1])
setup(
    version=version.group(1),
    ext_modules=[Extension("slipscope._slipscope", [])],
    cmdclass={"build_ext": CMakeBuild},
    package_data={"slipscope": ["py.typed", "*.pyi"]},
)
