"""Build hooks of hatch: build the client into the wheel, and make the readme's links absolute for PyPI."""

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
        """Node, if the client has to be built."""
        return [bundle.NODE] if self._must_build() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self._must_build():
            bundle.build()

    def _must_build(self) -> bool:
        return self.target_name == "wheel" and bundle.is_stale()


class ReadmeHook(MetadataHookInterface):
    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme, with relative links turned into URLs below `images` and `files` of the hook's settings."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = re.sub(r"(!\[[^]]*\]\()(?!\w+:)", rf"\g<1>{self.config['images']}/", text)
        text = re.sub(r"\]\((?!\w+:|#)", rf"]({self.config['files']}/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
