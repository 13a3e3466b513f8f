/* objects.h: the kept objects of a part. For each part OUT/objects/PART has
 *
 *   FOLDER/ROOM-NAME.o     of FOLDER/ROOM/NAME.c, and with .deps the files that it was made from
 *   FOLDER/command         what compiled the folder's objects: another command makes them all anew
 *   FOLDER.o               a library's: the folder's objects in one
 *   depends                of the whole part: its command, then its files
 *
 * An object is made anew if it is older than its source or a header that it includes. Paths in .deps and depends are
 * relative to the folder of cucc, since that is named otherwise from each working folder. */
#ifndef CUCC_OBJECTS_H
#define CUCC_OBJECTS_H

#include "driver.h"

#include <time.h>

/* A part of what is built: its name, the flags of its compilation, and the folders of its sources. */
typedef struct Part {
    const char *name, *flags, *folders[5];
} Part;

bool is_library(const Part *p);
/* Are its sources kernels' files, which cucc compiles? */
bool of_kernels(const Part *p);
/* Is the part missing, made by another command, or older than a file that it was made from? */
bool out_of_date(const Driver *d, const Part *p);
/* The folder of the objects of one of its folders. */
const char *objects_folder(const Driver *d, const Part *p, const char *folder);
/* Compiles what is out of date, and adds all objects of the folder to `objects`. */
int make_objects_of(Driver *d, const Part *p, const char *folder, Words *objects);
/* Is the folder's joined object missing, of other files, or older than one of these? */
bool must_join(const Driver *d, const Part *p, const Words *objects, const char *joined);
/* Moves the part that was made to its place, and notes what it was made from. */
int put_in_place(Driver *d, const Part *p, const char *made);

/* ---- dependencies.c ---- */

/* The files in the folder that begin and end so, in the order of their names. */
Words files_in(const char *folder, const char *beginning, const char *ending);
/* The files in the folder and the folders below it that end so. */
Words files_below(const char *folder, const char *ending);
bool newer(const char *file, struct timespec than);
bool file_has_text(const char *path, const char *text);
/* Writes the file in one step; a file that has the text already keeps its time. Returns 0, or 1 if that fails. */
int write_file(Driver *d, const char *path, const char *text);
/* Makes the folder and those above it. */
void make_folder(const char *path);
/* Reads `rule`, which the compiler wrote for make, and writes the list `path`. Returns 0, or 1 if that fails. */
int keep_dependencies(Driver *d, const char *objects, const char *rule, const char *path);
/* Is a file of the list newer, or gone? */
bool older_than_listed(const Driver *d, const char *objects, const Words *list, struct timespec than);

#endif
