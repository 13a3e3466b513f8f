#!/bin/sh
# notes_tool.sh: runs notes_tool.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
