# cases.awk: the tests in a file's comments (cases.sh says how they are written) as calls of that script's
# functions. Of tests only those that WANTED names, a line each; all if it is empty.
# "# NAME" is printed for the names of what runs.
function quoted(s) { gsub(/'/, "'\\''", s); return "'" s "'" }
function add(call, text) { body = body call " " quoted(text) "\n" }

# Text with each {line TEXT} replaced.
function numbered(text,    start, what, i) {
    while (match(text, /\{line [^{}]+\}/)) {
        start = RSTART
        what = substr(text, RSTART + 6, RLENGTH - 7)
        for (i = 1; i <= NR && (directive[i] || !index(lines[i], what)); i++)
            ;
        text = substr(text, 1, start - 1) (i <= NR ? i : "none") substr(text, start + length(what) + 7)
    }
    return text
}

function is_wanted(name) { return index("\n" ENVIRON["WANTED"] "\n", "\n" name "\n") }

function end_test() {
    if (test == "" || (ENVIRON["WANTED"] != "" && !is_wanted(test) && !(is_wanted(file) && !named_as_file)))
        return
    if (!opened++)
        printf "# %s\nopen_case %s\n%s", file, quoted(FILENAME), builds
    printf "# %s\nrun %s\nskips %s\nstatus %s\n%s%sclose_test %s\n", test, quoted(commands), quoted(skip), status, body,
        prints == "" ? "" : prints "printed\n", quoted(test)
}

{
    lines[NR] = $0
    if (match($0, /^ *(\/\/|\/\*|\*|#) (BUILD|SKIPS|TEST|RUN|STATUS|SAYS|MATCHES|LACKS|COUNT|PRINTS): /)) {
        directive[NR] = 1
        text[NR] = substr($0, RLENGTH + 1)
        sub(/ *\*\/$/, "", text[NR])
        key[NR] = substr($0, RSTART, RLENGTH - 2)
        sub(/^[^A-Z]*/, "", key[NR])
    }
}
END {
    file = FILENAME
    sub(/.*\//, "", file)
    sub(/\.[^.]*$/, "", file)
    for (n = 1; n <= NR; n++)
        named_as_file += key[n] == "TEST" && text[n] == file
    for (n = 1; n <= NR; n++) {
        if (!directive[n])
            continue
        value = numbered(text[n])
        if (key[n] == "TEST") {
            end_test()
            test = value; commands = ""; body = ""; status = 0; skip = skips; prints = ""
        } else if (key[n] == "BUILD") {
            builds = builds "build " quoted(value) "\n"
        } else if (key[n] == "SKIPS") {
            skip = value
            if (test == "")
                skips = value
        } else if (key[n] == "RUN") {
            commands = commands (commands == "" ? "" : "\n") value
        } else if (key[n] == "STATUS") {
            status = value
        } else if (key[n] == "PRINTS") {
            prints = prints "prints " quoted(value) "\n"
        } else {
            add(tolower(key[n]), value)
        }
    }
    end_test()
}
