#!/bin/sh
# notes_editor.sh: runs notes_editor.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
