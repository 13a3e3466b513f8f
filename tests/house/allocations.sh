#!/bin/sh
# allocations.sh: runs allocations.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
