/* lesson.c: the lessons in Python, pytorch/NAME.py and triton/NAME.py in the lectures' folders: ./run pytorch/NAME. */
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *lesson_named(const char *name)
{
    List found = {0};
    char *pattern = text("lecture[0-9][0-9]_*/%s.py", name), *path = NULL;
    if (strchr(name, '/') && !strpbrk(name, "*?["))
        list_glob(&found, pattern);
    if (found.count)
        path = copy(found.item[0]);
    list_free(&found);
    free(pattern);
    return path;
}

int lesson_run(const char *path, char **options)
{
    List command = {0};
    list_add(&command, "tools/python/python.sh");
    list_add(&command, path);
    for (; *options; options++)
        list_add(&command, *options);
    execv(command.item[0], command.item);
    die(1, "run: cannot run %s: %s", command.item[0], strerror(errno));
}

/* The first line of a lesson's text is its title: """NAME: what it is about. */
static char *title_of(const char *path)
{
    char *source = file_read(path, NULL), *quotes = source ? strstr(source, "\"\"\"") : NULL;
    char *line = quotes ? text("%.*s", (int)strcspn(quotes + 3, "\n"), quotes + 3) : copy("");
    char *colon = strstr(line, ": "), *title = copy(colon ? colon + 2 : line);
    if (ends_with(title, "."))
        title[strlen(title) - 1] = 0;
    free(source), free(line);
    return title;
}

void lessons_list(const char *lecture)
{
    List found = {0};
    char *pattern = text("%s/*/*.py", lecture);
    list_glob(&found, pattern);
    for (int i = 0; i < found.count; i++) {
        const char *name = strchr(found.item[i], '/') + 1;
        char *title = title_of(found.item[i]);
        printf("    %.*s%*s  %s\n", (int)strlen(name) - 3, name, (int)(21 - strlen(name)), "", title);
        free(title);
    }
    list_free(&found);
    free(pattern);
}
