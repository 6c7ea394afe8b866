"""Hooks of the build: the client is built on the way into the wheel, and the readme gets links that work on PyPI."""

import re
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).parent))

import bundle


class ClientHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node, only where there is something to build."""
        return [bundle.NODE] if self._wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self._wanted():
            bundle.build()

    def _wanted(self) -> bool:
        return self.target_name == "wheel" and bundle.stale()


class ReadmeHook(MetadataHookInterface):
    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """The readme; its links to files of the repository lead to where the source is."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = re.sub(r"\]\((?!\w+:)", rf"]({metadata['urls']['Source']}/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
