"""Says why on stderr and exits with status 2 before it reads anything."""

import sys

print("usage: exits_with_2 --config FILE", file=sys.stderr)
raise SystemExit(2)
