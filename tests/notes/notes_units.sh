#!/bin/sh
# notes_units.sh: runs notes_units.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
