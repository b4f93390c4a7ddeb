from __future__ import annotations

from tests.ui.gateway.fault_scene import scene, stage

__all__ = ["scene", "stage"]
