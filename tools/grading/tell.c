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

static char *tell_line(const char *line)
{
    enum { LONG = 600 }; /* an answer can make a line long; comparing takes the longer */
    const char *message = compilers_message(line);
    if (!say_in_chinese() || is_quotation(line) || strlen(line) > LONG)
        return copy(line);
    char *words = say_words(message ? message : line), *told;
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
