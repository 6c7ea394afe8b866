"""What every server would compute at its start, computed once in the process that the servers are forks of."""

import gc

from rowlock.server.views import available_bots

available_bots()
gc.freeze()  # a server searches only its own objects for garbage
