/* view.h: the recording of one launch, step by step, from which CUDA_CPU_VIEW=FILE.html makes a page.
 *
 * A few blocks (first, middle, last, or the one asked for) are recorded in full: each instruction of each warp that
 * touches memory, with the lanes' addresses and values, barriers, and what lanes exchange.  Of all other blocks the
 * counters' sums by source line are kept.  The checker and the counters call in; page.c writes the page. */
#ifndef CPUDEVICE_VIEW_H
#define CPUDEVICE_VIEW_H

#include <stdbool.h>
#include <stdio.h>
#include "counters/counters.h"
#include "report/findings.h"
#include "observe/observer.h"

enum {
    VIEW_LANES = 32,
    VIEW_WARPS = 32,
    VIEW_BLOCKS = 3,
    VIEW_PARAMETERS = 32,
    VIEW_WORDS = 32 /* of a struct */,
    VIEW_WIDEST = 16 /* bytes a lane touches at once */
};
enum { VIEW_LOAD, VIEW_STORE, VIEW_ATOMIC };
enum { VIEW_GLOBAL, VIEW_SHARED, VIEW_CONSTANT };

/* ---- what is recorded ---- */

/* A place in the code that touches memory.  A struct's pieces are places of their own. */
typedef struct view_site {
    uintptr_t key;    /* the return address, and in the bits above 48 which piece */
    uintptr_t line;   /* an address in the student's own line: the key's, or that of a call which led there */
    int kind, memory; /* VIEW_... */
    unsigned bytes;
    sums total; /* of the whole launch */
} view_site;

/* An array: global memory lies where it lies; shared memory, whose address depends on the OS thread, is moved to
 * addresses of its own, the same for all blocks. */
typedef struct view_array {
    char name[64];
    char about[256]; /* "d_in: 4096 bytes, cudaMalloc at transpose.cu:12" */
    int memory;
    uintptr_t base; /* as in the recorded addresses */
    size_t bytes;
} view_array;

typedef struct view_parameter { /* of the kernel */
    char name[48], type[64];
    bool known; /* a number or a pointer */
    int64_t value;
    int words; /* of a struct: its first ones, among which may be pointers */
    uint64_t word[VIEW_WORDS];
} view_parameter;

/* Where a finding stands in a recorded block; a step of -1 is not recorded. */
typedef struct view_mark {
    int finding; /* as check_finding_at() knows it */
    long at, other;
} view_mark;

typedef struct view_bytes { /* grows at its end */
    uint8_t *p;
    size_t count, capacity;
} view_bytes;

/* One block.  Its steps stand in `code`, in the order in which the page plays them:
 *
 *   number n, one byte or more, low seven bits first, the eighth says that there is more:
 *     0          barrier: number site (index + 1 of a line of its own in `places`; 0: not known)
 *     1          lanes of a warp meet: number warp, 4 bytes lanes, 1 byte what (0 syncwarp, 1 shuffle, 2 vote, 3
 * other), number place as above; of a shuffle, for each lane one byte, the lane read; of a vote 4 bytes, who said yes
 *     2 + s      the instruction of site s: number warp, 4 bytes active lanes, signed number: the first active lane's
 *                address less that of this site's last step, number p: the pattern of the addresses.  p is the index of
 *                an earlier pattern, or the next index, and then for each active lane but the first follows a signed
 *                number, its address less the lane's before.  Then 4 bytes: the lanes whose values follow (those that
 *                cannot be told from the steps before), and for each as many bytes as the site's width.
 *   A signed number is 2v or -2v-1. */
typedef struct view_block {
    uint32_t block[3], threads;
    uint64_t linear;
    view_bytes code;
    uint32_t steps, barriers;
    uint64_t left_out; /* instructions for which there was no room */
    view_mark *marks;
    int mark_count;
} view_block;

typedef struct view_recording {
    bool any;
    uint32_t number; /* of the launch: 1, 2, ... */
    char kernel[192];
    char file[256];
    int line;
    uint32_t grid[3], block[3];
    size_t dynamic_smem, static_smem;
    view_parameter parameters[VIEW_PARAMETERS];
    int parameter_count;
    view_site *sites;
    int site_count;
    uintptr_t *places; /* return addresses of barriers and shuffles */
    int place_count;
    view_array arrays[64];
    int array_count;
    view_block blocks[VIEW_BLOCKS];
    int block_count;
    int *findings;
    int finding_count;
    const char *rows; /* lengths of rows that were asked for: "tile=33,in=96"; or NULL */
} view_recording;

/* A launch of the program, for the page's list. */
typedef struct view_launch {
    char kernel[192];
    uint32_t grid[3], block[3];
    int findings;
} view_launch;

/* ---- what the checker and the counters tell; the runtime tells by observer.h ---- */

/* An access of the running thread is about to happen: once for each piece that the counters count. */
void view_access(uint32_t thread, uintptr_t a, unsigned bytes, int kind, int memory, void *pc);
/* A read of constant memory, which the counters do not count; of any size. */
void view_constant(uint32_t thread, uintptr_t a, unsigned bytes, void *pc);
/* What has been counted at one place in the block that ends. */
void view_counted(uintptr_t key, int kind, int memory, unsigned bytes, const sums *s);
/* A finding of the running thread, by the number that check_finding_at() knows it by. */
void view_finding(int number, const check_finding *f);

/* ---- page.c, still.c ---- */
extern const char view_script[]; /* cucc links a program with the viewer by this name */
void view_write_script(FILE *o); /* what a page and a still picture share */
void view_write_data(FILE *o, const view_recording *r, const view_launch *launches, uint32_t count);
/* The picture of `what`, LINE[@STEP][:VIEW], as SVG into `file`, drawn by the page's own script in node or qjs.
 * False: it was not drawn, and one line on stderr says why. */
bool view_still(const char *file, const char *what, const view_recording *r, const view_launch *launches,
                uint32_t count);
void view_write(FILE *o, const view_recording *r, const view_launch *launches, uint32_t count);

#endif
