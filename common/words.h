/* words.h: what the course's programs print, in the reader's language. A program speaks English until it is given a
 * catalogue: then each line of stdout and of stderr that the catalogue has a form of (cpudevice/runtime/device/forms.h) is
 * printed in Chinese. A line that has none is taken by its columns, which two blanks or more part; a column begins where
 * it does in English. Files that are written stay as they are. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

struct form;

/* From now on: by these forms and by those of `file`, rows SAY("English", "Chinese") (may be NULL, or not there). */
void words_begin(const struct form *forms, int count, const char *file);

/* A text of its own, a table's cell: in Chinese, or itself. Returns `out`, or `english`. */
const char *words_in(const char *english, char *out, size_t bytes);

/* What has been printed since the last end of a line. At the program's end, before it is asked whether stdout failed. */
void words_end(void);

#endif
