/* preprocessed.c: what the preprocessor makes of cuda_runtime.h is kept.
 *
 * The preprocessor takes 40 ms for the 150 headers that cuda_runtime.h includes. It makes a text of them, the same for each
 * file, and a set of macros. With both kept, it reads the macros (-imacros) and the file alone, and the text is put where it
 * would be. The result has the same tokens, each with its file and line. In OUT/preprocessed, for a key made of the options:
 *
 *   KEY.from     the options, to be compared, and the files and folders that the rest came from, with sizes and times
 *   KEY.macros   the directives that define and undefine macros
 *   KEY.text     cuda_runtime.h's part of the preprocessed text
 *
 * The headers are read again where anything is not known to be harmless:
 *
 *   - an option that is_harmless() does not list, or a variable that names folders
 *   - a file in the working folder or in a folder of -I that has the name of one of the headers
 *   - a header that has changed, or a folder of the system's headers that a file was added to
 *   - a header with a directive that changes more than macros (#pragma once)
 *   - any message of the preprocessor
 *
 * The files that were used last stay. CUCC_PCH means here what it means in precompiled.c. */
#include "kept.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 60 }; /* twenty keys, of 1 MB each */

/* What is kept for a command, and what may stand in front of it. */
typedef struct Kept {
    Words asked;   /* the command without the file, the folders of -I and what concerns dependencies */
    Words folders; /* whose files would be taken instead of headers: the working folder, -I's, cucc's own headers */
    const char *ours;
    char *options; /* all that changes what is made of cuda_runtime.h, a line each, and an empty line */
    const char *folder, *key;
    const char *from, *macros, *text;
} Kept;

/* ---- the command ---- */

static bool is_named(const char *word, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(word, *names))
            return true;
    return false;
}

/* Options with which the text and the macros depend on nothing but the options and the headers. */
static bool is_harmless(const char *word)
{
    static const char *const whole[] = {"-E", "-x", "c++", "-w", "-pthread", "-pipe", NULL};
    static const char *const first[] = {"-std=",
                                        "-D",
                                        "-U",
                                        "-O",
                                        "-g",
                                        "-m",
                                        "-fopenmp",
                                        "-fcf-protection=",
                                        "-fPI",
                                        "-fpi",
                                        "-fno-",
                                        "-frandom-seed=",
                                        "-fvisibility=",
                                        "-fsanitize=",
                                        NULL};
    if (is_named(word, whole) || (begins(word, "-W") && !strchr(word, ',')))
        return true;
    for (int i = 0; first[i]; i++)
        if (begins(word, first[i]))
            return true;
    return false;
}

/* Our headers, which come before all others. */
static bool is_ours(const char *word) { return !strcmp(word, "cuda_runtime.h") || !strcmp(word, "cpudev_check_pre.h"); }

/* What becomes of an option that is_harmless() does not judge. */
typedef enum {
    ASKED,    /* the headers are asked for with it */
    LEFT_OUT, /* it concerns dependencies alone */
    FOLDER,   /* of a user's headers: looked through for the names of the system's */
    INCLUDED, /* asked where the file is ours; a user's comes after it, and is read each time */
    SYSTEM    /* asked where the folder is ours; with another, nothing is kept */
} Use;

typedef struct Option {
    const char *name;
    bool has_value; /* in the word that follows */
    Use use;
} Option;

static const Option *option_named(const char *word)
{
    static const Option options[] = {
        {"-MMD", false, LEFT_OUT},  {"-MP", false, LEFT_OUT},     {"-MF", true, LEFT_OUT}, {"-MT", true, LEFT_OUT},
        {"-MQ", true, LEFT_OUT},    {"-D", true, ASKED},          {"-U", true, ASKED},     {"-I", true, FOLDER},
        {"-isystem", true, SYSTEM}, {"-include", true, INCLUDED},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (!strcmp(word, options[i].name))
            return &options[i];
    return NULL;
}

/* Reads the command, whose first word is the compiler; false if it has a word that is not known to be harmless. */
static bool read_command(Kept *k, const Words *command)
{
    add(&k->asked, command->word[0]);
    for (int i = 1; i < command->n; i++) {
        const char *word = command->word[i];
        const Option *option = option_named(word);
        if (!option && !is_harmless(word))
            return false;
        const Use use = option ? option->use : ASKED;
        const char *value = option && option->has_value && i + 1 < command->n ? command->word[++i] : NULL;
        if (use == FOLDER)
            add(&k->folders, value ? value : "");
        if (use == SYSTEM && (!value || strcmp(value, k->ours) != 0))
            return false;
        if (use == ASKED || use == SYSTEM || (use == INCLUDED && value && is_ours(value))) {
            add(&k->asked, word);
            if (value)
                add(&k->asked, value);
        }
    }
    return true;
}

static bool may_keep(Driver *d, const Words *command, Kept *k)
{
    static const char *const variables[] = {"CPATH", "CPLUS_INCLUDE_PATH", "DEPENDENCIES_OUTPUT",
                                            "SUNPRO_DEPENDENCIES"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]))
            return false;
    *k = (Kept){.ours = format("%s/include", d->home)};
    add(&k->folders, ".");
    if (!keeps_headers(d) || !read_command(k, command))
        return false;
    add(&k->folders, k->ours);
    k->options = format("%s\n", as_lines(&k->asked));
    k->folder = format("%s/preprocessed", d->out);
    k->key = key_of(k->options, "", 0);
    k->from = format("%s/%s.from", k->folder, k->key);
    k->macros = format("%s/%s.macros", k->folder, k->key);
    k->text = format("%s/%s.text", k->folder, k->key);
    return true;
}

/* ---- KEY.from: after the options a line for each file and folder, `SIZE SECONDS.NANOSECONDS AT PATH`. From its character AT
 * on the path is the name by which a header was found, in a folder of the system's or in cucc's; -1 for a folder. ---- */

typedef enum {
    OF_OTHER_OPTIONS, /* of the same key, or nothing at all */
    NOT_MADE,         /* these options came once, or a header has changed since */
    SHADOWED,         /* the user has a file with the name of one of the headers */
    USABLE
} State;

static bool add_watched(Words *lines, const char *path, int at)
{
    struct stat st;
    if (stat(path, &st))
        return false;
    const long long size = at < 0 ? 0 : (long long)st.st_size;
    add_format(lines, "%lld %lld.%09ld %d %s", size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, at, path);
    return true;
}

static const char *path_of(const char *line, int *at)
{
    int path = 0;
    return sscanf(line, "%*s %*s %d %n", at, &path) == 1 ? line + path : NULL;
}

static bool is_watched(const Words *lines, const char *path)
{
    int at;
    for (int i = 0; i < lines->n; i++)
        if (ends(lines->word[i], path) && !strcmp(path_of(lines->word[i], &at), path))
            return true;
    return false;
}

/* Is there another file of that name where the preprocessor looks first? One of cucc's own headers may include the system's. */
static bool is_shadowed(const Kept *k, const Words *lines, const char *name)
{
    for (int i = 0; i < k->folders.n; i++) {
        const char *other = format("%s/%s", k->folders.word[i], name);
        if (!access(other, F_OK) && !is_watched(lines, other))
            return true;
    }
    return false;
}

/* Of what KEY.from says. */
static State state_of(const Kept *k, const char *from)
{
    const size_t n = strlen(k->options);
    if (strncmp(from, k->options, n) != 0)
        return OF_OTHER_OPTIONS;
    Words lines = {0};
    add_split(&lines, from + n, "\n");
    for (int i = 0; i < lines.n; i++) {
        const char *line = lines.word[i];
        int at = 0;
        const char *path = path_of(line, &at);
        Words now = {0};
        if (!path || !add_watched(&now, path, at) || strcmp(line, now.word[0]) != 0)
            return NOT_MADE;
        if (at >= 0 && is_shadowed(k, &lines, path + at))
            return SHADOWED;
    }
    return lines.n ? USABLE : NOT_MADE;
}

/* ---- what is made ---- */

/* The folders in which g++ has looked for headers, as -v says. */
static Words search_folders(const char *said)
{
    Words lines = {0}, folders = {0};
    const char *list = strstr(said, "search starts here:");
    add_split(&lines, list ? list : "", "\n");
    for (int i = 0; i < lines.n && strcmp(lines.word[i], "End of search list.") != 0; i++)
        if (*lines.word[i] == ' ')
            add(&folders, lines.word[i] + 1);
    return folders;
}

/* Where in its path the name begins by which the header was found: after the longest of the folders; -1: in none. */
static int name_in(const Words *folders, const char *path)
{
    size_t longest = 0;
    for (int i = 0; i < folders->n; i++) {
        const size_t n = strlen(folders->word[i]);
        if (n > longest && begins(path, folders->word[i]) && path[n] == '/')
            longest = n;
    }
    return longest ? (int)longest + 1 : -1;
}

/* Has the header a directive that does something else than include a file or define a macro? */
static bool has_state(const char *path)
{
    static const char *const directives[] = {"pragma once", "push_macro", "pop_macro",   "GCC poison",
                                             "#import",     "#assert",    "__COUNTER__", NULL};
    const char *text = read_file(path, NULL);
    for (int i = 0; text && directives[i]; i++)
        if (strstr(text, directives[i]))
            return true;
    return !text;
}

/* KEY.from's lines for the headers that the markers of a text name; false if one of them is not to be kept. */
static bool watch_headers(const Kept *k, const Words *search, const Part *part, Words *lines)
{
    Words seen = {0}, folders = {0};
    for (const char *at = part->first; at < part->end; at = next_line(at)) {
        const char *open = begins(at, "# 1 \"") ? at + 5 : NULL;
        if (!open || *open == '<')
            continue;
        const char *path = format("%.*s", (int)strcspn(open, "\"\n"), open);
        if (has(&seen, path))
            continue;
        add(&seen, path);
        const int name = name_in(search, path);
        const char *folder = format("%.*s", (int)(strrchr(path, '/') ? strrchr(path, '/') - path : 0), path);
        if (name < 0 || has_state(path) || strchr(path, '\\') || !add_watched(lines, path, name))
            return false;
        if (!has(&folders, folder))
            add(&folders, folder);
    }
    for (int i = 0; i < search->n; i++)
        if (!has(&folders, search->word[i]))
            add(&folders, search->word[i]);
    for (int i = 0; i < folders.n; i++) /* who adds a file to cucc's own headers is looked for by name */
        if (strcmp(folders.word[i], k->ours) != 0 && !begins(folders.word[i], format("%s/", k->ours)) &&
            !add_watched(lines, folders.word[i], -1))
            return false;
    return true;
}

/* KEY.macros, of the text that g++ -dD has made: the directives that stand in files. */
static bool write_macros(const Kept *k, const Part *part)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = must(open_memstream(&text, &n));
    bool in_file = false;
    for (const char *at = part->first; at < part->end; at = next_line(at))
        if (begins(at, "# ")) {
            const char *name = at + strcspn(at, "\"\n");
            in_file = *name == '"' && name[1] != '<';
        } else if (in_file && (begins(at, "#define ") || begins(at, "#undef ")))
            fprintf(f, "%.*s\n", (int)strcspn(at, "\n"), at);
    return !fclose(f) && write_text(k->macros, text, n);
}

/* Preprocesses an empty file; NULL if that fails. */
static const char *preprocess_nothing(Driver *d, const Kept *k, const char *more, const char *said)
{
    const char *to = format("%s/headers.ii", d->tmp);
    Words c = {0};
    add_words(&c, &k->asked);
    add_split(&c, more, " ");
    add_split(&c, "/dev/null -o", " ");
    add(&c, to);
    return run(d, &c, &(Redirect){.err = said}) ? NULL : read_file(to, NULL);
}

static bool make_kept(Driver *d, const Kept *k)
{
    const char *said = format("%s/headers.said", d->tmp);
    const char *text = preprocess_nothing(d, k, "", said), *messages = read_file(said, NULL);
    const char *defines = text && messages && !*messages ? preprocess_nothing(d, k, "-dD -v", said) : NULL;
    Part whole, defined;
    if (!defines || !find_part(text, &whole) || !find_part(defines, &defined))
        return false;
    messages = read_file(said, NULL);
    const Words search = search_folders(messages ? messages : "");
    Words lines = {0};
    if (!watch_headers(k, &search, &defined, &lines))
        return false;
    const char *from = format("%s%s", k->options, as_lines(&lines));
    const bool written = state_of(k, from) == USABLE && write_macros(k, &defined) &&
                         write_text(k->text, whole.first, (size_t)(whole.end - whole.first)) &&
                         write_text(k->from, from, strlen(from));
    remove_oldest(k->folder, MOST_FILES);
    return written;
}

/* Is it usable? If it has to be made, it is, unless these options come for the first time. */
static bool have_kept(Driver *d, const Kept *k)
{
    const char *from = read_file(k->from, NULL);
    const State state = from ? state_of(k, from) : OF_OTHER_OPTIONS;
    if (state == USABLE || state == SHADOWED || wants_kept("kept"))
        return state == USABLE;
    if (state == OF_OTHER_OPTIONS) {
        mkdir(k->folder, 0777);
        if (!write_text(k->from, k->options, strlen(k->options)) || !wants_kept("1"))
            return false;
    }
    return make_kept(d, k);
}

/* ---- for translate.c ---- */

static const char *after_command_line(const char *at)
{
    for (; *at && !is_marker(at, "<command-line>", " 2"); at = next_line(at))
        ;
    return next_line(at);
}

/* The text of `quick`, with the kept one in place of what the preprocessor has before the file, to `to`. Before the file it has
 * the macros' markers, and then stdc-predef.h, with which every file begins. */
static bool put_in(const Kept *k, const char *quick, const char *to)
{
    const char *text = read_file(k->text, NULL), *first = quick;
    for (; *first && !is_marker(first, "<command-line>", ""); first = next_line(first))
        ;
    const char *end = after_command_line(first);
    if (is_marker(end, "/stdc-predef.h", " 1 3 4"))
        end = after_command_line(end);
    return text && *end && write_with(to, quick, &(Part){first, end}, text);
}

bool preprocess_quickly(Driver *d, const Words *command, const char *file, const char *to)
{
    Kept k;
    if (!may_keep(d, command, &k) || !have_kept(d, &k))
        return false;
    Words c = {0};
    for (int i = 0; i < command->n; i++)
        if (!strcmp(command->word[i], "-include") && is_ours(command->word[i + 1]))
            i++;
        else
            add(&c, command->word[i]);
    add(&c, "-isystem");
    add(&c, k.folder);
    add(&c, "-imacros");
    add_format(&c, "%s.macros", k.key);
    const char *said = format("%s/quick.said", d->tmp), *out = format("%s/quick.ii", d->tmp);
    add(&c, file);
    add(&c, "-o");
    add(&c, out);
    const int status = run(d, &c, &(Redirect){.err = said});
    const char *messages = read_file(said, NULL), *quick = read_file(out, NULL);
    const char *const used[] = {k.from, k.macros, k.text};
    for (int i = 0; i < 3; i++)
        utimensat(AT_FDCWD, used[i], NULL, 0);
    return !status && messages && !*messages && quick && put_in(&k, quick, to);
}
