#!/bin/sh
# layers.sh: runs layers.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
