#!/bin/sh
# site_pieces.sh: runs site_pieces.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
