#!/bin/sh
# notes_words.sh: runs notes_words.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
