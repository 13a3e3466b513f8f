/* cuprof_page.h: the run as a page for a browser: the template (tools/profiler/cuprof.html) with its line "CUPROF_DATA"
 * replaced by the table's rows, the timeline's lanes and longest spans, and nsys's summaries, and "CUPROF_WORDS" by
 * the viewer's words.js, with cuprof_chinese.js before it where COURSE_LANG, else LANG, asks for Chinese. */
#ifndef CUPROF_PAGE_H
#define CUPROF_PAGE_H

#include "profiler/profiler_core.h"

/* The sources' times count from the first one's base. 0; an error number when a file cannot be opened; -1 when the page
 * could not be written whole. */
int cuprof_page(const char *path, const char *template_path, prof_source **sources, size_t count, const char *command);

#endif
