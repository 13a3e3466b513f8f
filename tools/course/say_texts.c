/* say_texts.c: solutions/LECTURE/exercises.zh.md and LECTURE/labs.zh.md, whose sections are named as the exercises and
 * the labs are. notes.chinese says which of their blocks are older than the English. */
#include "say.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 76 };

char *say_section(const char *page, const char *name, char **title)
{
    char *heading = text("\n## %s", name), *body = NULL;
    const char *found = page;
    const size_t n = strlen(heading);
    while ((found = strstr(found, heading)) && found[n] != ' ' && found[n] != '\n')
        found += n;
    free(heading);
    if (!found)
        return NULL;
    found += n + (found[n] == ' ');
    *title = text("%.*s", (int)strcspn(found, "\n"), found);
    const char *end = strstr(found, "\n## ");
    body = copy("");
    for (const char *p = found + strcspn(found, "\n"), *next; *p && (!end || p < end); p = next) {
        p += *p == '\n';
        next = p + strcspn(p, "\n");
        if (starts_with(p, "<!-- ")) /* a key, or that the block is older */
            continue;
        char *more = text("%s%.*s\n", body, (int)(next - p), p);
        free(body);
        body = more;
    }
    return body;
}

static void add(char **to, const char *paragraph, const char *between)
{
    char *broken = say_broken(paragraph, COLUMNS),
         *both = *to && **to ? text("%s%s%s", *to, between, broken) : copy(broken);
    free(broken), free(*to);
    *to = both;
}

/* "提示 2：": its length, or 0. */
static size_t hint_at(const char *p)
{
    static const char word[] = "提示 ", colon[] = "：";
    if (!starts_with(p, word))
        return 0;
    const size_t n = strlen(word), digits = strspn(p + n, "0123456789");
    return digits && starts_with(p + n + digits, colon) ? n + digits + strlen(colon) : 0;
}

/* The section's paragraphs, one after the other. */
static void take_paragraphs(ExerciseText *t, char *body)
{
    static const char after[] = "通过之后：";
    free(t->asked), free(t->after);
    t->asked = copy(""), t->after = NULL;
    list_free(&t->hints);
    t->hints = (List){0};
    for (char *p = body, *end; *(p += strspn(p, "\n")); p = end) {
        end = strstr(p, "\n\n");
        if (end)
            *end++ = 0;
        else
            end = p + strlen(p);
        for (char *last = p + strlen(p); last > p && last[-1] == '\n';)
            *--last = 0;
        if (hint_at(p)) {
            char *hint = say_broken(p + hint_at(p), COLUMNS);
            list_add(&t->hints, hint);
            free(hint);
        } else if (starts_with(p, after)) {
            add(&t->after, p + strlen(after) + strspn(p + strlen(after), "\n"), "\n");
        } else {
            add(&t->asked, p, "\n\n");
        }
    }
}

void say_exercise(const Exercise *e, ExerciseText *t)
{
    if (!say_in_chinese())
        return;
    char *path = text("solutions/%s/exercises.zh.md", e->lecture), *page = file_read(path, NULL), *title = NULL;
    char *body = page ? say_section(page, e->number, &title) : NULL;
    if (body) {
        free(t->title);
        t->title = title;
        take_paragraphs(t, body);
    }
    free(path), free(page), free(body);
}

char *say_lecture(const char *lecture)
{
    char *path = text("%s/README.zh.md", lecture), *page = say_in_chinese() ? file_read(path, NULL) : NULL;
    const char *heading = page ? strstr(page, "\n# ") : NULL;
    char *title = heading ? text("%.*s", (int)strcspn(heading + 3, "\n"), heading + 3) : lecture_title(lecture);
    free(path), free(page);
    return title;
}

char *say_lab(const char *lecture, const char *lab, char **look)
{
    char *path = text("%s/labs.zh.md", lecture), *page = say_in_chinese() ? file_read(path, NULL) : NULL, *rest = NULL,
         *title = NULL, *body = page ? say_section(page, lab, &rest) : NULL;
    free(path), free(page), free(rest);
    if (!body)
        return NULL;
    char *p = body + strspn(body, "\n"), *end = strstr(p, "\n\n");
    title = text("%.*s", (int)strcspn(p, "\n"), p);
    end = end ? end + strspn(end, "\n") : p + strlen(p);
    for (char *last = end + strlen(end); last > end && last[-1] == '\n';)
        *--last = 0;
    *look = say_broken(end, COLUMNS);
    free(body);
    return title;
}
