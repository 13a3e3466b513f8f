#!/bin/sh
# architecture.sh: docs/architecture.svg, and its Chinese twin, are what the sources' #include lines make, and no part includes one above it.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
command -v python3 >/dev/null || { echo "ok # SKIP architecture: no python3"; exit 0; }
[ -n "$(git ls-files docs 2>/dev/null)" ] || { echo "ok # SKIP architecture: not a git checkout"; exit 0; }
if python3 tools/pictures/architecture.py --check; then
    echo "ok the picture of the parts is what the sources make, and no part includes one above it"
else
    echo "not ok the picture of the parts"
    exit 1
fi
