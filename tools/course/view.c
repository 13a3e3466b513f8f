/* view.c: ./run LAB --view: a page that shows a launch step by step. The CPU device records it and writes the page
 * (cpudevice/viewer); here its options become the environment that says what to record. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

/* The value of option `name` at argv[*i]: behind its '=' or the next word. NULL: argv[*i] is another option. */
static const char *value_of(const char *name, char **argv, int argc, int *i)
{
    size_t n = strlen(name);
    if (strncmp(argv[*i], name, n) != 0 || (argv[*i][n] && argv[*i][n] != '='))
        return NULL;
    if (argv[*i][n] == '=')
        return argv[*i] + n + 1;
    if (*i + 1 >= argc)
        die(2, "run: %s wants a value", name);
    return argv[++*i];
}

int view_option(View *v, char **argv, int argc, int *i)
{
    const struct {
        const char *name, **value;
    } valued[] = {{"--view-launch", &v->launch},
                  {"--view-block", &v->block},
                  {"--view-svg", &v->picture},
                  {"--view-rows", &v->rows}};
    const char *a = argv[*i], *value;
    for (size_t k = 0; k < sizeof valued / sizeof valued[0]; k++)
        if ((value = value_of(valued[k].name, argv, argc, i))) {
            *valued[k].value = value;
            return v->on = 1;
        }
    if (strcmp(a, "--view") != 0 && !starts_with(a, "--view="))
        return 0;
    if (a[6])
        v->file = a + 7;
    else if (*i + 1 < argc && (ends_with(argv[*i + 1], ".html") || ends_with(argv[*i + 1], ".svg")))
        v->file = argv[++*i];
    return v->on = 1;
}

void view_settings(const View *v, const Course *c, const char *lab, List *set)
{
    char *folder = text("%s/view", c->build);
    char *file = v->file ? copy(v->file) : text("%s/%s.%s", folder, lab, v->picture ? "svg" : "html");
    const char *settings[][2] = {{"", file},
                                 {"_LAUNCH", v->launch ? v->launch : "largest"},
                                 {"_BLOCK", v->block ? v->block : ""},
                                 {"_SVG", v->picture ? v->picture : ""},
                                 {"_ROWS", v->rows ? v->rows : ""}};
    if (!v->file)
        make_folders(folder);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        char *setting = text("CUDA_CPU_VIEW%s=%s", settings[i][0], settings[i][1]);
        list_add(set, setting);
        free(setting);
    }
    free(folder), free(file);
}
