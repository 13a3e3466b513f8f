#!/bin/sh
# python_lessons.sh DEVICE: the lessons in PyTorch and Triton, each run as a student runs it; a lesson checks itself. Says "ok" or
# "not ok" for each; without `make python` it says why it is skipped.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
. cpudevice/tests/harness/is.sh

is 2 'usage: python.sh' "python.sh says what it takes" tools/python/python.sh
mkdir "$out/none"
is 2 'there is no .*nowhere' "make python without Python" env PYTHON=nowhere tools/python/python.sh make
if python3 -c 'import fcntl, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    hold='import extension, sys, time
with extension.building("grey"):
    open(sys.argv[1], "w").close(), time.sleep(float(sys.argv[2]))'
    export TORCH_EXTENSIONS_DIR="$out/extensions" PYTHONPATH=tools/python PYTHONDONTWRITEBYTECODE=1
    mkdir -p "$out/extensions/grey" && : >"$out/extensions/grey/lock"
    is 0 'interrupted build of grey left its lock behind: removed' "an interrupted build's lock is removed" python3 -c "$hold" "$out/first" 0
    if [ -e "$out/first" ] && [ ! -e "$out/extensions/grey/lock" ]; then echo "ok and the build goes on"; else echo "not ok and the build goes on"; fi
    python3 -c "$hold" "$out/second" 60 & # builds for so long
    builder=$!
    until [ -e "$out/second" ]; do sleep 0.1; done
    : >"$out/extensions/grey/lock"
    is 124 '' "a build that is under way is waited for" timeout 10 python3 -c "$hold" "$out/third" 0
    if [ -e "$out/extensions/grey/lock" ] && [ ! -e "$out/third" ]; then echo "ok and keeps its lock"; else echo "not ok and keeps its lock"; fi
    kill -KILL $builder
    is 0 'left its lock behind' "until it is killed" timeout 60 python3 -c "$hold" "$out/fourth" 0
    unset TORCH_EXTENSIONS_DIR PYTHONPATH
else
    echo "ok # SKIP the extension build's lock: no python3 here"
fi
if [ ! -e build/python/made ]; then
    is 2 "'make python' installs it" "a lesson without PyTorch" env PATH="$out/none:/usr/bin:/bin" tools/python/python.sh lecture01_profiling/pytorch/square.py
    echo "ok # SKIP the lessons in PyTorch and Triton: make python has not been run here"
    exit 0
fi

python=build/python/bin
files=$(find tools tests/harness tests/course tests/grading tests/house tests/notes cpudevice/bench cpudevice/tests lecture*/pytorch lecture*/triton -name "*.py")
is 0 '' "ruff finds nothing" $python/ruff check --no-cache --config tools/python/ruff.toml $files
is 0 '' "formatted by ruff" $python/ruff format --no-cache --check --config tools/python/ruff.toml $files
for lesson in lecture*/pytorch/*.py lecture*/triton/*.py; do
    name=${lesson#*/}
    [ -e "$lesson" ] && is 0 'right\|equal' "./run ${name%.py}" ./run "${name%.py}" --small
    cp "$out/said" "$out/lesson"
    is 1 '' "${name%.py}: no warning that the lesson does not explain" grep -E '^[EW][0-9]{4} |UserWarning|^ERROR:' "$out/lesson"
done
