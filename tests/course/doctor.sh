#!/bin/sh
# doctor.sh: runs doctor.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
