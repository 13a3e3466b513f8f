/* plain.h: a file as editors and systems save it, as the text that it means. */
#ifndef PLAIN_H
#define PLAIN_H

#include <stddef.h>

/* A copy of the text in UTF-8 with lines that end in a newline: without a byte order mark, from UTF-16 where a mark or the first letter says so,
 * from Latin-1 where it is not UTF-8, with CR LF and CR as newlines. NULL, and *why (static, may be NULL) set: it is no
 * text. */
char *plain_text(const char *bytes, size_t size, const char **why);

#endif
