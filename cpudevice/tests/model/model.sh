#!/bin/sh
# A launch's time on a chip of round figures, worked out by hand: the cases of this folder.
exec sh "$(dirname "$0")/../harness/cases.sh" model "$@"
