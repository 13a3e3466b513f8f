# timed.sh, to be sourced: timed SECONDS NAME LOG command... runs a command with a time limit, its output in the file LOG, and
# says in one line how it went; the NAMEs of those that failed gather in $failed.
failed=
timed() {
    seconds=$1 name=$2 log=$3
    shift 3
    start=$(date +%s)
    if timeout "$seconds" "$@" >"$log" 2>&1; then
        echo "ok      $name ($(($(date +%s) - start)) s)"
    else
        status=$?
        failed="$failed $name"
        echo "FAILED  $name (status $status, $(($(date +%s) - start)) s): $(tail -n 3 "$log" | tr '\n' ' ' | cut -c1-300)"
    fi
}
