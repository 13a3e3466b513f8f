# counters.awk: memory counters, a line each, into a table, a line a launch. Reads what the CPU device writes
# (CUDA_CPU_COUNTERS=FILE.csv) and what ncu --csv prints; the metrics have the same names.
#   awk -f counters.awk FILE.csv >TABLE.csv
function fields(line,   n, c, i, quoted) { # into field[1..]; commas within quotes stay
    n = 1
    field[1] = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) field[++n] = ""
        else field[n] = field[n] c
    }
    return n
}
/^==/ || /^#/ { next }
!header && (/metric,value/ || /"Metric Name"/) {
    n = fields($0)
    for (i = 1; i <= n; i++) {
        if (field[i] == "launch" || field[i] == "ID") launch = i
        if (field[i] == "kernel" || field[i] == "Kernel Name") kernel = i
        if (field[i] == "metric" || field[i] == "Metric Name") metric = i
        if (field[i] == "value" || field[i] == "Metric Value") value = i
    }
    header = 1
    print "kernel_name,global_load_requests,shared_load_requests,load_sectors_per_request,store_sectors_per_request,shared_load_conflicts,shared_store_conflicts"
    next
}
header && fields($0) >= value {
    id = field[launch]
    if (!(id in name)) { order[++count] = id; name[id] = field[kernel]; sub(/^void /, "", name[id]); sub(/[<(].*/, "", name[id]) }
    gsub(/,/, "", field[value])
    v[id, field[metric]] = field[value]
}
function count_of(id, m) { return (id, m) in v ? sprintf("%d", v[id, m]) : "" }
function ratio(a, b) { return b > 0 ? sprintf("%.3g", a / b) : "" }
END {
    for (i = 1; i <= count; i++) {
        id = order[i]
        g = "pipe_lsu_mem_global_op_"
        kernel_name = name[id]
        gsub(/,/, "", kernel_name)
        printf "%s,%s,%s,%s,%s,%s,%s\n", kernel_name, count_of(id, "l1tex__t_requests_" g "ld.sum"), count_of(id, "smsp__sass_inst_executed_op_shared_ld.sum"), ratio(v[id, "l1tex__t_sectors_" g "ld.sum"], v[id, "l1tex__t_requests_" g "ld.sum"]),
            ratio(v[id, "l1tex__t_sectors_" g "st.sum"], v[id, "l1tex__t_requests_" g "st.sum"]),
            count_of(id, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"), count_of(id, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum")
    }
}
