#!/bin/sh
# make check does not run this; check_counters.sh does. Lays Nsight Compute's counters beside the CPU device's: NCU.csv from
#   ncu --csv --metrics ... counters_kernels     (the program built by nvcc)
# and CPU.csv from CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=CPU.csv (built by
# `cucc --check`). Prints one CSV; differences that the GPU's compiler makes
# are explained in the last column. Exit status 1 if one is not explained.
# usage: compare.sh NCU.csv CPU.csv [EXPLAIN.txt]
export LC_ALL=C
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
awk -v explain="${3:-}" '
function fields(line, f,    n, i, c, q, s) { # CSV with quotes
	n = 0; s = ""; q = 0
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "\"") q = !q
		else if (c == "," && !q) { f[++n] = s; s = "" }
		else s = s c
	}
	f[++n] = s
	return n
}
function base(k) { sub(/\(.*/, "", k); sub(/^void /, "", k); return k }
BEGIN {
	while (explain != "" && (getline line < explain) > 0) # kernel metric-pattern: reason
		if (match(line, /: /)) { key[++notes] = substr(line, 1, RSTART - 1); why[notes] = substr(line, RSTART + 2) }
}
FNR == 1 { file++ }
{ sub(/\r$/, "") }
file == 1 && /^"ID"/ { n = fields($0, f); for (i = 1; i <= n; i++) col[f[i]] = i; next }
file == 1 && ("Metric Value" in col) {
	fields($0, f)
	v = f[col["Metric Value"]]; gsub(/,/, "", v)
	k = base(f[col["Kernel Name"]]); m = f[col["Metric Name"]]
	gpu[k, m] = v
}
file == 2 && FNR > 1 {
	fields($0, f)
	k = base(f[2])
	if (!(k in seen)) { seen[k] = 1; order[++kernels] = k }
	cpu[k, f[5]] = f[6]
}
END {
	split("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum l1tex__t_requests_pipe_lsu_mem_global_op_st.sum " \
	      "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum " \
	      "smsp__sass_inst_executed_op_shared_ld.sum smsp__sass_inst_executed_op_shared_st.sum " \
	      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum " \
	      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum " \
	      "sm__maximum_warps_per_active_cycle_pct", want, " ")
	print "kernel,metric,ncu,cpu_device,difference,verdict,why"
	for (i = 1; i <= kernels; i++) {
		k = order[i]
		for (j = 1; j in want; j++) {
			m = want[j]
			if (!((k, m) in gpu) || !((k, m) in cpu)) continue
			g = gpu[k, m]; c = cpu[k, m]; name = m
			if (m ~ /op_atom.sum$/ && m ~ /global/) { # without a result the compiler makes a reduction of an atomic
				r = m; sub(/op_atom/, "op_red", r); g += gpu[k, r]; c += cpu[k, r]; name = m " + " r
			}
			if (g == 0 && c == 0) continue
			tolerance = m ~ /conflicts|wavefronts/ ? 0.01 * g : m ~ /_pct$/ ? 0.01 * g : 0
			d = c - g
			verdict = (d <= tolerance && -d <= tolerance) ? (d == 0 ? "equal" : "within 1 %") : "differs"
			note = ""
			if (verdict == "differs") {
				for (x = 1; x <= notes; x++) { split(key[x], kk, " "); if (k == kk[1] && m ~ kk[2]) note = why[x] }
				if (note == "") bad++
				else explained++
			} else good++
			printf "%s,%s,%.10g,%.10g,%.10g,%s,\"%s\"\n", k, name, g, c, d, verdict, note
		}
	}
	printf "%d figures agree, %d differ for a known reason, %d differ without one\n", good, explained, bad > "/dev/stderr"
	exit bad > 0
}' "$1" "$2"
