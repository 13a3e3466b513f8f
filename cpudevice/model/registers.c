/* registers.c: ptxas names a kernel by its mangled name, the runtime by g++'s __PRETTY_FUNCTION__. Both become
 * "k<4, float>". Where only the template's arguments are written differently, instances that all have the same number of
 * registers still match. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpudev_must.h"
#include "registers.h"
#include "report/lines.h"

enum { NAME = 512 };

static struct {
    unsigned of_all;
    struct entry {
        char name[NAME];
        unsigned registers;
    } * list;
    size_t count;
} told;

/* Replaces each `from` by `to`, which is not shorter. */
static void replace(char name[NAME], const char *from, const char *to)
{
    const size_t old = strlen(from), new = strlen(to);
    for (char *p = name; (p = strstr(p, from)) && strlen(name) + new - old < NAME; p += new) {
        memmove(p + new, p + old, strlen(p + old) + 1);
        memcpy(p, to, new);
    }
}

/* The parameters begin at the first parenthesis outside the template's arguments. */
static size_t before_parameters(const char *name)
{
    static const char unnamed[] = "(anonymous namespace)";
    int depth = 0;
    const char *p = name;
    while (*p && (*p != '(' || depth || !strncmp(p, unnamed, strlen(unnamed)))) {
        depth += (*p == '<') - (*p == '>');
        p += *p == '(' && !depth ? strlen(unnamed) : 1;
    }
    return (size_t)(p - name);
}

/* "k(T*) [with int N = 4; T = float]" -> "k<4, float>"; "void k<4, float>(float*)" -> the same. */
static void plain(const char *called, char name[NAME])
{
    check_kernel_name(called, name, NAME);
    replace(name, "{anonymous}", "(anonymous namespace)");
    if (!strncmp(name, "void ", 5))
        memmove(name, name + 5, strlen(name + 5) + 1);
    char arguments[NAME] = "", *with = strstr(name, " [with ");
    size_t n = 0;
    for (char *p = with; p && (p = strstr(p, " = ")) && n + 2 < sizeof arguments;) {
        p += strlen(" = ");
        const size_t length = strcspn(p, ";]");
        n += (size_t)snprintf(arguments + n, sizeof arguments - n, "%s%.*s", n ? ", " : "<", (int)length, p);
        p += length;
    }
    name[before_parameters(name)] = 0;
    if (n && n + 1 < sizeof arguments && strlen(name) + n + 1 < NAME)
        strcat(strcat(name, arguments), ">");
}

/* A program that uses nothing of libstdc++ is not linked with it. */
static char *demangled(const char *name)
{
    static char *(*demangle)(const char *, char *, size_t *, int *);
    void *library = demangle ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY);
    if (library)
        *(void **)&demangle = dlsym(library, "__cxa_demangle");
    int status = 0;
    return demangle && !strncmp(name, "_Z", 2) ? demangle(name, NULL, NULL, &status) : NULL;
}

static void add(const char *mangled, unsigned registers)
{
    char name[NAME], *readable = demangled(mangled);
    plain(readable ? readable : mangled, name);
    free(readable);
    size_t i = 0;
    while (i < told.count && strcmp(told.list[i].name, name))
        i++;
    if (i == told.count) {
        told.list = must(realloc(told.list, (told.count + 1) * sizeof *told.list));
        strcpy(told.list[told.count++].name, name);
    }
    told.list[i].registers = registers;
}

/* "ptxas info : Compiling entry function 'NAME' for 'sm_90a'", and lines later "... Used N registers, ...". */
static void read_list(FILE *f)
{
    char *line = NULL, kernel[NAME] = "";
    size_t bytes = 0;
    while (getline(&line, &bytes, f) > 0) {
        const char *entry = strstr(line, "entry function '"), *used = strstr(line, "Used ");
        unsigned n;
        if (entry)
            snprintf(kernel, sizeof kernel, "%.*s", (int)strcspn(strchr(entry, '\'') + 1, "'"),
                     strchr(entry, '\'') + 1);
        else if (used && *kernel && sscanf(used, "Used %u registers", &n) == 1)
            add(kernel, n), *kernel = 0;
    }
    free(line);
}

const char *registers_read(const char *setting)
{
    char *end;
    const long n = strtol(setting, &end, 10);
    if (!*end) {
        told.of_all = n >= 1 && n <= 255 ? (unsigned)n : 0;
        return told.of_all ? NULL : "not a number of registers from 1 to 255";
    }
    FILE *f = fopen(setting, "r");
    if (!f)
        return "neither a number of registers from 1 to 255 nor a file that can be read";
    read_list(f);
    fclose(f);
    return told.count ? NULL : "no kernel's registers in it (nvcc -Xptxas -v prints them)";
}

unsigned registers_of(const char *called)
{
    if (told.of_all || !told.count)
        return told.of_all;
    char name[NAME];
    plain(called, name);
    const size_t base = strcspn(name, "<");
    unsigned alike = 0;
    bool differ = false;
    for (const struct entry *e = told.list; e < told.list + told.count; e++) {
        if (!strcmp(e->name, name))
            return e->registers;
        if (strcspn(e->name, "<") != base || strncmp(e->name, name, base))
            continue;
        differ |= alike && alike != e->registers;
        alike = e->registers;
    }
    return differ ? 0 : alike;
}

bool registers_are_listed(void) { return told.count > 0; }
