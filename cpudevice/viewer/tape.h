/* tape.h: the block that an OS thread records, between two barriers and since its beginning.  Of record.c and encode.c.
 */
#ifndef CPUDEVICE_TAPE_H
#define CPUDEVICE_TAPE_H

#include "view.h"

typedef struct tape_step {  /* one instruction of one warp, or a meeting of its lanes */
    struct tape_step *next; /* of the warp, in the order shown */
    struct tape_site *site; /* NULL: a meeting */
    uint32_t warp, active, number;
    bool written; /* in code */
    union {
        struct {
            uintptr_t at[VIEW_LANES];
            uint8_t value[VIEW_LANES][VIEW_WIDEST]; /* read, or as it stood after the write */
        };
        cpudev_meeting meeting;
    };
} tape_step;

typedef struct tape_visit { /* of the lanes that execute one instruction together */
    unsigned long round;    /* of the loops around it: cpudev_check_round() */
    bool first;             /* in its round */
    uint32_t active;
    tape_step *step; /* NULL: left out */
} tape_visit;

typedef struct tape_visits {   /* of one warp at one site, since the last barrier */
    uint32_t lane[VIEW_LANES]; /* index + 1 of each lane's last visit */
    tape_visit *v;
    uint32_t count, capacity;
} tape_visits;

typedef struct tape_site {
    uintptr_t key, line; /* as in view_site */
    bool ours; /* the key lies in one of the device's own headers: it has a site for each line that calls it */
    int memory;
    uint32_t index; /* among the recording's */
    int kind;
    unsigned bytes;
    uintptr_t last; /* address of the last step written */
    uint32_t last_pattern;
    tape_visits warp[VIEW_WARPS];
} tape_site;

typedef struct tape_pattern {
    uint32_t active;
    intptr_t step[VIEW_LANES]; /* from the active lane before */
} tape_pattern;

typedef struct tape_word { /* what the page knows of 4 bytes of memory at this step */
    uintptr_t at;          /* + 1; 0: free */
    uint8_t known, value[4];
} tape_word;

typedef struct tape_log {  /* a step written */
    const tape_site *site; /* NULL: it touches no memory */
    uint32_t warp, active;
} tape_log;

enum { TAPE_CHUNK = 256, TAPE_SLOTS = 4096, TAPE_PENDING = 64, TAPE_ARRAYS = 64 };
typedef struct tape_chunk {
    struct tape_chunk *next;
    tape_step step[TAPE_CHUNK];
} tape_chunk;

typedef struct tape_mark { /* a finding, until the barrier gives its steps their numbers */
    int finding, entry;    /* its entry in block.marks + 1; 0: none yet */
    const void *pc, *other_pc;
    uint32_t thread, other_thread;
    bool has_other;
    uintptr_t a; /* what `thread` touched last */
    unsigned bytes;
} tape_mark;

typedef struct view_tape {
    view_block block;
    view_recording *of;
    uint32_t warps;
    uint32_t room[VIEW_WARPS]; /* steps that a warp may still take */
    tape_site *slot[TAPE_SLOTS];
    tape_site **sites;
    uint32_t site_count;
    tape_step *first[VIEW_WARPS], *last[1024]; /* of a thread */
    tape_chunk *chunks, *chunk;                /* all; the one being filled */
    uint32_t in_chunk;
    struct {
        uintptr_t a;
        unsigned bytes;
        uint8_t *to;
        const void *pc;
        uint32_t thread;
    } pending[TAPE_PENDING];
    int pending_count;
    uintptr_t a; /* the last access */
    unsigned bytes;
    tape_pattern *patterns;
    uint32_t pattern_count, pattern_capacity, *pattern_slot;
    tape_word *words;
    size_t word_count, word_capacity;
    tape_log *log;
    size_t log_capacity;
    tape_mark marks[16];
    int mark_count;
    struct {
        uintptr_t lo, base;
        size_t bytes;
    } array[TAPE_ARRAYS]; /* known already; lo: where it lies for this thread */
    int array_count;
} view_tape;

/* The return address in a key, without the number of the piece. */
static inline uintptr_t tape_code(uintptr_t key) { return key << 16 >> 16; }

/* Writes what has been recorded since the last barrier into block.code, in the order in which the page plays it. */
void tape_encode(view_tape *t);
void tape_encode_barrier(view_tape *t, uint32_t place);
/* Index + 1 in the recording's `places` (addresses.c). */
uint32_t tape_place(view_tape *t, uintptr_t pc);
/* The recorded address of a (addresses.c). */
uintptr_t tape_address(view_tape *t, uintptr_t a, int memory);

#endif
