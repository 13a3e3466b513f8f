/* tell.h: what tools/grade prints and writes for a reader, in Chinese where COURSE_LANG (else LANG) begins with zh. Grades are
 * made and kept in English, whatever the language is: verdict.c looks at the words, and a grade counts for every reader. */
#ifndef TELL_H
#define TELL_H

/* Adds this tool's catalogue, and those of what grades quote, to the course's; die() speaks the reader's language from now
 * on. */
void tell_begin(void);
/* From now on this process says everything in English: it makes grades. */
void tell_nobody(void);
/* What was said of an answer, in the reader's language. The lines of the answer that are quoted stay as they are, and so do
 * the compiler's messages, behind which the Chinese is put. The caller frees it. */
char *tell(const char *said);
/* What stands between a name and what is said of it. */
const char *tell_colon(void);
/* Between these two, what argp and getopt print is kept, and is then put into Chinese; also where --help ends the program. */
void tell_hear(void);
void tell_heard(void);

#endif
