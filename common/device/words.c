#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie() */
#endif
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../cpudevice/runtime/device/forms.h"
#include "../../cpudevice/runtime/device/columns.h"

/* A stream that this one stands for, and the line that it has begun. */
typedef struct Spoken {
    int to;
    char *line;
    size_t used, room;
} Spoken;

static struct {
    form *form;
    int forms;
    Spoken out, err;
} words;

static void add(const char *english, const char *other)
{
    words.form = realloc(words.form, sizeof *words.form * (size_t)(words.forms + 1));
    if (!words.form)
        abort();
    words.form[words.forms++] = (form){english, other};
}

/* ---- a catalogue's file */

/* The literals at *p, which is moved behind them, as one text. NULL: there is none. */
static char *literals(const char **p)
{
    char *text = NULL;
    size_t used = 0;
    for (const char *s = *p + strspn(*p, " \n"); *s == '"'; s += strspn(s, " \n")) {
        const size_t most = used + strlen(s) + 1;
        char *longer = realloc(text, most);
        if (!longer)
            abort();
        text = longer;
        for (s++; *s && *s != '"'; s++) {
            s += *s == '\\' && s[1];
            text[used++] = *s;
        }
        s += *s == '"';
        text[used] = 0;
        *p = s;
    }
    return text;
}

/* SAY("English", "Chinese"), JOINED("English", "Chinese"). */
static void read_rows(const char *p)
{
    while ((p = strchr(p, '('))) {
        p++;
        char *english = literals(&p), *other = NULL;
        if (english && *p == ',') {
            p++;
            other = literals(&p);
        }
        if (other)
            add(english, other);
        else
            free(english);
    }
}

static void read_file(const char *path)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    char *text = NULL;
    size_t room = 0;
    if (file && getdelim(&text, &room, 0, file) > 0)
        read_rows(text);
    free(text);
    if (file)
        fclose(file);
}

/* ---- a line */

const char *words_in(const char *english, char *out, size_t bytes)
{
    const size_t blanks = strspn(english, " ");
    if (!words.forms || blanks >= bytes)
        return english;
    memset(out, ' ', blanks);
    form_text(words.form, words.forms, english + blanks, out + blanks, bytes - blanks);
    return out;
}

enum { TEXT = 4096 };

static int columns_in_part(const char *text, size_t length)
{
    int columns = 0, bytes;
    for (size_t i = 0; i < length; i += (size_t)bytes)
        columns += columns_of(columns_character(text + i, &bytes));
    return columns;
}

/* One column of a line, and the blanks up to the place where it begins in English. Returns where it ends. */
static int put_column(FILE *to, const char *text, size_t length, int begins, int column)
{
    char english[TEXT], said[TEXT];
    snprintf(english, sizeof english, "%.*s", (int)length, text);
    const char *shown = words_in(english, said, sizeof said);
    const int blanks = column == 0 ? begins : begins > column ? begins - column : 2;
    fprintf(to, "%*s%s", blanks, "", shown);
    return column + blanks + columns_in(shown);
}

/* Parts of a line that two blanks or more part. */
static void put_columns(FILE *to, const char *line)
{
    int begins = 0, column = 0;
    while (*line) {
        const int blanks = (int)strspn(line, " ");
        const char *text = line + blanks, *gap = strstr(text, "  ");
        const size_t length = gap ? (size_t)(gap - text) : strlen(text);
        if (!length) {
            fprintf(to, "%*s", blanks, "");
            return;
        }
        begins += blanks;
        column = put_column(to, text, length, begins, column);
        begins += columns_in_part(text, length);
        line = text + length;
    }
}

/* As a whole, or by its columns where it has some. */
static void put_line(FILE *to, const char *line)
{
    char said[TEXT];
    if (strstr(line + strspn(line, " "), "  "))
        put_columns(to, line);
    else
        fputs(words_in(line, said, sizeof said), to);
}

/* ---- the streams */

static int write_all(int to, const char *text, size_t bytes)
{
    while (bytes) {
        const ssize_t n = write(to, text, bytes);
        if (n <= 0)
            return -1;
        text += n, bytes -= (size_t)n;
    }
    return 0;
}

/* The lines of a text, of which the last may not be ended. Returns -1 where they cannot be written. */
static int put_text(int to, char *text)
{
    char *all = NULL, *line;
    size_t bytes = 0;
    FILE *file = open_memstream(&all, &bytes);
    if (!file)
        abort();
    while ((line = strsep(&text, "\n"))) {
        put_line(file, line);
        if (text)
            fputc('\n', file);
    }
    fclose(file);
    const int failed = write_all(to, all, bytes);
    free(all);
    return failed;
}

/* How far a program is goes over the line before it, and is nobody's line. */
static int is_progress(const Spoken *s, const char *text, size_t bytes)
{
    return s->used == 0 && bytes && *text == '\r';
}

static ssize_t write_words(void *cookie, const char *text, size_t bytes)
{
    Spoken *s = cookie;
    if (is_progress(s, text, bytes))
        return write_all(s->to, text, bytes) ? 0 : (ssize_t)bytes;
    if (s->used + bytes + 1 > s->room) {
        s->room = 2 * (s->used + bytes + 1);
        s->line = realloc(s->line, s->room);
        if (!s->line)
            abort();
    }
    memcpy(s->line + s->used, text, bytes);
    s->used += bytes;
    char *end = memrchr(s->line, '\n', s->used);
    if (!end)
        return (ssize_t)bytes;
    const size_t whole = (size_t)(end + 1 - s->line), rest = s->used - whole;
    char *lines = strndup(s->line, whole);
    memmove(s->line, end + 1, rest);
    s->used = rest;
    const int failed = !lines || put_text(s->to, lines);
    free(lines);
    return failed ? 0 : (ssize_t)bytes;
}

static FILE *spoken(Spoken *s, FILE *of, int mode)
{
    fflush(of);
    s->to = fileno(of);
    FILE *file = fopencookie(s, "w", (cookie_io_functions_t){.write = write_words});
    if (!file)
        return of;
    setvbuf(file, NULL, mode, mode == _IONBF ? 0 : BUFSIZ);
    return file;
}

void words_begin(const struct form *forms, int count, const char *file)
{
    if (words.forms)
        return;
    for (int i = 0; i < count; i++)
        add(forms[i].english, forms[i].other);
    read_file(file);
    stdout = spoken(&words.out, stdout, _IOLBF);
    stderr = spoken(&words.err, stderr, _IONBF);
}

void words_end(void)
{
    if (!words.forms)
        return;
    fflush(stdout);
    Spoken *both[] = {&words.out, &words.err};
    for (int i = 0; i < 2; i++) {
        Spoken *s = both[i];
        if (s->used) {
            s->line[s->used] = 0;
            s->used = 0;
            put_text(s->to, s->line);
        }
    }
}
