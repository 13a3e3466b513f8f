# notes.awk: one Markdown file in, the same with its generated tables out. See notes.sh. A column that says nothing in any
# row that is shown is left out, unless the note asked for it by name.
function fail(what) { print FILENAME ": " what > "/dev/stderr"; bad = 1; exit 1 }
# Shorter headings and figures for people.
function heading(h) {
    if (h == "time_ms") return "time, ms"
    if (h == "gbps") return "GB/s"
    if (h == "tflops") return "TFLOP/s"
    if (h == "of_copy") return "of copy"
    if (h == "vs_vendor") return "vs vendor"
    if (h == "vs_before") return "vs rung before"
    gsub("_", " ", h)
    return h
}
function figure(h, v) {
    if (v == "") return ""
    if ((h == "of_copy" || h == "vs_vendor" || h == "vs_before") && v + 0 == 0) return ""
    if (h == "of_copy" || h == "vs_vendor") return sprintf("%.3f", v)
    if (h == "vs_before") return sprintf("%.2fx", v)
    if (h == "gbps" || h == "tflops") return v + 0 == 0 ? "" : sprintf("%.4g", v)
    if (h == "time_ms") return sprintf("%.4g", v)
    return v
}
function table(csv, columns, where,   line, n, i, k, cells, want, count, key, wanted, meta, keep, pairs, p, note, asked, rows) {
    meta = note = ""
    n = rows = 0
    asked = columns != ""
    while ((getline line < csv) > 0) {
        sub(/\r$/, "", line)
        if (line ~ /^# /) {
            if (line ~ /^# (device|date|command|versions):/) { sub(/^# /, "", line); meta = meta (meta == "" ? "" : "; ") line }
            else { sub(/^# /, "", line); note = note (note == "" ? "" : " ") line }
            continue
        }
        if (!n++) {
            count = split(line, cells, ",")
            for (i = 1; i <= count; i++) place[cells[i]] = i
            if (!asked) columns = ("rung" in place && "vs_vendor" in place) ? "rung,name,type,size,time_ms,gbps,tflops,of_copy,vs_vendor,vs_before" : line
            wanted = split(columns, want, ",")
            for (k = 1; k <= wanted; k++) if (!(want[k] in place)) fail(csv " has no column " want[k])
            continue
        }
        split(line, cells, ",")
        keep = 1
        p = split(where, pairs, "&")
        for (i = 1; i <= p; i++) {
            k = index(pairs[i], "=")
            if (k && cells[place[substr(pairs[i], 1, k - 1)]] != substr(pairs[i], k + 1)) keep = 0
        }
        if (!keep) continue
        rows++
        for (k = 1; k <= wanted; k++) {
            cell[rows, k] = figure(want[k], cells[place[want[k]]])
            if (cell[rows, k] !~ /^[-+]?[0-9.]*(e[-+]?[0-9]+)?x?( %)?$/) text[k] = 1
            if (want[k] == "time_ms" && cell[rows, k] == "" && "check" in place) # not timed: why
                cell[rows, k] = cells[place["check"]]
            if (asked || cell[rows, k] != "") shown[k] = 1
        }
    }
    close(csv)
    if (n == 0) fail("cannot read " csv)
    for (i = -1; i <= rows; i++) { # the heading, the rule below it, the rows
        line = "|"
        for (k = 1; k <= wanted; k++)
            if (k in shown)
                line = line " " (i > 0 ? cell[i, k] : i < 0 ? heading(want[k]) : k in text ? "---" : "---:") " |"
        print line
    }
    for (key in place) delete place[key]
    for (key in shown) delete shown[key]
    for (key in text) delete text[key]
    print ""
    print "*" csv ". " meta (note == "" ? "" : ". " note) "*"
}
/^<!-- table / {
    print
    columns = where = ""
    for (i = 4; i < NF; i++) {
        if ($i == "columns") columns = $(i + 1)
        if ($i == "where") where = $(i + 1)
    }
    table($3, columns, where)
    skipping = 1
    next
}
/^<!-- end -->/ { skipping = 0 }
!skipping { print }
END { if (skipping && !bad) { print FILENAME ": a table is not closed" > "/dev/stderr"; exit 1 } if (bad) exit 1 }
