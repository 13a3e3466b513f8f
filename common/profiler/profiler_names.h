/* profiler_names.h: the names of events, for who opens and closes the store. prof_name() and its kin are in
 * profiler_core.h. */
#ifndef PROFILER_NAMES_H
#define PROFILER_NAMES_H

#include "profiler_chunk.h"

/* All names so far, and each new one as it comes, go to this file too, in chunks of their own. NULL: no longer. */
void prof_names_log_to(prof_chunk_file *file);
/* The texts so far, by number: an array to be freed; the texts stay. NULL out of memory, and the count is 0. */
const char **prof_names_copy(size_t *count);

#endif
