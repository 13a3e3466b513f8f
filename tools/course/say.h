/* say.h: what this tool prints, in Chinese where COURSE_LANG (else LANG) begins with zh, and the Chinese texts of
 * exercises and labs. A wide character takes two columns. */
#ifndef SAY_H
#define SAY_H

#include "commands.h"

#include <stdio.h>

struct form; /* cpudevice/runtime/device/forms.h */

int say_in_chinese(void);
/* Another catalogue, of a tool that is made of this one's parts. */
void say_also(const struct form *more, int count);

/* printf. In Chinese each line that the catalogue (chinese.inc) has is printed in Chinese. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* fprintf, likewise. */
void say_to(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The lines of a text in Chinese, or the text; the caller frees it. */
char *say_words(const char *english);

/* The columns that a text of UTF-8 takes on a terminal. */
int say_columns(const char *text);
/* The text with its lines broken where they are longer than that, between words or Chinese characters, but before no
 * closing punctuation. The caller frees it. */
char *say_broken(const char *text, int columns);

/* say_texts.c. A section of a Chinese page, "## NAME TITLE": its paragraphs, without the keys of their English. *title
 * is what the heading says after the name. NULL: the page has no such section. */
char *say_section(const char *page, const char *name, char **title);
/* Of an exercise: what its Chinese page has takes the place of the English. */
void say_exercise(const Exercise *e, ExerciseText *t);
/* A lecture's title, which the caller frees. */
char *say_lecture(const char *lecture);
/* Of a lab: its title and what to look at (may be empty), or NULL. */
char *say_lab(const char *lecture, const char *lab, char **look);

#endif
