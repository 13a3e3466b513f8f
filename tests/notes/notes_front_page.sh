#!/bin/sh
# notes_front_page.sh: runs notes_front_page.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
