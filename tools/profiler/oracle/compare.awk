# compare.awk -v oracle=WHAT OURS.csv ORACLE.csv: each kernel's calls and mean, ours beside the oracle's (name,calls,mean_us).
# Right: calls equal, means within 2 % or 0.3 us.
function cut(line,    n, i, c, quoted) { # fields of a CSV line into f[]
    n = 1; f[1] = ""; quoted = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) f[++n] = ""
        else f[n] = f[n] c
    }
    return n
}
NR == FNR { cut($0); if (f[2] == "kernel") { calls[f[1]] = f[3]; mean[f[1]] = f[9] } next }
{
    cut($0)
    name = f[1]
    if (!(name in calls)) next
    d = mean[name] - f[3]; if (d < 0) d = -d
    right = calls[name] == f[2] && (d <= 0.3 || d <= 0.02 * f[3])
    short = name; gsub(/,/, " ", short)
    if (length(short) > 60) short = substr(short, 1, 57) "..."
    printf "%s,%s,%d,%d,%.3f,%.3f,%.3f,%s\n", oracle, short, calls[name], f[2], mean[name], f[3], mean[name] - f[3], right ? "yes" : "NO"
    if (!right) wrong = 1
    seen++
}
END { if (!seen) { print oracle ": nothing to compare" >"/dev/stderr"; wrong = 1 } exit wrong }
