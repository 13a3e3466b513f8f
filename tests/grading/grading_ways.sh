#!/bin/sh
# grading_ways.sh [DEVICE] [EXERCISE|NAME...]: runs grading_ways.py, which says what it tests (make check does not run this, for it takes
# ten minutes).
. "$(dirname "$0")/../harness/python.sh"
