/* listing_read.c: reads what nvcc -ptx or nvdisasm -g printed: the wanted kernels, each a row of instructions, of labels, and
 * of the source lines that they come from. */
#include "listing.h"
#include "../process.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A kernel's name without what two compilers write in two ways: (int)128 and 128, blanks, (anonymous namespace). */
static char *bare_name(const char *name)
{
    char *bare = copy(name), *to = bare;
    for (const char *p = name; *p;) {
        size_t inside = *p == '(' ? strspn(p + 1, "abcdefghijklmnopqrstuvwxyz_ ") : 0;
        if (inside && p[1 + inside] == ')')
            p += inside + 2;
        else
            *to++ = *p++;
    }
    *to = 0;
    bare[strcspn(bare, "(")] = 0; /* the arguments */
    size_t word = strspn(bare, "abcdefghijklmnopqrstuvwxyz");
    const char *from = bare[word] == ' ' && word ? bare + word : bare; /* the type that it returns */
    for (to = bare; *from; from++)
        if (*from != ' ' && *from != '\t')
            *to++ = *from;
    *to = 0;
    return bare;
}

/* Is the kernel one of the wanted? A name without template arguments wants all of that template. */
static int is_wanted(const Listing *l, const char *name)
{
    char *bare = bare_name(name), *base = text("%.*s", (int)strcspn(bare, "<"), bare);
    int yes = l->wanted.count == 0;
    for (int i = 0; i < l->wanted.count && !yes; i++) {
        char *want = bare_name(l->wanted.item[i]);
        yes = strcmp(bare, want) == 0 || (!strchr(want, '<') && strcmp(base, want) == 0);
        free(want);
    }
    free(bare), free(base);
    return yes;
}

typedef struct Reader {
    const Listing *l;
    Kernel *kernels;
    int count;
    int on;     /* within a wanted kernel: the last of `kernels` */
    List files; /* of PTX: NUMBER, PATH in turn */
    char *last_file, *source, *source_path;
    long last_line;
} Reader;

static void add(Reader *r, ItemKind kind, char *what, char *place)
{
    Kernel *k = &r->kernels[r->count - 1];
    k->items = realloc(k->items, (size_t)(k->count + 1) * sizeof *k->items);
    if (!k->items)
        die(1, "listing: out of memory");
    k->items[k->count++] = (Item){kind, what, place};
}

static void begin(Reader *r, char *id)
{
    char *name = output_of("c++filt", id);
    r->on = is_wanted(r->l, name);
    free(r->last_file);
    r->last_file = NULL, r->last_line = 0;
    if (!r->on) {
        free(id), free(name);
        return;
    }
    r->kernels = realloc(r->kernels, (size_t)(r->count + 1) * sizeof *r->kernels);
    if (!r->kernels)
        die(1, "listing: out of memory");
    r->kernels[r->count++] = (Kernel){.id = id, .name = name};
}

/* The text of a file's line, without its indentation; the file that was asked for last is kept. */
static char *source_line(Reader *r, const char *path, long line)
{
    if (!r->source_path || strcmp(r->source_path, path) != 0) {
        free(r->source_path), free(r->source);
        r->source_path = copy(path), r->source = file_read(path, NULL);
    }
    const char *p = r->source ? r->source : "";
    for (long n = 1; n < line && *p; n++)
        p += strcspn(p, "\n"), p += *p == '\n';
    p += strspn(p, " \t");
    return text("%.*s", (int)strcspn(p, "\n"), p);
}

/* What follows comes from that line. Lines outside the course's folder are not shown. */
static void at_line(Reader *r, const char *path, long line)
{
    if (!path || !*path || line == 0 || (r->last_file && r->last_line == line && strcmp(r->last_file, path) == 0))
        return;
    free(r->last_file);
    r->last_file = copy(path), r->last_line = line;
    size_t root = strlen(r->l->root);
    if (strncmp(path, r->l->root, root) == 0 && path[root] == '/')
        add(r, ITEM_LINE, source_line(r, path, line), text("%s:%ld", base_name(path), line));
}

/* Text with each run of blanks as one, none at its beginning, and without what follows `end`. */
static char *squeezed(const char *p, const char *end)
{
    char *out = text("%.*s", (int)(end - p), p), *to = out;
    for (const char *from = out + strspn(out, " \t"); *from; from++)
        if (*from != ' ' && *from != '\t')
            *to++ = *from;
        else if (to == out || to[-1] != ' ')
            *to++ = ' ';
    *to = 0;
    return out;
}

/* ---- PTX ------------------------------------------------------------------------------------------------------ */

/* `.file 1 "path"`, or the same with a date behind it. */
static void ptx_file(Reader *r, const char *line)
{
    const char *number = line + strcspn(line, "0123456789"), *open = strchr(line, '"');
    const char *close = open ? strchr(open + 1, '"') : NULL;
    if (!starts_with(line + strspn(line, " \t"), ".file") || !close)
        return;
    char *n = text("%ld", strtol(number, NULL, 10)), *path = text("%.*s", (int)(close - open - 1), open + 1);
    list_add(&r->files, n), list_add(&r->files, path);
    free(n), free(path);
}

static const char *ptx_path(const Reader *r, long number)
{
    for (int i = r->files.count - 2; i >= 0; i -= 2)
        if (strtol(r->files.item[i], NULL, 10) == number)
            return r->files.item[i + 1];
    return NULL;
}

static void ptx_line(Reader *r, const char *line)
{
    const char *entry = strstr(line, ".entry ");
    if (entry)
        begin(r, text("%.*s", (int)strcspn(entry + 7, "( "), entry + 7));
    else if (*line == '}')
        r->on = 0;
    else if (!r->on)
        return;
    else if (starts_with(line, "\t.loc")) {
        char *rest;
        long file = strtol(line + 5, &rest, 10);
        at_line(r, ptx_path(r, file), strtol(rest, NULL, 10));
    } else if (starts_with(line, "$L"))
        add(r, ITEM_LABEL, text("%.*s", (int)strcspn(line, ":"), line), NULL);
    else if (*line == '\t') {
        const char *p = line + 1, *end = line + strlen(line);
        p += *p == '@', p += *p == '%', p += *p == '!';
        if (islower((unsigned char)*p)) {
            end -= end[-1] == ';';
            add(r, ITEM_CODE, squeezed(line, end), NULL);
        }
    }
}

/* ---- machine code --------------------------------------------------------------------------------------------- */

/* `//## File "PATH", line N`, perhaps with `inlined at "PATH", line N`. */
static void sass_place(Reader *r, const char *line)
{
    const char *path = strchr(line, '"') + 1, *at = NULL;
    char *file = text("%.*s", (int)strcspn(path, "\""), path);
    for (const char *p = line; (p = strstr(p, "\", line ")); p++)
        at = p;
    size_t root = strlen(r->l->root);
    int ours = strncmp(file, r->l->root, root) == 0 && file[root] == '/';
    if (!strstr(line, "inlined at") || ours)
        at_line(r, file, at ? strtol(at + 8, NULL, 10) : 0);
    free(file);
}

/* An instruction, which follows its address in a comment. */
static void sass_instruction(Reader *r, const char *line)
{
    const char *p = line + strspn(line, " ");
    size_t digits = starts_with(p, "/*") ? strspn(p + 2, "0123456789abcdef") : 0;
    if (p == line || !digits || !starts_with(p + 2 + digits, "*/"))
        return;
    p += digits + 4;
    const char *end = p + strcspn(p, ";");
    while (end > p && end[-1] == ' ')
        end--;
    char *what = squeezed(p, end), *open = strstr(what, "`("); /* a label: `(.L_x_1) */
    if (open)
        memmove(open, open + 2, strlen(open + 2) + 1);
    if (ends_with(what, ")"))
        what[strlen(what) - 1] = 0;
    add(r, ITEM_CODE, what, NULL);
}

static void sass_line(Reader *r, const char *line)
{
    static const char *const section = "\t.section\t.text.";
    if (starts_with(line, section))
        begin(r, text("%.*s", (int)strcspn(line + strlen(section), ","), line + strlen(section)));
    else if (starts_with(line, "\t.section"))
        r->on = 0;
    else if (!r->on)
        return;
    else if (starts_with(line, "\t//## File \""))
        sass_place(r, line);
    else if (starts_with(line, ".L_x_"))
        add(r, ITEM_LABEL, text("%.*s", (int)strcspn(line, ":"), line), NULL);
    else
        sass_instruction(r, line);
}

/* Calls `each` for every line. */
static void for_lines(Reader *r, const char *printed, void (*each)(Reader *r, const char *line))
{
    for (const char *p = printed; *p;) {
        size_t length = strcspn(p, "\n");
        char *line = text("%.*s", (int)length, p);
        each(r, line);
        free(line);
        p += length + (p[length] == '\n');
    }
}

Kernel *listing_read(const Listing *l, const char *printed, int *count)
{
    Reader r = {.l = l};
    if (l->mode == LISTING_PTX)
        for_lines(&r, printed, ptx_file); /* PTX names its files at the end */
    for_lines(&r, printed, l->mode == LISTING_PTX ? ptx_line : sass_line);
    list_free(&r.files);
    free(r.last_file), free(r.source), free(r.source_path);
    *count = r.count;
    return r.kernels;
}

void listing_free(Kernel *kernels, int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < kernels[i].count; j++)
            free(kernels[i].items[j].text), free(kernels[i].items[j].place);
        free(kernels[i].id), free(kernels[i].name), free(kernels[i].items);
    }
    free(kernels);
}
