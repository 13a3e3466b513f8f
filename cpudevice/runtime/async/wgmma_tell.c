/* wgmma_tell.c: the registers and the shared memory that a product uses, as ranges of bytes. */
#include "async/wgmma_tell.h"

#include "observe/observers.h"
#include "exec/shared_window.h"

enum { CHUNK = 16, WARP_ROWS = 16 };

void wgmma_tell_registers(async_op *op, const wgmma_lane *lane, unsigned count)
{
    if (!lane->scattered) {
        async_holds(op, lane->d, count * sizeof *lane->d);
        return;
    }
    for (unsigned first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && lane->scattered[end] == lane->scattered[first] + (end - first);)
            end++;
        async_holds(op, lane->scattered[first], (end - first) * sizeof(uint32_t));
    }
}

/* Part of an operand: `rows` rows of A (columns of B) from `first` on, of `bytes` bytes along K. */
typedef struct part {
    uint64_t descriptor;
    bool turned; /* "MN-major" */
    unsigned first, rows, bytes;
    int format;
} part;

/* The swizzle's pattern is one of addresses. The descriptor says how far its first row is into it. */
static bool in_step(const wgmma_descriptor *d)
{
    return !(((d->start >> 7) - d->base_offset) & (d->width / CHUNK - 1));
}

static bool touch(async_op *op, const part *o)
{
    const wgmma_descriptor d = wgmma_decode(o->descriptor);
    const unsigned bits = (unsigned)wgmma_bits_of(o->format), across = o->rows * bits / 8 / CHUNK;
    const unsigned first_line = o->turned ? 0 : o->first, lines = o->turned ? o->bytes * 8 / bits : o->rows;
    const unsigned first_chunk = o->turned ? o->first * bits / 8 / CHUNK : 0;
    const unsigned chunks = o->turned ? across : o->bytes / CHUNK;
    const char *run = NULL;
    size_t bytes = 0;
    op->told.swizzle = d.width;
    for (unsigned l = first_line; l < first_line + lines; l++)
        for (unsigned c = first_chunk; c < first_chunk + chunks; c++) {
            const char *at = shared_at(wgmma_chunk(&d, o->turned, l, c), CHUNK);
            if (!at)
                return false;
            if (run && at != run + bytes) {
                async_touches(op, run, bytes, false);
                bytes = 0;
            }
            run = bytes ? run : at;
            bytes += CHUNK;
        }
    async_touches(op, run, bytes, false);
    if (!in_step(&d))
        TELL(async_layout, &op->told, shared_at(d.start, CHUNK),
             "the swizzle's pattern begins elsewhere: at multiples of 1024 bytes (128-byte swizzle), 512 (64) or 256 "
             "(32), "
             "moved by the descriptor's base offset");
    return true;
}

const char *wgmma_tell_operands(async_op *op, const wgmma_product *p, unsigned warp)
{
    const cpudev_wgmma_form *f = &p->form;
    const part a = {p->a, f->trans_a, warp * WARP_ROWS, WARP_ROWS, 32, f->a};
    const part b = {p->b, f->trans_b, 0, f->n, f->k * (unsigned)wgmma_bits_of(f->b) / 8, f->b};
    if (!f->registers && !touch(op, &a))
        return "its descriptor of A leaves shared memory";
    if (!touch(op, &b))
        return "its descriptor of B leaves shared memory";
    return NULL;
}
