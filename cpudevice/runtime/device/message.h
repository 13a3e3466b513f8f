/* message.h: what the CPU device says to the user, on stderr, after what the program has written to stdout so far. Where
 * COURSE_LANG, else LANG, begins with zh, a line that the catalogue (chinese.inc) has is said in Chinese. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Prints "CPU device: " and the text, after what the program has written to stdout so far. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The system refuses what the program needs and may ask for: prints "CPU device: ", the text and errno's, once. What goes wrong
 * from then on may be the machine's fault, so observers must not make it the program's. */
void refused(const char *format, ...) __attribute__((format(printf, 1, 2)));

void refused_memory(size_t bytes);

bool system_refused(void);
/* Prints the lines of a longer report as they are. */
void message_lines(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
