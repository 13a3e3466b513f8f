# python.sh, for a test NAME.sh to read in (make check does not run this): runs NAME.py beside it, from the top folder, or says
# SKIP where there is no python3.
# shellcheck shell=sh
cd "$(dirname "$0")/../.." || exit 2
command -v python3 >/dev/null || { echo "ok # SKIP no python3 here, in which this test is written"; exit 0; }
test=$(basename "$0" .sh)
PYTHONPATH=tools:tests/harness exec python3 -B -X utf8 tests/*/"$test.py" "$@"
