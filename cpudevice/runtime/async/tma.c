/* tma.c: PTX's tensor copies ("Data Movement and Conversion Instructions: Tensor copy" of the PTX ISA).
 *
 * What lies outside the tensor is read as zero (or NaN) and never written; the bytes that an mbarrier counts are those
 * of the whole box. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "async/async.h"
#include "async/bulk_reduce.h"
#include "cpudev_abi.h"
#include "cpudevice.h"
#include "async/mbarrier.h"
#include "device/message.h"
#include "exec/held.h"
#include "observe/observers.h"
#include "async/tensor_map.h"
#include "exec/thread.h"
#include "cpudev_must.h"

enum { ROW_MOST = BOX_MOST * 8 };

typedef struct tensor_copy {
    async_op op;
    tensor_map map;
    box box;
    char *shared;
    void *bar;
    const void *site;
    int reduce;
    char *buffer; /* of a store: the box as it was read, row by row */
} tensor_copy;

static void fail(const char *what, int status, const void *site) __attribute__((noreturn));
static void fail(const char *what, int status, const void *site)
{
    char where[256];
    describe_place(where, sizeof where);
    TELL(async_mistake, site, "cp.async.bulk.tensor", what);
    if (!observed.reports_deadlock)
        message("%s: cp.async.bulk.tensor: %s", where, what);
    fail_kernel(status);
}

/* ---- what becomes of an element on its way, as an H200 does it (cpudevice/tests/ptx/ptx_async.cu) ---- */

static void fill_row(char *row, const box *b)
{
    static const uint16_t nan = 0x7ff7; /* in each 16 bits, whatever the type */
    if (!b->map->fill)
        memset(row, 0, b->row);
    for (uint32_t i = 0; b->map->fill && i < b->row; i += sizeof nan)
        memcpy(row + i, &nan, sizeof nan);
}

/* To the nearest number of 10 bits of significand, ties to even. Denormal numbers stay, also of the types named FTZ. */
static void convert(char *row, uint32_t first, uint32_t end, int type)
{
    if (type != TYPE_TF32 && type != TYPE_TF32_FTZ)
        return;
    for (uint32_t i = first; i < end; i++) {
        uint32_t x;
        memcpy(&x, row + 4 * (size_t)i, sizeof x);
        if ((x & 0x7f800000) != 0x7f800000)
            x = (x + 0xfff + (x >> 13 & 1)) & ~0x1fffu;
        memcpy(row + 4 * (size_t)i, &x, sizeof x);
    }
}

/* Memory is written in units of 16 bytes: a row that ends in the middle of one overwrites the bytes after it, up to the
 * unit's end. Both are in elements. */
static uint32_t written_end(const box *b, uint32_t end)
{
    const uint32_t unit = 16 / tensor_element(b->map->type), whole = (end + unit - 1) / unit * unit;
    return whole < b->count[0] ? whole : b->count[0];
}

/* ---- rows of the box in shared memory ---- */

static void put_row(const box *b, char *shared, uint32_t i, const char *row)
{
    const uintptr_t at = (uintptr_t)shared + (size_t)i * b->pitch;
    if (!b->map->swizzle) {
        memcpy((char *)at, row, b->row);
        return;
    }
    for (uint32_t k = 0; k < b->row; k += 16)
        memcpy((char *)box_swizzled(b, at + k), row + k, 16);
}

static void get_row(const box *b, const char *shared, uint32_t i, char *row)
{
    const uintptr_t at = (uintptr_t)shared + (size_t)i * b->pitch;
    if (!b->map->swizzle) {
        memcpy(row, (const char *)at, b->row);
        return;
    }
    for (uint32_t k = 0; k < b->row; k += 16)
        memcpy(row + k, (const char *)box_swizzled(b, at + k), 16);
}

/* ---- landing ---- */

static void land_load(async_op *op, int stage)
{
    tensor_copy *c = (tensor_copy *)op;
    const box *b = &c->box;
    const unsigned bytes = tensor_element(c->map.type);
    char row[ROW_MOST];
    (void)stage;
    for (uint32_t i = 0; i < b->rows; i++) {
        uint32_t first, end;
        const char *from = box_row(b, i, &first, &end);
        if (end - first < b->count[0])
            fill_row(row, b);
        if (from)
            memcpy(row + (size_t)first * bytes, from, (size_t)(end - first) * bytes);
        convert(row, first, end, c->map.type);
        put_row(b, c->shared, i, row);
    }
    mbarrier_bytes(c->bar, b->rows * b->row, c->site);
}

static void land_store(async_op *op, int stage)
{
    tensor_copy *c = (tensor_copy *)op;
    const box *b = &c->box;
    const unsigned bytes = tensor_element(c->map.type);
    if (stage == 0) {
        c->buffer = held_malloc((size_t)b->rows * b->row);
        if (!c->buffer)
            out_of_memory();
        for (uint32_t i = 0; i < b->rows; i++)
            get_row(b, c->shared, i, c->buffer + (size_t)i * b->row);
        return;
    }
    for (uint32_t i = 0; i < b->rows; i++) {
        uint32_t first, end;
        char *to = box_row(b, i, &first, &end);
        const char *from = c->buffer + (size_t)i * b->row + (size_t)first * bytes;
        if (!to)
            continue;
        end = written_end(b, end);
        if (c->reduce)
            bulk_reduce(to, from, end - first, c->reduce, c->map.type);
        else
            memcpy(to, from, (size_t)(end - first) * bytes);
    }
}

static void gone(async_op *op) { held_free(((tensor_copy *)op)->buffer); }

/* What observers hear of: the rows that exist in memory, and the box in shared memory. Returns the rows' bytes. */
static uint64_t tell(tensor_copy *c, bool store, const void *site)
{
    const box *b = &c->box;
    const unsigned bytes = tensor_element(c->map.type);
    uint64_t sum = 0;
    c->site = site;
    if (!observed.threads)
        return 0;
    async_tell(&c->op, c->reduce ? "cp.reduce.async.bulk.tensor" : "cp.async.bulk.tensor", site);
    c->op.told.reduces = store && c->reduce;
    for (uint32_t i = 0; i < b->rows; i++) {
        uint32_t first, end;
        char *p = box_row(b, i, &first, &end);
        const size_t run = p ? (size_t)((store ? written_end(b, end) : end) - first) * bytes : 0;
        if (p)
            async_touches(&c->op, p, run, store);
        sum += run;
    }
    c->op.told.swizzle = 16u << c->map.swizzle;
    async_touches(&c->op, c->shared, (size_t)(b->rows - 1) * b->pitch + b->row, !store);
    return sum;
}

/* ---- the instructions ---- */

static tensor_copy *prepare(const void *map, int rank, const int32_t *at, const uint16_t *offsets, int im2col,
                            void *shared, int kind, const void *object, void (*land)(async_op *op, int stage),
                            const void *site)
{
    tensor_copy *c = async_new(sizeof *c, kind, object, land);
    memcpy(&c->map, map, sizeof c->map);
    if (c->map.tag != TENSOR_MAP_TAG || (uintptr_t)map % 64)
        fail("this is not a tensor map", cudaErrorIllegalInstruction, site);
    if (c->map.rank != rank)
        fail("the tensor map has a different number of dimensions", cudaErrorIllegalInstruction, site);
    if (c->map.im2col != im2col)
        fail("the tensor map is not of this mode (tile, im2col)", cudaErrorIllegalInstruction, site);
    if (c->map.interleave)
        fail("interleaved layouts are not supported on the CPU device", cudaErrorNotSupported, site);
    if ((uintptr_t)shared % 128)
        fail("the box's place in shared memory is not a multiple of 128 bytes", cudaErrorMisalignedAddress, site);
    if ((int64_t)at[0] * (int)tensor_element(c->map.type) % 16)
        fail("the first coordinate is not a multiple of 16 bytes", cudaErrorIllegalInstruction, site);
    for (int i = 0; kind == ASYNC_BULK && i < rank; i++)
        if (at[i] < 0)
            fail("a box that is stored begins at a negative coordinate", cudaErrorIllegalInstruction, site);
    box_of(&c->box, &c->map, at, offsets);
    c->shared = shared;
    c->op.gone = gone;
    return c;
}

void cpudev_tensor_load(uint32_t to, const void *map, int rank, const int32_t *at, const uint16_t *offsets,
                        uint32_t bar, uint32_t blocks)
{
    const void *site = __builtin_return_address(0);
    uint64_t moved = 0;
    for (uint32_t block = 0; block < CLUSTER_MOST; block++) {
        if (blocks ? !(blocks >> block & 1) : block)
            continue;
        void *shared = cpudev_from_shared(blocks ? cpudev_mapa(to, block) : to);
        void *there = cpudev_from_shared(blocks ? cpudev_mapa(bar, block) : bar);
        tensor_copy *c =
            prepare(map, rank, at, offsets, offsets != NULL, shared, ASYNC_MBARRIER, there, land_load, site);
        c->bar = there;
        moved = tell(c, false, site);
        async_begin(&c->op);
    }
    TELL(unit, CPUDEV_TMA_LOAD, site, 1, moved);
}

void cpudev_tensor_store(const void *map, int rank, const int32_t *at, uint32_t from, int reduce, int im2col)
{
    const void *site = __builtin_return_address(0);
    tensor_copy *c = prepare(map, rank, at, NULL, im2col, cpudev_from_shared(from), ASYNC_BULK,
                             (const void *)(uintptr_t)cpudev_tid(), land_store, site);
    if (reduce && !bulk_reduces(reduce, c->map.type))
        fail("the tensor's type has no such reduction", cudaErrorIllegalInstruction, site);
    c->reduce = reduce;
    c->op.stages = 2;
    const uint64_t moved = tell(c, true, site);
    TELL(unit, CPUDEV_TMA_STORE, site, 1, moved);
    async_begin(&c->op);
}

void cpudev_tensor_prefetch(const void *map, int rank, const int32_t *at, const uint16_t *offsets)
{
    const void *site = __builtin_return_address(0);
    tensor_map m;
    (void)at;
    (void)offsets;
    memcpy(&m, map, sizeof m);
    if (m.tag != TENSOR_MAP_TAG || m.rank != rank)
        fail("this is not a tensor map, or has a different number of dimensions", cudaErrorIllegalInstruction, site);
}
