/* profiler_writer.h: text into a file through one buffer, for traces of millions of events: printf alone would take
 * most of the time, so numbers are formatted by hand. And strings as JSON and CSV want them. */
#ifndef PROFILER_WRITER_H
#define PROFILER_WRITER_H

#include "profiler_core.h"

#include <string.h>

enum { WRITER_BYTES = 1 << 20, WRITER_SLACK = 4096 };

typedef struct prof_writer {
    int fd, failed; /* failed: errno; the rest is thrown away */
    size_t used;
    char *buffer; /* WRITER_BYTES */
} prof_writer;

void prof_write_out(prof_writer *w); /* what is in the buffer, to the file */

/* Makes room for n bytes. The functions below but prof_put_text() ask for none: who writes an event makes room for all
 * of it with WRITER_SLACK. */
static inline void prof_make_room(prof_writer *w, size_t n)
{
    if (w->used + n > WRITER_BYTES)
        prof_write_out(w);
}
#define prof_put_literal(w, s) (memcpy((w)->buffer + (w)->used, s, sizeof(s) - 1), (w)->used += sizeof(s) - 1)
void prof_put_number(prof_writer *w, uint64_t v);
void prof_put_us(prof_writer *w, uint64_t ns);     /* as microseconds, exact to the nanosecond */
void prof_put_text(prof_writer *w, const char *s); /* any length; leaves WRITER_SLACK of room */

/* A JSON string's inside, to be freed; NULL out of memory. Bytes that are no UTF-8 become '?'. \u is for what cannot be
 * said otherwise: Perfetto shows it as it stands. */
char *prof_escape(const char *text);
void prof_csv_text(FILE *out, const char *text); /* a field, quoted where it must be */

#endif
