# notes.awk: one Markdown file in, the same with its generated parts out. See notes.sh for what a note may ask for.
#   -v lesson=1     a table of more than 8 rows is refused: it belongs on the lecture's page of measurements
#   -v accept=1     figures in the prose are rewritten instead of compared
# A column of a table that says nothing in any row that is shown is left out, unless the note asked for it by name.

function fail(what) { print "notes: " FILENAME ":" FNR ": " what > "/dev/stderr"; bad = 1 }

# ---- CSV files: cell[file, row, column name], read once each
function load(csv,   line, n, i, count, cells) {
    if (csv in rows_of) return rows_of[csv] >= 0
    rows_of[csv] = -1
    n = -1
    while ((getline line < csv) > 0) {
        sub(/\r$/, "", line)
        if (line ~ /^# /) {
            sub(/^# /, "", line)
            if (match(line, /^(device|date|command|versions): /)) about[csv, substr(line, 1, RLENGTH - 2)] = substr(line, RLENGTH + 1)
            else remark[csv] = remark[csv] (remark[csv] == "" ? "" : " ") line
            continue
        }
        count = split(line, cells, ",")
        if (n++ < 0) {
            header[csv] = line
            for (i = 1; i <= count; i++) { column[csv, i] = cells[i]; has[csv, cells[i]] = 1 }
            continue
        }
        for (i = 1; i <= count; i++) cell[csv, n, column[csv, i]] = cells[i]
    }
    close(csv)
    rows_of[csv] = n
    if (n < 0) fail("cannot read " csv)
    return n >= 0
}
function underscored(v) {
    gsub(" ", "_", v)
    return v
}
# The column's own name, where the note writes _ for a blank.
function named(csv, name,   spaced) {
    if ((csv, name) in has) return name
    spaced = name
    gsub("_", " ", spaced)
    return (csv, spaced) in has ? spaced : name
}
# Does row r of the file agree with a condition such as rung=1|2&size=8192x8192 ?
function agrees(csv, r, where,   p, i, k, pairs, v, values, n, ok, name) {
    p = split(where, pairs, "&")
    for (i = 1; i <= p; i++) {
        k = index(pairs[i], "=")
        if (!k) { fail("a condition without =: " pairs[i]); return 0 }
        name = substr(pairs[i], 1, k - 1)
        if (!((csv, name) in has)) gsub(" ", "_", name) # the whole condition of a table has blanks for _
        name = named(csv, name)
        if (!((csv, name) in has)) { fail(csv " has no column " name); return 0 }
        v = cell[csv, r, name]
        n = split(substr(pairs[i], k + 1), values, "|")
        ok = 0
        for (k = 1; k <= n; k++) if (v == values[k] || v == underscored(values[k])) ok = 1
        if (!ok) return 0
    }
    return 1
}

# ---- tables
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
function power_of_two(v,   k) {
    for (k = 0; v > 1 && v % 2 == 0; k++) v /= 2
    return v == 1 ? k : -1
}
function figure(h, v,   k) {
    if (v == "") return ""
    if ((h == "of_copy" || h == "vs_vendor" || h == "vs_before") && v + 0 == 0) return ""
    if (h == "of_copy" || (h ~ /^vs_/ && h != "vs_before" && v ~ /^[0-9.]+$/)) return sprintf("%.3f", v)
    if (h == "vs_before") return sprintf("%.2fx", v)
    if (h == "gbps" || h == "tflops") return v + 0 == 0 ? "" : sprintf("%.4g", v)
    if (h == "time_ms") return sprintf("%.4g", v)
    if (h == "size" && v ~ /^[0-9]+$/ && v + 0 >= 65536 && (k = power_of_two(v + 0)) > 0) return "2^" k
    if (h == "size" && v ~ /^[0-9]+(x[0-9]+)+$/) { gsub("x", " × ", v); return v }
    return v
}
function table(csv, columns, where,   r, i, k, want, wanted, asked, rows, line, out, text, shown, wide, titles, lab) {
    if (!load(csv)) return
    asked = columns != ""
    if (!asked) {
        wide = ((csv, "rung") in has) && ((csv, "vs_vendor") in has)
        columns = wide ? "rung,name,type,size,mode,time_ms,gbps,tflops,of_copy,vs_vendor,vs_before" : header[csv]
    }
    wanted = split(columns, want, ",")
    for (k = 1; k <= wanted; k++) {
        titles[k] = heading(want[k])
        if ((i = index(want[k], "="))) { titles[k] = substr(want[k], i + 1); want[k] = substr(want[k], 1, i - 1); gsub("_", " ", titles[k]) }
        want[k] = named(csv, want[k])
        if (!((csv, want[k]) in has)) { fail(csv " has no column " want[k]); return }
    }
    rows = 0
    for (r = 1; r <= rows_of[csv]; r++) {
        if (!agrees(csv, r, where)) continue
        rows++
        for (k = 1; k <= wanted; k++) {
            out[rows, k] = figure(want[k], cell[csv, r, want[k]])
            if (want[k] == "mode" && out[rows, k] == "interleaved" && !asked) out[rows, k] = ""
            if (out[rows, k] !~ /^[-+]?[0-9.]*(e[-+]?[0-9]+)?x?( %)?$/) text[k] = 1
            if (want[k] == "time_ms" && out[rows, k] == "" && ((csv, "check") in has)) # not timed: why
                out[rows, k] = cell[csv, r, "check"]
            if (asked || out[rows, k] != "") shown[k] = 1
        }
    }
    if (!rows) { fail(csv " has no row where " where); return }
    if (lesson && rows > 8) fail("a table of " rows " rows: choose some (where ...); all stand on the page of measurements")
    for (i = -1; i <= rows; i++) { # the heading, the rule below it, the rows
        line = "|"
        for (k = 1; k <= wanted; k++)
            if (k in shown)
                line = line " " (i > 0 ? out[i, k] : i < 0 ? titles[k] : k in text ? "---" : "---:") " |"
        print line
    }
    print ""
    lab = csv
    sub(/.*\//, "", lab)
    sub(/\.csv$/, "", lab)
    if (csv ~ /\/cpu\//) lab = "cpu-" lab
    if (lesson) print "*" about[csv, "device"] ", " about[csv, "date"] "; [how, and all rows](measured.md#" lab ")*"
    else
        print "*" csv ". device: " about[csv, "device"] ((csv, "versions") in about ? "; versions: " about[csv, "versions"] : "") \
            "; date: " about[csv, "date"] "; command: " about[csv, "command"] (remark[csv] == "" ? "" : ". " remark[csv]) "*"
}

# ---- code: a piece of a source file, between markers or a whole definition
function code(file, name,   line, n, i, found, on, text, indent, least, last) {
    n = 0
    found = on = 0 # on: how many pieces deep; pieces may lie within each other
    while ((getline line < file) > 0) {
        if (line ~ ("^[ \t]*// notes: " name "$")) { if (found++) fail(file " has two pieces called " name); on = 1; continue }
        if (on && line ~ /^[ \t]*\/\/ notes: [a-z_0-9]+$/) { on++; continue }
        if (on && line ~ /^[ \t]*\/\/ notes end$/) { on--; continue }
        if (on) text[++n] = line
    }
    close(file)
    if (on) fail(file ": the piece " name " is not closed")
    if (!found) { # the definition that begins at the left margin and names it, to the brace that closes it there
        last = ""
        while ((getline line < file) > 0) {
            if (!on && line ~ ("^[a-zA-Z_].*[ *]" name "\\(") && line !~ /;[ \t]*$/) {
                if (found++) fail(file " defines " name " twice")
                on = 1
                if (last ~ /^template/) text[++n] = last
            }
            if (on && line !~ /^[ \t]*\/\/ notes(: [a-z_0-9]+| end)$/) text[++n] = line
            if (on && (line ~ /^}/ || line ~ /\}[ \t]*$/ && line ~ ("[ *]" name "\\("))) on = 0
            last = line
        }
        close(file)
    }
    if (!found) { fail(file " has no piece and no function called " name); return }
    least = 99
    for (i = 1; i <= n; i++) if (text[i] ~ /[^ \t]/ && text[i] !~ /^#/) { match(text[i], /^ */); if (RLENGTH < least) least = RLENGTH }
    print "```cuda"
    for (i = 1; i <= n; i++) print text[i] ~ /^#/ ? text[i] : substr(text[i], least + 1) # the preprocessor's lines stand at the margin
    print "```"
    sub(/^\.\//, "", file)
    print ""
    print "*from [" shown_name(file) "](" relative(file) ")*"
}
function shown_name(file) { sub(/.*\//, "", file); return file }
function relative(file,   dir) {
    dir = FILENAME
    if (!sub(/\/[^\/]*$/, "", dir)) return file
    if (index(file, dir "/") == 1) return substr(file, length(dir) + 2)
    return "../" file
}

# ---- a recorded text, as tools/notes/listings.sh records them: lines "# command: ..." stand below it
function listing(file,   line, lines) {
    print "```text"
    while ((getline line < file) > 0) {
        if (line ~ /^# /) { if (line ~ /^# (command|versions): /) { sub(/^# /, "", line); lines = lines (lines == "" ? "" : "; ") line } }
        else print line
    }
    close(file)
    print "```"
    print ""
    if (lines == "") fail("cannot read " file)
    print "*[" shown_name(file) "](" relative(file) "). " lines "*"
}

# ---- figures in the prose: <!--= EXPRESSION -->text<!--/-->. An expression is cells and numbers, joined by / * - +, from
# left to right; a cell is FILE[CONDITION].COLUMN, FILE below results/ (h200/ where it names no folder), without .csv; .rows
# instead of a column is how many rows there are.
function value(word,   file, where, name, r, hit, v) {
    gsub("\001", " ", word)
    if (word ~ /^[0-9.]+$/) return word + 0
    if (!match(word, /^[a-z0-9_\/-]+\[[^]]*\]\.[A-Za-z0-9_\/]+$/)) { fail("not a cell: " word); return 0 }
    file = where = name = word
    sub(/\[.*/, "", file)
    sub(/^[^[]*\[/, "", where)
    sub(/\]\.[A-Za-z0-9_\/]+$/, "", where)
    sub(/.*\]\./, "", name)
    if (file !~ /\//) file = "h200/" file
    file = "results/" file ".csv"
    if (!load(file)) return 0
    name = named(file, name)
    hit = 0
    for (r = 1; r <= rows_of[file]; r++) if (agrees(file, r, where)) { hit++; v = cell[file, r, name] }
    if (name == "rows") return hit
    if (!((file, name) in has)) fail(file " has no column " name)
    else if (hit != 1) fail(hit " rows of " file " where " where)
    return v + 0
}
function evaluate(expression,   words, n, i, v, x, rest) {
    rest = expression
    expression = ""
    while (match(rest, /\[[^]]*\]/)) { # a blank within brackets belongs to the condition
        x = substr(rest, RSTART, RLENGTH)
        gsub(" ", "\001", x)
        expression = expression substr(rest, 1, RSTART - 1) x
        rest = substr(rest, RSTART + RLENGTH)
    }
    n = split(expression rest, words, " ")
    v = value(words[1])
    for (i = 2; i < n; i += 2) {
        x = value(words[i + 1])
        if (words[i] == "/") { if (x == 0) { fail("divides by nothing"); return 0 } v /= x }
        else if (words[i] == "*") v *= x
        else if (words[i] == "-") v -= x
        else if (words[i] == "+") v += x
        else fail("not an operation: " words[i])
    }
    return v
}
# Compares a figure of the prose with its cells: it must be them, rounded to as many places as it shows.
function prose(line,   out, expression, shown, plain, v, places, unit, d) {
    out = ""
    while (match(line, /<!--= [^>]*-->[^<]*<!--\/-->/)) {
        out = out substr(line, 1, RSTART - 1)
        shown = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        expression = shown
        sub(/^<!--= */, "", expression)
        sub(/ *-->.*/, "", expression)
        sub(/^<!--[^>]*-->/, "", shown)
        sub(/<!--\/-->$/, "", shown)
        v = evaluate(expression)
        plain = shown
        gsub(/,/, "", plain)
        if (plain !~ /^-?[0-9]+(\.[0-9]+)?$/) fail("not a figure: " shown)
        places = index(plain, ".") ? length(plain) - index(plain, ".") : 0
        unit = 10 ^ -places
        if (!places && match(plain, /0+$/) && plain + 0 != 0) unit = 10 ^ RLENGTH
        d = v - plain
        if ((d < 0 ? -d : d) > 0.5001 * unit) {
            if (accept) shown = places ? sprintf("%." places "f", v) : int(v / unit + 0.5) * unit
            else fail("the text says " shown ", results/ say " sprintf("%.5g", v) " (" expression ")")
        }
        out = out "<!--= " expression " -->" shown "<!--/-->"
    }
    if (line ~ /<!--=/) fail("a figure is not closed on its line")
    if (out ~ /^[ \t]*(> *)?<!--=/) fail("a line begins with a figure: Markdown would end the paragraph there")
    return out line
}

/^<!-- table / {
    print
    columns = where = ""
    for (i = 4; i < NF; i++) {
        if ($i == "columns") columns = $(i + 1)
        if ($i == "where") where = $(i + 1)
    }
    gsub("_", " ", where) # a blank in a value is written _
    table($3, columns, where)
    skipping = 1
    next
}
/^<!-- code / { print; code($3, $4); skipping = 1; next }
/^<!-- listing / { print; listing($3); skipping = 1; next }
/^<!-- end -->/ { skipping = 0 }
!skipping { print prose($0) }
END { if (skipping) fail("a generated part is not closed"); exit bad }
