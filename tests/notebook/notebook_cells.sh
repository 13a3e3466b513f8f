#!/bin/sh
# notebook_cells.sh: runs notebook_cells.py, which says what it tests, with the Python of make notebooks.
cd "$(dirname "$0")/../.." || exit 2
python=$(git rev-parse --show-toplevel 2>/dev/null)/build/notebook-env/bin/python # of the checkout, also in a tree of links
[ -x "$python" ] || { echo "ok # SKIP cells of notebooks: make notebooks has not been run here"; exit 0; }
PYTHONPATH=tools/notebook:tests/harness exec "$python" -B tests/notebook/notebook_cells.py "$@"
