#!/bin/sh
# profiler_cupti.sh: runs profiler_cupti.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
