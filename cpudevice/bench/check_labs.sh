#!/bin/sh
# What `cucc --check` costs on every lab: CPU time of `LAB --verify --small`, all rungs at the tests' sizes, plain and
# checked, host code and start included. Prints the labs by their ratio, the worst first; a lab that takes less than 10 ms
# when plain is named only.
# usage: cpudevice/bench/check_labs.sh
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
make -s -k labs labs-check >&2 || exit 1
OMP_WAIT_POLICY=passive # threads that wait for work must not count
export OMP_WAIT_POLICY

ms() { # runs, program: CPU time of one run, by the shell's own account of its children
	sh -c 'n=$1
		while [ $n -gt 0 ]; do timeout 300 "$2" --verify --small >/dev/null 2>&1 || exit 1; n=$((n - 1)); done
		times' - "$@" | sed -n '2s/[ms]/ /gp' | awk -v n="$1" '{ printf "%.1f", 1000 * ($1 * 60 + $2 + $3 * 60 + $4) / n }'
}

echo "# device: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
echo "# date: $(date +%Y-%m-%d)"
echo "# command: cpudevice/bench/check_labs.sh"
echo "lab,plain_ms,check_ms,ratio"
for f in lecture*/*.cu; do
	lab=${f%.cu}
	echo "$lab $(ms 8 build/cpu/"$lab") $(ms 2 build/check/"$lab")"
done | awk '
	NF < 3 { print "# " $1 " fails" > "/dev/stderr"; next }
	$2 < 10 { small = small " " $1; next }
	{ printf "%s,%s,%s,%.1f\n", $1, $2, $3, $3 / $2 | "sort -t, -k4,4rn" }
	END { close("sort -t, -k4,4rn"); if (small) print "# less than 10 ms:" small }'
