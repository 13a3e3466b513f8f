#!/bin/sh
# course.sh COMMAND ...: the course's own tool (tools/course), which is built when it is first needed.
# ./run, make check, make next and the others call it; `tools/course.sh --help` lists the commands.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
MAKEFLAGS='' make -rRs -j4 -f tools/tools.mk build/tools/course || exit 1
exec build/tools/course "$@"
