#include "tell.h"

#include "../../cpudevice/runtime/device/forms.h"
#include "../course/say.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const form own[] = {
#define SAY(english, chinese) {english, chinese},
#define JOINED(english, chinese) {english, chinese},
#define OTHERS(english, chinese) {english, chinese},
#include "chinese.inc"
};
/* What is quoted: the checker and the compiler spoke English. */
static const form quoted[] = {
#include "../../cpudevice/checker/report/chinese.inc"
#include "../../cpudevice/compiler/front/chinese.inc"
};

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
enum { COLUMNS = 80 };

/* Its own words that are too long for a line are broken; a table's are already. */
static char *words_broken(const char *english)
{
    char *words = say_words(english), *broken = say_in_chinese() ? say_broken(words, COLUMNS) : copy(words);
    free(words);
    return broken;
}

void tell_begin(void)
{
    say_also(own, COUNT(own));
    die_words = say_words;
}

void tell_nobody(void) { setenv("COURSE_LANG", "en", 1); }

const char *tell_colon(void) { return say_in_chinese() ? "：" : ": "; }

/* ---- what was said of an answer --------------------------------------------------------------------------------- */

/* Adds the rows of what is quoted, when something is; but the one that any line fits that has a colon. */
static void know_quoted(void)
{
    static int known;
    for (int i = 0, n; !known && i < COUNT(quoted); i = n) {
        for (n = i; n < COUNT(quoted) && strcmp(quoted[n].english, "%s: %s") != 0;)
            n++;
        say_also(quoted + i, n - i);
        n++;
    }
    known = 1;
}

/* "   12 | x[i] = 0;" and "      |   ^": lines of the answer, as compilers and the checker quote them. */
static int is_quotation(const char *line)
{
    const size_t n = strspn(line, " 0123456789");
    return n > 0 && line[n] == '|' && line[n - 1] == ' ';
}

/* What follows "FILE:12: error: " or "FILE:12:5: error: ", or NULL. */
static const char *compilers_message(const char *line)
{
    static const char word[] = ": error: ";
    const char *at = strstr(line, word);
    return at > line && isdigit((unsigned char)at[-1]) ? at + strlen(word) : NULL;
}

/* Is there a Chinese character in it? Punctuation alone is no translation. */
static int is_chinese(const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s >= 0xe4 && (unsigned char)*s <= 0xe9)
            return 1;
    return 0;
}

/* How long the label is with which a line of the checker's begins, if it does: what follows is a text of its own. *colon: in
 * Chinese a colon stands behind it. */
static size_t checkers_label(const char *line, int *colon)
{
    static const char *const labels[] = {"memory: ",   "note: ",      "usual cause: ", "kernel ",     "at ",
                                         "memcheck: ", "racecheck: ", "initcheck: ",   "synccheck: ", "hostcheck: "};
    const size_t blanks = strspn(line, " ");
    unsigned at[6];
    int n = 0;
    *colon = 0;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (starts_with(line + blanks, labels[i]))
            return blanks + strlen(labels[i]);
    if (sscanf(line, " block (%u,%u,%u), thread (%u,%u,%u)%n", at, at + 1, at + 2, at + 3, at + 4, at + 5, &n) == 6 &&
        n)
        *colon = 1;
    else if (n = 0, sscanf(line, " block (%u,%u,%u)%n", at, at + 1, at + 2, &n) == 3 && n)
        *colon = 1;
    return (size_t)n;
}

/* A line of the checker's, as the checker itself says it in Chinese (cpudevice/checker/report/report.c). NULL: it is none. */
static char *checkers_line(const char *line)
{
    int colon;
    const size_t n = checkers_label(line, &colon);
    if (!n)
        return NULL;
    static const char launched[] = ", launched at ";
    const char *rest = line + n, *at = strstr(rest, launched);
    char *label = text("%.*s", (int)n, line), *words = say_words(label), *more = NULL, *told;
    if (ends_with(label, "check: "))
        told = text("%.*s：%s", (int)n - 2, line, more = say_words(rest));
    else if (starts_with(line + strspn(line, " "), "kernel "))
        told = at ? text("%s%.*s%s%s", words, (int)(at - rest), rest, more = say_words(launched), at + strlen(launched))
                  : text("%s%s", words, rest);
    else if (starts_with(line + strspn(line, " "), "at "))
        told = text("%s%s", words, rest);
    else
        told = text("%s%s%s", words, colon && *rest ? "：" : "", more = say_words(rest + (colon && *rest == ' ')));
    free(label), free(words), free(more);
    return told;
}

static char *tell_line(const char *line)
{
    enum { LONG = 600 }; /* an answer can make a line long; comparing takes the longer */
    const char *message = compilers_message(line);
    if (!say_in_chinese() || is_quotation(line) || strlen(line) > LONG)
        return copy(line);
    char *told = message ? NULL : checkers_line(line);
    if (told)
        return told;
    char *words = say_words(message ? message : line);
    if (!is_chinese(words))
        told = copy(line);
    else
        told = message ? text("%s（%s）", line, words) : copy(words);
    free(words);
    return told;
}

char *tell(const char *said)
{
    char *all = copy("");
    know_quoted();
    for (const char *p = said; *p;) {
        const int n = (int)strcspn(p, "\n");
        char *line = text("%.*s", n, p), *told = tell_line(line);
        char *more = text("%s%s%s", all, told, p[n] ? "\n" : "");
        free(line), free(told), free(all);
        all = more;
        p += n + (p[n] != 0);
    }
    return all;
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

static struct Heard {
    FILE *to[2], *instead[2];
    char *words[2];
    size_t bytes[2];
} heard;

void tell_heard(void)
{
    FILE **place[2] = {&stdout, &stderr};
    for (int i = 0; i < 2 && heard.to[i]; i++) {
        fclose(heard.instead[i]);
        *place[i] = heard.to[i];
        char *words = words_broken(heard.words[i]);
        fputs(words, *place[i]);
        free(words), free(heard.words[i]);
        heard.to[i] = NULL;
    }
}

void tell_hear(void)
{
    FILE **place[2] = {&stdout, &stderr};
    for (int i = 0; i < 2 && say_in_chinese(); i++) {
        heard.to[i] = *place[i];
        if (!(heard.instead[i] = open_memstream(&heard.words[i], &heard.bytes[i])))
            die(1, "not enough memory");
        *place[i] = heard.instead[i];
    }
    if (say_in_chinese()) {
        setenv("ARGP_HELP_FMT", "rmargin=1000", 1);
        atexit(tell_heard);
    }
}
