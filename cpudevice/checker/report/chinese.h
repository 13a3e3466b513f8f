/* chinese.h: what is said in Chinese, where COURSE_LANG (else LANG) begins with zh. Findings are made in English, which
 * is what a report for graders has; they are put into Chinese as they are printed. */
#ifndef CHECKER_CHINESE_H
#define CHECKER_CHINESE_H

#include <stddef.h>
#include <stdio.h>

int check_in_chinese(void);

/* A word or a line that is printed as it is: its Chinese, or itself. */
const char *check_say(const char *english);

/* A text with names and numbers in it, in Chinese where the catalogue (chinese.inc) has its form. Returns `out`. */
const char *check_say_text(const char *english, char *out, size_t bytes);

/* A word of a table's cell, in so many columns (negative: from the left), of which a wide character takes two. */
void check_say_cell(FILE *o, const char *english, int columns);

/* Prints a line on stderr, as check_say_text() has it. */
void check_say_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
