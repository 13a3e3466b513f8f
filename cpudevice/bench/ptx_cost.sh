#!/bin/sh
# What inline PTX costs, by family of instructions: beside CUDA C that does the same work, plain and under `cucc --check`, in
# CPU time: medians of launches (ptx_cost.cu), the plain and the checked program run in turn. Both compare every result with
# a loop on the host.
# usage: cpudevice/bench/ptx_cost.sh [ROUNDS]      (5, three times)
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
rounds=${1:-5}
out=build/cpu/ptx_cost
mkdir -p $out
for how in plain check; do
	flag=
	[ $how = check ] && flag=--check
	cpudevice/cucc $flag -O3 -Icommon -o $out/cost_$how cpudevice/bench/ptx_cost.cu || exit 1
done
chrt -f 50 true 2>/dev/null && first='chrt -f 50' # before other programs, where that is allowed
: >$out/cost.txt
for turn in 1 2 3; do
	for how in plain check; do
		$first $out/cost_$how "$rounds" >$out/cost_$how.txt || exit 1
		sed "s/^/$how,/" $out/cost_$how.txt >>$out/cost.txt
	done
done
echo "# device: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
echo "# date: $(date +%Y-%m-%d)"
echo "# command: cpudevice/bench/ptx_cost.sh${1:+ $1}"
echo "family,c_ms,ptx_ms,check_c_ms,check_ms,ptx_over_c,check_over_ptx,check_over_check_c"
awk -F, '
	!($2 in known) { known[$2]; family[++families] = $2 }
	{ times[$1, $3, $2] = times[$1, $3, $2] " " $4 }
	function median(key,   t, n, i, j, x) {
		n = split(times[key], t, " ")
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && t[j - 1] + 0 > t[j] + 0; j--) { x = t[j]; t[j] = t[j - 1]; t[j - 1] = x }
		return t[int((n + 1) / 2)] + 0
	}
	END {
		for (i = 1; i <= families; i++) {
			q = family[i]
			c = median("plain" SUBSEP "c" SUBSEP q); p = median("plain" SUBSEP "ptx" SUBSEP q)
			cc = median("check" SUBSEP "c" SUBSEP q); cp = median("check" SUBSEP "ptx" SUBSEP q)
			printf "%s,%.2f,%.2f,%.1f,%.1f,%.1f,%.1f,%.2f\n", q, c, p, cc, cp, p / c, cp / p, cp / cc
		}
	}' $out/cost.txt
