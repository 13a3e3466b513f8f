#!/bin/sh
# chinese_words.sh: runs chinese_words.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
