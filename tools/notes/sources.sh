#!/bin/sh
# sources.sh: docs/sources.csv as a page, docs/sources.md: what the course's sources show, and the file here that has it (its name; the
# link has the path).
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
awk '
    # The fields of a line of CSV, in field[1..n].
    function split_csv(line, field,   n, c, i, quoted) {
        n = 1; field[1] = ""
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (c == "\"" && quoted && substr(line, i + 1, 1) == "\"") { field[n] = field[n] c; i++ }
            else if (c == "\"") quoted = !quoted
            else if (c == "," && !quoted) field[++n] = ""
            else field[n] = field[n] c
        }
        return n
    }
    BEGIN {
        print "# What the sources teach, and where it is here\n"
        print "This page lists every program, figure, technique and tool of the lectures and pages that the course follows. The tables are made from"
        print "[sources.csv](sources.csv) by `tools/notes/sources.sh`, and `make check` checks that each file exists and contains what it must. [中文](sources.zh.md)\n"
    }
    /^#/ || /^source,/ { next }
    { split_csv($0, f); source[++rows] = f[1]; name = f[4]; sub(/.*\//, "", name); line[rows] = "| " f[2] " | " f[3] " | [" name "](../" f[4] ") |" }
    !seen[f[1]]++ { order[++count] = f[1] }
    END {
        for (s = 1; s <= count; s++) {
            print (s > 1 ? "\n" : "") "## " order[s] "\n\n| kind | what | file |\n| --- | --- | --- |"
            for (r = 1; r <= rows; r++)
                if (source[r] == order[s])
                    print line[r]
        }
    }' docs/sources.csv
