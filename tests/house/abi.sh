#!/bin/sh
# abi.sh: runs abi.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
