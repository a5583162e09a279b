"""Training with RLlib. Importing this package imports neither torch nor ray; its modules do."""

import os

# Read when torch loads: threads that wait sleep instead of spinning. On cores that others use too, spinning made
# learning on two threads ten times slower.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
