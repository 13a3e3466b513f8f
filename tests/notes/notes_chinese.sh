#!/bin/sh
# notes_chinese.sh: runs notes_chinese.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
