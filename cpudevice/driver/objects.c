/* objects.c: which objects of a part are out of date, and making these. objects.h says what is kept. */
#include "objects.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool is_library(const Part *p) { return begins(p->name, "lib"); }
bool of_kernels(const Part *p) { return begins(p->name, "libcudacpu_host"); }

static const char *ending_of(const Part *p) { return of_kernels(p) ? ".cu" : ".c"; }

const char *objects_folder(const Driver *d, const Part *p, const char *folder)
{
    return format("%s/objects/%s/%s", d->out, p->name, folder);
}

static const char *depends_file(const Driver *d, const Part *p)
{
    return format("%s/objects/%s/depends", d->out, p->name);
}

/* ---- generated headers: the viewer's pages, the model's chips, and where cucc is ---- */

/* The first n characters of a text as they are written between the quotes of a string in C. */
static char *in_quotes(const char *text, size_t n)
{
    char *quoted = must(malloc(2 * n + 1)), *to = quoted;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"' || text[i] == '\\')
            *to++ = '\\';
        *to++ = text[i];
    }
    *to = 0;
    return quoted;
}

/* A page of the viewer as string literals, a line each. */
static int as_literals(Driver *d, const char *page, const char *path)
{
    char *text = read_file(page, NULL), *literals = NULL;
    size_t size;
    FILE *f = text ? open_memstream(&literals, &size) : NULL;
    if (!f)
        return 1;
    for (char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        char *quoted = in_quotes(line, n);
        fprintf(f, "\"%s\\n\"\n", quoted);
        free(quoted);
        line += n + (line[n] == '\n');
    }
    fclose(f);
    return write_file(d, path, literals);
}

/* The model's chips: a name and the file's text each, as the entries of an array. */
static int make_chips(Driver *d, const Words *chips, const char *objects)
{
    const char *entries = "";
    for (int i = 0; i < chips->n; i++) {
        const char *name = strrchr(chips->word[i], '/') + 1;
        if (as_literals(d, chips->word[i], format("%s/%s.h", objects, name)))
            return 1;
        entries = format("%s{\"%.*s\",\n#include \"%s.h\"\n},\n", entries, (int)strlen(name) - 4, name, name);
    }
    return chips->n ? write_file(d, format("%s/chips.h", objects), entries) : 0;
}

/* NVRTC runs cucc, which libraries/nvrtc/nvrtc.c finds by this line. */
static const char *place_of_cucc(const Driver *d)
{
    const char *real = realpath(d->home, NULL), *home = real ? real : d->home;
    return format("#define CPUDEV_CUCC \"%s/cucc\"\n", in_quotes(home, strlen(home)));
}

static int make_headers(Driver *d, const Part *p, const char *folder, const char *objects)
{
    const char *sources = format("%s/%s", d->home, folder);
    Words pages = files_below(sources, ".html"), scripts = files_below(sources, ".js");
    add_words(&pages, &scripts);
    for (int i = 0; i < pages.n; i++)
        if (as_literals(d, pages.word[i], format("%s/%s.h", objects, strrchr(pages.word[i], '/') + 1)))
            return 1;
    const Words chips = files_below(sources, ".csv");
    if (make_chips(d, &chips, objects))
        return 1;
    return strcmp(p->name, LIBRARIES) ? 0 : write_file(d, format("%s/cucc_path.h", objects), place_of_cucc(d));
}

/* ---- objects ---- */

/* What compiles a folder's files, but for the file: with the folders as they are named here. */
static Words command_of(const Driver *d, const Part *p, const char *folder, const char *home, const char *objects)
{
    Words c = {0};
    if (of_kernels(p)) { /* this cucc, with what is built */
        add_split(&c, "env CUCC_BUILDS=no", " ");
        if (home == d->home)
            add_format(&c, "CUCC_BUILD=%s", d->out);
        add_format(&c, "%s/cucc", home);
        add_split(&c, p->flags, " ");
        return c;
    }
    add_words(&c, &d->cc);
    add_split(&c, p->flags, " ");
    add_format(&c, "-I%s/%s", home, folder); /* of two headers of one name a part means its own */
    if (!is_library(p))
        return c;
    add_words(&c, &d->machine);
    for (int i = 0; p->folders[i]; i++)
        add_format(&c, "-I%s/%s", home, p->folders[i]);
    add_format(&c, "-I%s/runtime", home);
    add_format(&c, "-I%s/include", home);
    add_format(&c, "-I%s", objects);
    return c;
}

/* The same as one line for comparison, in which the folders have no names. */
static char *command_line(const Driver *d, const Part *p, const char *folder)
{
    Words c = command_of(d, p, folder, "HOME", "OBJECTS");
    char *line = "";
    for (int i = 0; i < c.n; i++)
        line = format("%s%s ", line, c.word[i]);
    return line;
}

/* FOLDER/ROOM/NAME.c (or .cu) as OBJECTS/ROOM-NAME, without an ending. */
static char *object_of(const char *folder, const char *objects, const char *file)
{
    char *name = format("%s", file + strlen(folder) + 1);
    for (char *slash = name; (slash = strchr(slash, '/'));)
        *slash = '-';
    return format("%s/%.*s", objects, (int)(strrchr(name, '.') - name), name);
}

static bool object_is_old(const Driver *d, const char *objects, const char *object)
{
    struct stat st;
    char *list = read_file(format("%s.deps", object), NULL);
    Words files = {0};
    if (!list || stat(format("%s.o", object), &st))
        return true;
    add_split(&files, list, "\n");
    return !files.n || older_than_listed(d, objects, &files, st.st_mtim);
}

/* An object that a child has compiled into the temporary folder, and where it belongs. */
typedef struct Compilation {
    const char *made, *object;
    struct timespec began;
} Compilation;

/* The list first: without it, or older than a file in it, the object does not count. */
static int keep_object(Driver *d, const char *objects, const Compilation *c)
{
    const char *object = format("%s.o", c->object), *made = format("%s.o", c->made);
    const struct timespec times[2] = {c->began, c->began}; /* who writes to a source meanwhile writes after it */
    unlink(object);
    return keep_dependencies(d, objects, format("%s.rule", c->made), format("%s.deps", c->object)) ||
           utimensat(AT_FDCWD, made, times, 0) || rename(made, object);
}

static void start_compilation(Driver *d, const Part *p, const char *folder, const char *file, Compilation *to,
                              pid_t *child)
{
    const char *objects = objects_folder(d, p, folder), *further = getenv("CUCC_RUNTIME_FLAGS");
    Words c = command_of(d, p, folder, d->home, objects);
    if (further)
        add_split(&c, further, " ");
    add_split(&c, "-MMD -MT object -MF", " ");
    add_format(&c, "%s.rule", to->made);
    add(&c, "-c");
    add(&c, file);
    add(&c, "-o");
    add_format(&c, "%s.o", to->made);
    clock_gettime(CLOCK_REALTIME, &to->began);
    *child = start(d, &c, NULL);
}

int make_objects_of(Driver *d, const Part *p, const char *folder, Words *made)
{
    enum { AT_ONCE = 4 };
    const char *sources = format("%s/%s", d->home, folder), *objects = objects_folder(d, p, folder);
    const char *command = format("%s/command", objects), *line = command_line(d, p, folder);
    Words files = files_below(sources, ending_of(p));
    make_folder(objects);
    if (!file_has_text(command, line))
        remove_tree(objects), make_folder(objects);
    if (write_file(d, command, line) || make_headers(d, p, folder, objects))
        return 1;
    pid_t children[AT_ONCE] = {0};
    Compilation at[AT_ONCE];
    int status = 0, running = 0;
    for (int i = 0; i < files.n || running;) {
        const char *object = i < files.n ? object_of(sources, objects, files.word[i]) : NULL;
        if (object && !status && running < AT_ONCE) {
            i++;
            add_format(made, "%s.o", object);
            if (!object_is_old(d, objects, object))
                continue;
            int slot = 0;
            while (children[slot])
                slot++;
            at[slot] = (Compilation){.made = format("%s/%s", d->tmp, strrchr(object, '/') + 1), .object = object};
            start_compilation(d, p, folder, files.word[i - 1], &at[slot], &children[slot]);
            running++;
            continue;
        }
        if (!running)
            break;
        pid_t before[AT_ONCE];
        memcpy(before, children, sizeof before);
        int failed = wait_for(d, children, AT_ONCE);
        running--;
        for (int k = 0; k < AT_ONCE; k++)
            if (before[k] && !children[k])
                failed = failed || keep_object(d, objects, &at[k]);
        status |= failed;
    }
    return status;
}

/* ---- the part ---- */

/* Its commands, one a line for each folder, and for what knows where cucc is, that. */
static char *part_command(const Driver *d, const Part *p)
{
    char *text = "";
    for (int i = 0; p->folders[i]; i++)
        text = format("%s%s", text, command_line(d, p, p->folders[i]));
    return strcmp(p->name, LIBRARIES) ? text
                                      : format("%s%.*s", text, (int)strcspn(place_of_cucc(d), "\n"), place_of_cucc(d));
}

/* The sources that it has now, as they are listed. */
static void add_sources(const Driver *d, const Part *p, Words *list)
{
    static const char *const endings[] = {".c", ".html", ".js"};
    for (int i = 0; p->folders[i]; i++)
        for (int k = 0; k < 3; k++) {
            Words files = files_below(format("%s/%s", d->home, p->folders[i]), k == 0 ? ending_of(p) : endings[k]);
            for (int n = 0; n < files.n; n++)
                add_format(list, "source %s", files.word[n] + strlen(d->home) + 1);
        }
}

/* Of what depends notes, the lines that begin so. */
static void add_lines(Words *to, const Words *lines, const char *beginning)
{
    for (int i = 1; i < lines->n; i++)
        if (begins(lines->word[i], beginning))
            add(to, lines->word[i]);
}

static bool same_words(const Words *a, const Words *b)
{
    for (int i = 0; i < a->n && i < b->n; i++)
        if (strcmp(a->word[i], b->word[i]))
            return false;
    return a->n == b->n;
}

/* Has it the sources that were noted? `lines` receives what is noted. */
static bool noted_sources(const Driver *d, const Part *p, Words *lines)
{
    Words are = {0}, were = {0};
    char *text = read_file(depends_file(d, p), NULL);
    add_split(lines, text ? text : "", "\n");
    add_sources(d, p, &are);
    add_lines(&were, lines, "source ");
    return lines->n && same_words(&are, &were);
}

bool out_of_date(const Driver *d, const Part *p)
{
    struct stat st;
    Words lines = {0}, files = {0};
    if (stat(format("%s/%s", d->out, p->name), &st) || !noted_sources(d, p, &lines) ||
        strcmp(lines.word[0], part_command(d, p)))
        return true;
    add_lines(&files, &lines, "home ");
    add_lines(&files, &lines, "at ");
    if (!strcmp(p->name, SHARED_DRIVER))
        add_format(&files, "at %s/libcudacpu_pic.a", d->out);
    return older_than_listed(d, "", &files, st.st_mtim);
}

bool must_join(const Driver *d, const Part *p, const Words *objects, const char *joined)
{
    struct stat st;
    Words lines = {0};
    if (stat(joined, &st) || !noted_sources(d, p, &lines))
        return true;
    for (int i = 0; i < objects->n; i++)
        if (newer(objects->word[i], st.st_mtim))
            return true;
    return false;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* What the part was made from: the sources, and every header of an object. */
static char *noted(const Driver *d, const Part *p)
{
    Words sources = {0}, files = {0};
    add_sources(d, p, &sources);
    add(&files, "home driver/build.c");
    add(&files, "home driver/objects.c");
    for (int i = 0; i < sources.n; i++)
        add_format(&files, "home %s", sources.word[i] + strlen("source "));
    for (int i = 0; p->folders[i]; i++) {
        const char *folder = format("%s/%s", d->home, p->folders[i]), *objects = objects_folder(d, p, p->folders[i]);
        Words here = files_below(folder, ending_of(p));
        for (int k = 0; k < here.n; k++) {
            char *text = read_file(format("%s.deps", object_of(folder, objects, here.word[k])), NULL);
            add_split(&files, text ? text : "", "\n");
            free(text);
        }
    }
    qsort(files.word, (size_t)files.n, sizeof *files.word, by_text);
    char *text = NULL;
    size_t size;
    FILE *f = must(open_memstream(&text, &size));
    fprintf(f, "%s\n", part_command(d, p));
    for (int i = 0; i < sources.n; i++)
        fprintf(f, "%s\n", sources.word[i]);
    for (int i = 0; i < files.n; i++)
        if (!begins(files.word[i], "objects ") && (i == 0 || strcmp(files.word[i], files.word[i - 1])))
            fprintf(f, "%s\n", files.word[i]);
    fclose(f);
    return text;
}

int put_in_place(Driver *d, const Part *p, const char *made)
{
    unlink(depends_file(d, p)); /* without it the part does not count */
    return rename(made, format("%s/%s", d->out, p->name)) || write_file(d, depends_file(d, p), noted(d, p));
}
