/* meet.c: lanes of a warp have met: what they came for is done. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <string.h>

#include "warp/meet.h"
#include "observe/observers.h"
#include "device/sizes.h"
#include "observe/tell_block.h"
#include "exec/thread.h"

static inline unsigned lanes_of(cpudev_worker *w, unsigned warp, unsigned mask, unsigned lane)
{
    return (mask | 1u << lane) & w->warps[warp].live;
}

static inline void copy_small(void *to, const void *from, unsigned bytes)
{
    switch (bytes) {
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    case 16: memcpy(to, from, 16); break;
    case 24: memcpy(to, from, 24); break;
    case 32: memcpy(to, from, 32); break;
    case 40: memcpy(to, from, 40); break;
    default: memcpy(to, from, bytes);
    }
}

/* All lanes in r's mask are there: do what they came for. */
static void meet(cpudev_fiber *base, unsigned lanes, int op)
{
    unsigned ballot = 0;
    if (op == OP_CALL) {
        void *outs[WARP] = {0};
        for (unsigned m = lanes; m; m &= m - 1)
            outs[__builtin_ctz(m)] = base[__builtin_ctz(m)].request->out;
        base[__builtin_ctz(lanes)].request->call(outs);
    }
    if (op == OP_BALLOT)
        for (unsigned m = lanes; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            ballot |= (unsigned)(base[l].request->src != 0) << l;
        }
    for (unsigned m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        cpudev_request *r = base[l].request;
        switch (op) {
        case OP_BALLOT: *(unsigned *)r->out = ballot; break;
        case OP_SHUFFLE:
            if (r->src < WARP && (lanes >> r->src & 1))
                switch (r->bytes) {
                case 4: memcpy(r->out, base[r->src].request->in, 4); break;
                case 8: memcpy(r->out, base[r->src].request->in, 8); break;
                default: memcpy(r->out, base[r->src].request->in, r->bytes);
                }
            break;
        case OP_GATHER:
            for (unsigned k = 0; k < WARP; k++)
                if (lanes >> k & 1)
                    copy_small((char *)r->out + k * r->bytes, base[k].request->in, r->bytes);
                else
                    memset((char *)r->out + k * r->bytes, 0, r->bytes);
            break;
        default: break;
        }
    }
    for (unsigned m = lanes; m; m &= m - 1)
        base[__builtin_ctz(m)].request->done = 1;
}

bool try_meet(cpudev_worker *w, unsigned warp, unsigned lane)
{
    cpudev_fiber *base = w->fibers + warp * WARP;
    cpudev_request *mine = base[lane].request;
    unsigned lanes = lanes_of(w, warp, mine->mask, lane);
    if ((w->warps[warp].arrived & lanes) != lanes)
        return false;
    for (unsigned m = lanes; m; m &= m - 1) {
        cpudev_request *r = base[__builtin_ctz(m)].request;
        if (!r || r->done || r->op != mine->op || r->mask != mine->mask || r->bytes != mine->bytes ||
            (r->op == OP_CALL && r->call != mine->call))
            return false;
    }
    if (__builtin_expect(observed.threads, 0))
        tell_meet(w, warp, lanes, mine->op);
    meet(base, lanes, mine->op);
    w->warps[warp].arrived &= ~lanes;
    w->progress++;
    w->watch.events++;
    return true;
}

void retry_warp(cpudev_worker *w, unsigned warp)
{
    for (unsigned m = w->warps[warp].arrived; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        cpudev_request *r = w->fibers[warp * WARP + l].request;
        if (r && !r->done && r->op != OP_ACTIVE)
            try_meet(w, warp, l);
    }
}
