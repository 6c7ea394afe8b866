"""The wheel's build hook: the client is built on the way into the package, also for editable installs."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

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
