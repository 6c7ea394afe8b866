"""How much the tests do: `quick` in make check, `full` in make test, `soak` in make soak."""

import os

EFFORT = "soak" if os.environ.get("ROWLOCK_SOAK") else "quick" if os.environ.get("ROWLOCK_QUICK") else "full"
QUICK = EFFORT == "quick"
