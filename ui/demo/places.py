"""Where a demo's workspace lies, and how its session is known.

The workspace is a folder `tagline-demo-…` among the system's temporary files.  It outlives a kill,
so that `tagline --continue` can go on in it, and is removed when the demo has ended.
"""

from __future__ import annotations

FOLDER = "tagline-demo-"
KIND = "demo"  # the kind of the first row of a demo's session
