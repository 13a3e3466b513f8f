/* reach.h: what a test's source reaches in the repository: the files that it includes, the pages that it reads, and the
 * rooms of tests that it names.
 * Where that is not plain, the functions say so, and the test depends on everything. */
#ifndef REACH_H
#define REACH_H

#include "../support.h"

/* Is the file one that git ignores, of this checkout alone? */
int reach_is_ignored(const char *path);
/* Adds the file and what it includes, but for what the folders that are hashed whole include. Returns 0 if an include is
 * by a macro: then it is not known. */
int reach_includes(List *files, const char *path);
/* Does a program of these files open no file and start no process? */
int reach_is_closed(const List *files);
/* Is it a page for readers? No program is built from one. */
int reach_is_page(const char *path);
/* Adds the pages that a test reads, as the test and the files beside it that it uses name them. Returns 0 if it may read
 * others. */
int reach_pages(List *pages, const char *source);
/* Adds the room (a folder of cpudevice/tests) and the rooms that its files name, and so on. Returns 0 if one of them
 * names something of the course. */
int reach_rooms(List *used, const char *room);

#endif
