#!/bin/sh
# notes_links.sh: runs notes_links.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
