/* kept.h: see kept.c. */
#ifndef CUCC_KEPT_H
#define CUCC_KEPT_H

#include "driver.h"

/* Whether anything is kept for this compiler and this call. */
bool keeps_headers(const Driver *d);
/* Whether this is the value of CUCC_PCH. */
bool wants_kept(const char *value);

/* ---- preprocessed text ---- */

/* cuda_runtime.h's part of the text, with what the preprocessor has before it. */
typedef struct Part {
    const char *first, *end;
} Part;

bool find_part(const char *text, Part *part);
/* Writes to `path` the text with `instead` in place of the part. */
bool write_with(const char *path, const char *text, const Part *part, const char *instead);
/* Is the line the marker `# N "NAME"FLAGS`, where NAME ends with `name_end`? */
bool is_marker(const char *line, const char *name_end, const char *flags);
const char *next_line(const char *at); /* where the line after this one begins */

/* ---- files ---- */

char *as_lines(const Words *words); /* a line each */
/* The name under which something is kept that is made of the options and a text; the texts themselves are compared. */
char *key_of(const char *options, const char *text, size_t n);
bool has_text(const char *path, const char *text, size_t n);
bool write_text(const char *path, const char *text, size_t n); /* whole or not at all */
void remove_oldest(const char *folder, int most);              /* all but so many, those used last */

#endif
