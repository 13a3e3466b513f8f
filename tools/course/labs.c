#include "labs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void about_option(LabInfo *lab, char *line)
{
    char *field[5] = {0}, *rest = line;
    for (int i = 0; i < 5 && rest; i++)
        field[i] = strsep(&rest, "\t");
    if (!field[4])
        return;
    for (int k = 1; k <= 2; k++) {
        if (!*field[k])
            continue;
        char *name = text("%s%s", k == 1 ? "--" : "-", field[k]);
        list_add(&lab->options, name);
        if (strcmp(field[4], "needed") == 0)
            list_add(&lab->valued, name);
        free(name);
    }
}

static void about_rung(LabInfo *lab, char *line)
{
    strsep(&line, "\t");
    char *number = strsep(&line, "\t"), *type = strsep(&line, "\t"), *rung;
    if (!type || !line)
        return;
    rung = text("%s %s", number, type);
    list_add(&lab->rungs, rung);
    free(rung);
    free(lab->sizes);
    lab->sizes = copy(line);
}

LabInfo lab_about(const char *program)
{
    LabInfo lab = {.name = copy(base_name(program)),
                   .program = copy(program),
                   .title = copy(""),
                   .page = copy(""),
                   .order = INT_MAX};
    char *answer = output_of(lab.program, "--about"), *rest = answer, *line;
    while ((line = strsep(&rest, "\n"))) {
        if (starts_with(line, "lab\t")) {
            strsep(&line, "\t");
            lab.order = atoi(strsep(&line, "\t"));
            if (line)
                strsep(&line, "\t");
            if (line)
                lab.page = copy(strsep(&line, "\t"));
            if (line)
                lab.title = copy(line);
        } else if (starts_with(line, "option\t")) {
            about_option(&lab, line);
        } else if (starts_with(line, "rung\t")) {
            about_rung(&lab, line);
        }
    }
    free(answer);
    return lab;
}

int lab_has_option(const LabInfo *lab, const char *option)
{
    size_t n = option[1] == '-' ? strcspn(option, "=") : 2;
    for (int i = 0; i < lab->options.count; i++)
        if (strncmp(lab->options.item[i], option, n) == 0)
            return 1;
    return 0;
}

int lab_takes_next_word(const LabInfo *lab, const char *option)
{
    if (option[1] == '-' ? strchr(option, '=') != NULL : option[2] != 0)
        return 0;
    for (int i = 0; i < lab->valued.count; i++)
        if (starts_with(lab->valued.item[i], option))
            return 1;
    return 0;
}
