/* clean.h: whatever a submission says, in names, paths or words, goes through here before it is shown or written, so that a
 * terminal, a text, a table, XML and JSON can take it. */
#ifndef CLEAN_H
#define CLEAN_H

/* Control characters but newlines, characters that are not seen or turn a line round, and what is no UTF-8 become '?'.
 * In place. */
void clean_output(char *s);
/* The same of a name or path: newlines too. */
void clean_line(char *s);

#endif
