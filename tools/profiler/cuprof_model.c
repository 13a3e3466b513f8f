/* cuprof_model.c: see cuprof_model.h. */
#include "cuprof_model.h"
#include "../../common/csv.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL, GRID, BLOCK, COLD_US, REGISTERS = 13, NOTE = 15, FIELDS };

static void put(char *const field[FIELDS], uint64_t *now)
{
    prof_event e = {.kind = PROF_KERNEL, .name = prof_name(field[KERNEL]), .start_ns = *now};
    e.registers = (uint16_t)strtoul(field[REGISTERS], NULL, 10);
    sscanf(field[GRID], "%ux%hux%hu", &e.grid_x, &e.grid_y, &e.grid_z);
    sscanf(field[BLOCK], "%hux%hux%hu", &e.block[0], &e.block[1], &e.block[2]);
    *now += (uint64_t)(1000 * strtod(field[COLD_US], NULL) + 0.5);
    e.end_ns = *now;
    prof_put(&e);
}

/* "no time: k (a library's kernel: not modelled); ...", a kernel once. */
static void add_unknown(char *message, size_t size, const char *kernel, const char *why)
{
    char one[256];
    snprintf(one, sizeof one, "%s (%s)", kernel, why);
    const size_t n = strlen(message);
    if (!strstr(message, one))
        snprintf(message + n, size - n, "%s%s", n ? "; " : "no time: ", one);
}

/* The lines of the file in a store. `message` gets what has no time. NULL: it is no such file. */
static prof_source *read_launches(FILE *f, char *message, size_t size)
{
    enum { MEMORY = 64 << 20 };
    static const char head[] = "kernel,grid,block,cold_us,";
    char *line = NULL, *field[FIELDS];
    size_t room = 0;
    prof_source *s = NULL;
    if (getline(&line, &room, f) > 0 && !strncmp(line, head, strlen(head)) && !prof_store_open(NULL, MEMORY)) {
        uint64_t now = prof_now_ns();
        while (getline(&line, &room, f) > 0) {
            if (csv_split(line, field, FIELDS) != FIELDS)
                continue; /* the program was ended while it wrote */
            if (*field[COLD_US])
                put(field, &now);
            else
                add_unknown(message, size, field[KERNEL], field[NOTE]);
        }
        s = prof_store_close();
    }
    free(line);
    return s;
}

prof_source *cuprof_model(const char *csv, const char *chip)
{
    char message[sizeof((prof_source *)NULL)->message] = "";
    FILE *f = fopen(csv, "r");
    if (!f)
        return NULL;
    prof_source *s = read_launches(f, message, sizeof message);
    fclose(f);
    if (s) {
        snprintf(s->backend, sizeof s->backend, CUPROF_MODEL);
        snprintf(s->device, sizeof s->device, "%s (model)", chip);
        memcpy(s->message, message, sizeof message);
    }
    return s;
}

unsigned long long cuprof_not_modelled(const prof_source *source)
{
    unsigned long long n = 0;
    for (size_t i = 0; i < source->chunk_count; i++) {
        const prof_chunk *c = prof_chunk_map(source, i);
        if (!c)
            continue;
        for (uint32_t k = 0; k < c->count; k++)
            n += c->events[k].kind == PROF_MEMCPY || c->events[k].kind == PROF_MEMSET ||
                 c->events[k].kind == PROF_MIGRATION;
        prof_chunk_unmap(source, i, c);
    }
    return n;
}
