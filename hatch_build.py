"""Build hook: a wheel has the content in the package; an editable installation reads it from the checkout."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CONTENT = ("strategies", "experiments", "reports", "docs/guide.md")


class ContentHook(BuildHookInterface[Any]):
    """Adds the content to a wheel, where it never meets another package of the same name."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Map the folders of content into the package."""
        if version == "standard":
            build_data["force_include"] |= {name: f"simkit/content/{name}" for name in CONTENT}
