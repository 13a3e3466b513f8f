#!/bin/sh
# python.sh DEVICE: the lessons in PyTorch and Triton, each run as a student runs it; a lesson checks itself. Says "ok" or
# "not ok" for each; without `make python` it says why it is skipped.
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
. tests/shell/is.sh

is 2 'usage: python.sh' "python.sh says what it takes" tools/python.sh
mkdir "$out/none"
is 2 'there is no .*nowhere' "make python without Python" env PYTHON=nowhere tools/python.sh make
if [ ! -e build/python/made ]; then
    is 2 "'make python' gets it" "a lesson without PyTorch" env PATH="$out/none:/usr/bin:/bin" tools/python.sh lecture01_profiling/pytorch/square.py
    echo "ok # SKIP the lessons in PyTorch and Triton: make python has not been run here"
    exit 0
fi

python=build/python/bin
files="tools/python/*.py lecture*/pytorch/*.py lecture*/triton/*.py"
is 0 '' "ruff finds nothing" $python/ruff check --no-cache --config tools/python/ruff.toml $files
is 0 '' "formatted by ruff" $python/ruff format --no-cache --check --config tools/python/ruff.toml $files
for lesson in lecture*/pytorch/*.py lecture*/triton/*.py; do
    name=${lesson#*/}
    [ -e "$lesson" ] && is 0 'right\|equal' "./run ${name%.py}" ./run "${name%.py}" --small
done
