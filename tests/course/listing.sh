#!/bin/sh
# listing.sh: runs listing.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
