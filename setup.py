"""Packages and compiled modules. Everything else about the build is in pyproject.toml."""

import os
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent.resolve()
TOPS = ("engine", "ext", "server")  # the folder ext/ is imported as lanner.ext
PACKAGE = "server/package"  # holds lanner/__init__.py
SHARED = "lanner.ext._cyutility"  # Cython's memoryview support, compiled once for all modules
CHECKED = bool(os.environ.get("LANNER_CHECKED"))  # asserts, bounds checks and the sanitizers

SANITIZE = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer"]
# Strict comparison of floats is kept: scores must tie exactly where the formula ties.
FAST = ["-O3", "-fno-math-errno", "-fno-trapping-math", "-fno-semantic-interposition"]
CFLAGS = ["-O1", "-g", *SANITIZE] if CHECKED else FAST
LDFLAGS = SANITIZE if CHECKED else []
MACROS = [] if CHECKED else [("CYTHON_WITHOUT_ASSERTIONS", "1")]
HEADERS = [str(path.relative_to(ROOT)) for path in (ROOT / "ext").rglob("*.h")]
DIRECTIVES = {
    "language_level": 3,
    "embedsignature": True,
    "auto_pickle": False,
    # C semantics in every build; only the checks differ.
    "cdivision": True,
    "wraparound": False,
    "boundscheck": CHECKED,
    "initializedcheck": CHECKED,
}


def packages() -> list[str]:
    """Every package below the three folders, under its import name, and the one that holds them."""
    names = (name for top in TOPS for name in (top, *(f"{top}.{sub}" for sub in find_packages(top))))
    return ["lanner", *(f"lanner.{name}" for name in names if name != "server.package")]


def extension(name: str, *sources: str) -> Extension:
    """Give every module the same flags."""
    return Extension(
        name,
        list(sources),
        include_dirs=["ext"],
        extra_compile_args=CFLAGS,
        extra_link_args=LDFLAGS,
        define_macros=MACROS,
        depends=HEADERS,
    )


def extensions() -> list[Extension]:
    """One extension module per .pyx file below ext/."""
    paths = sorted(path.relative_to(ROOT) for path in (ROOT / "ext").rglob("*.pyx"))
    modules = [extension(".".join(("lanner", *path.with_suffix("").parts)), str(path)) for path in paths]
    return [*modules, extension(SHARED)]


def package_view() -> str:
    """Link the folders as build/view/lanner/*: the shape that path-based tools (cimport, mypy) expect."""
    view = ROOT / "build" / "view"
    (view / "lanner").mkdir(parents=True, exist_ok=True)
    for name, target in (*((top, top) for top in TOPS), ("__init__.py", f"{PACKAGE}/__init__.py")):
        link = view / "lanner" / name
        if not link.is_symlink():
            link.symlink_to(Path("..", "..", "..", target))
    return str(view.relative_to(ROOT))


class BuildExt(build_ext):
    """Run Cython at build time only: metadata commands stay fast and the sdist holds .pyx, not .c."""

    def build_extensions(self) -> None:
        """Translate .pyx to .c under build/cython, then compile."""
        from Cython.Build import cythonize

        self.parallel = self.parallel or os.cpu_count()
        translated = cythonize(
            self.extensions,
            include_path=[package_view()],
            build_dir="build/cython",
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED,
            nthreads=self.parallel,
            annotate=CHECKED,
            force=self.force,
        )
        sources = {module.name: module.sources for module in translated}
        for module in self.extensions:
            module.sources = sources[module.name]
        super().build_extensions()


setup(
    packages=packages(),
    package_dir={"lanner": PACKAGE, **{f"lanner.{top}": top for top in TOPS}},
    package_data={"": ["py.typed", "*.pyi", "*.pxd", "*.h", "lists/*.txt"]},
    ext_modules=extensions(),
    cmdclass={"build_ext": BuildExt},
)
