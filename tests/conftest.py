"""What all tests share."""

import signal

# Whoever starts the tests in the background may have switched Ctrl-C off, and every process they start inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)
