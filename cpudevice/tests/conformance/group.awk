# group.awk: one translation unit of many cases, so that hundreds compile in minutes.
#   awk -f group.awk cpudevice/tests/conformance/THEME/*.cu >THEME.cu     (compile with -Icpudevice/tests/conformance)
# Each case stands in a namespace of its own, its main renamed and its macros undefined after it. The program runs the
# case that its argument names. Cases with a line "// alone" are left out, and so are those that -v leave="THEME/NAME
# ..." names.
BEGIN {
    count = split(leave, list, " ")
    for (i = 1; i <= count; i++)
        left_out[list[i]] = 1
}
FNR == 1 {
    n = split(FILENAME, part, "/")
    sub(/\.cu$/, "", part[n])
    name = part[n - 1] "/" part[n]
    if (!(name in left_out)) {
        order[++cases] = name
        alone[name] = 0
    }
}
/^\/\/ alone/ { alone[name] = 1 }
/^#include </ { if (!included[$2]++) print $0 }
/^#[ ]*define / {
    macro = $0
    sub(/^#[ ]*define /, "", macro)
    sub(/[^A-Za-z_0-9].*/, "", macro)
    macros[name] = macros[name] "#undef " macro "\n"
}
END {
    print "#include <cstring>\n#include \"conformance.h\""
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (alone[name])
            continue
        space = name
        gsub(/[^A-Za-z0-9]/, "_", space)
        printf "namespace case_%s {\n#define main case_main\n#include \"%s.cu\"\n#undef main\n%s}\n", space, name, macros[name]
        table = table sprintf("    {\"%s\", case_%s::case_main},\n", name, space)
    }
    print "static const struct { const char *name; int (*run)(); } cases[] = {\n" table "};"
    print "int main(int argc, char **argv)\n{"
    print "    for (const auto &c : cases)\n        if (argc == 2 && !strcmp(argv[1], c.name)) return c.run();"
    print "    for (const auto &c : cases) puts(c.name);\n    return 2;\n}"
}
