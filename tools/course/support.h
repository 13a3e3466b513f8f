/* support.h: strings, files and folders for the course's tool. What cannot be had (memory, a file that must be there)
 * ends the program with one line on stderr: status 2 where the user's input is at fault, else 1. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <stddef.h>
#include <stdint.h>

/* What puts the line of die() into the reader's language; NULL: it is printed as it is. */
extern char *(*die_words)(const char *);
void die(int status, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* A new string; the caller frees it, or leaves it to the program's end. */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *copy(const char *s);
int starts_with(const char *s, const char *prefix);
int ends_with(const char *s, const char *suffix);
/* The part of a path after its last slash. */
const char *base_name(const char *path);

/* A growing list of strings, ended by a NULL that is not counted: `item` can be given to execvp. {0} is empty. */
typedef struct List {
    char **item;
    int count;
} List;
void list_add(List *list, const char *s);
void list_free(List *list);
int list_has(const List *list, const char *s);
/* Appends what the shell pattern matches, in alphabetical order; an empty match appends nothing. */
void list_glob(List *list, const char *pattern);
/* All files and links in the folder and in its folders, in the order of their names. A linked folder is not entered. */
void list_below(List *list, const char *folder);
/* Every file that a program of the course is built by: the library, the CPU device and this tool, in one order. */
void list_sources(List *list);

/* The whole file, with a 0 after it, or NULL. *size (may be NULL) is its length. */
char *file_read(const char *path, size_t *size);
/* Writes the file in one step: it is the old one or the new one, never half of it. Returns 0, or -1 with errno. */
int file_write(const char *path, const char *data, size_t size);
int file_exists(const char *path);
/* Makes the folder and those above it. Returns 0, or -1 with errno. */
int make_folders(const char *path);
/* Removes the folder with all that is in it; follows no link. */
void remove_tree(const char *path);

/* FNV-1a of 64 bits, continued from `hash` (HASH_START at first). */
#define HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t hash_bytes(uint64_t hash, const void *data, size_t size);
/* The same over a file's bytes; a file that is not there counts as such. */
uint64_t hash_file(uint64_t hash, const char *path);

/* Seconds of the monotonic clock. */
double seconds(void);

#endif
