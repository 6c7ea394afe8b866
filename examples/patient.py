from rowlock.bots import Bot


class Patient(Bot):
    """Loses as few cells as it can, and waits rather than lose more than `limit`."""

    def __init__(self, limit=1):
        self.limit = limit

    def decide(self, view, options, rng):
        now = view.sheets[view.seat]

        def cost(option):
            after = view.after(option)  # the own sheet after this option
            if after.misthrows > now.misthrows:
                return 4
            if after == now:  # nothing is marked
                return self.limit + 0.5
            return self.lost(after) - self.lost(now)

        return min(options, key=cost)

    def lost(self, sheet):
        """How many cells were skipped."""
        return sum(states.count("lost") for states in sheet.cells.values())
