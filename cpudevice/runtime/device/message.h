/* message.h: what the CPU device says to the user, on stderr. */
#ifndef MESSAGE_H
#define MESSAGE_H

/* Prints "CPU device: " and the text, after what the program has written to stdout so far. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
