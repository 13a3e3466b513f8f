/* host_access.c: the host's accesses to memory that kernels use too. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <pthread.h>

#include "host/host.h"
#include "memory/describe.h"
#include "race/looks.h"
#include "report/findings.h"
#include "race/global.h"
#include "core/layout.h"
#include "report/lines.h"
#include "memory/memcheck.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "core/operation.h"
#include "race/race.h"
#include "race/record.h"
#include "race/segment.h"
#include "race/shadow.h"
#include "core/tools.h"
#include "core/worker.h"
#include "core/lock.h"

// One segment for the host's accesses between two runtime calls from one place
// in the program; the place is kept in it.
static uint32_t host_segment(void *pc)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct {
        uint32_t clock, seg;
        void *pc;
    } recent[64];
    uint32_t now = check_host_clock(), i = (uint32_t)((uintptr_t)pc * 2654435761u >> 20) & 63;
    check_lock(&lock);
    if (recent[i].clock != now || recent[i].pc != pc) {
        recent[i].clock = now;
        recent[i].pc = pc;
        check_note_host_seg(now, check_seg_next()); // first: an operation that begins meanwhile must not miss it
        recent[i].seg = check_seg_new((check_seg){0, now, (uint32_t)(uintptr_t)pc, (uint32_t)((uintptr_t)pc >> 32)});
    }
    uint32_t s = recent[i].seg;
    check_unlock(&lock);
    return s;
}

// The host has read, by an atomic or volatile read, a value that a kernel wrote after a fence. All that the kernel did
// before the fence now comes before the host's further accesses.
void check_host_acquire(uintptr_t a)
{
    record r = check_last_write(a);
    check_seg *g = REC_ATOMIC(r) ? check_seg_get(REC_SEG(r)) : NULL;
    check_op *op = g && g->op ? check_op_by_id(g->op) : NULL;
    if (op && op->releases)
        op->host_saw = 1;
}

static int host_ordered(uint32_t seg)
{
    if (seg < check_global_floor())
        return 1;
    check_seg *g = check_seg_get(seg);
    if (!g || g->op == 0 || check_op_before_host(g->op))
        return 1;
    check_op *op = check_op_by_id(g->op);
    return !op || op->host_saw;
}

// A plain read by the host of a word that kernels change atomically is a mistake, unless an atomic on the same word
// follows: then the read begins a compare-and-swap loop.
static __thread struct {
    int on;
    uintptr_t a;
    void *pc;
    check_finding f;
} host_look;

static void host_look_settle(uintptr_t a, int atomic)
{
    if (atomic && a == host_look.a) {
        check_look_leads(host_look.pc, a, LOOK_CAS);
        host_look.on = 0;
    }
    if (host_look.on && !check_look_of(host_look.pc))
        check_report(&host_look.f);
    host_look.on = 0;
    host_look.pc = NULL;
}

void check_host_looked(void)
{
    if (host_look.pc)
        host_look_settle(0, 0);
    for (int i = 0; i < check_host_look_count; i++)
        if (!check_look_of(check_host_looks[i]->at.pc))
            check_report(check_host_looks[i]);
}

// What an access of the host's meets in a cell: the record of an access that no synchronize has ordered, and whether that
// one wrote. 0 if there is none.
static record unordered_with(record written, record read, record read_too, int flags, bool *wrote)
{
    *wrote = true;
    if (written && !(flags & A_ATOMIC && REC_ATOMIC(written)) && !host_ordered(REC_SEG(written)))
        return written;
    *wrote = false;
    if (!(flags & A_WRITE))
        return 0;
    if (read && !host_ordered(REC_SEG(read)))
        return read;
    return read_too && !host_ordered(REC_SEG(read_too)) ? read_too : 0;
}

static const char *queued_work(const check_op *op)
{
    return op->kind == CPUDEV_OP_SET ? "memset" : op->kind == CPUDEV_OP_HOSTFN ? "host function" : "copy";
}

static void tell_host_race(record bad, bool wrote, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    check_seg *g = check_seg_get(REC_SEG(bad));
    check_op *op = g ? check_op_by_id(g->op) : NULL;
    check_finding f;
    char where[160];
    if (!op)
        return;
    memset(&f, 0, sizeof f);
    f.tool = TOOL_HOST;
    f.kind = "host-race";
    f.at.pc = pc;
    check_describe_address(&check_self, a, 0, NULL, f.object, sizeof f.object, where, sizeof where);
    snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s of %s", check_verb(flags), bytes, bytes == 1 ? "" : "s", where);
    f.has_other = 1;
    if (op->kind == CPUDEV_OP_KERNEL) {
        check_kernel_name(op->name, f.kernel, sizeof f.kernel);
        f.launch_pc = op->caller;
        snprintf(f.title, sizeof f.title, "the host %s memory that a kernel %s, with no synchronization in between",
                 check_verb(flags), wrote ? "writes" : "reads");
        check_place_thread(&f.other, op, g->block, REC_THREAD(bad), 1);
        f.other.pc = pc_of(bad);
        snprintf(f.other.what, sizeof f.other.what, "%s it", wrote ? "writes" : "reads");
    } else {
        snprintf(f.title, sizeof f.title, "the host %s a buffer while an asynchronous %s may still be %s it",
                 check_verb(flags), queued_work(op), wrote ? "filling" : "reading");
        f.other.pc = op->caller;
        snprintf(f.other.what, sizeof f.other.what, "was queued");
    }
    f.cause = "launches and async copies return before their work is done: synchronize (device, stream or event) "
              "before the host touches the memory";
    if (wrote && !(flags & A_WRITE) && REC_ATOMIC(bad)) {
        host_look.on = 1;
        host_look.f = f;
    } else
        check_report(&f);
}

// The host is put on record as a reader, in the place of one that comes before it, or else as the second.
static void host_reader_note(record *r1, uintptr_t c, unsigned i, record me)
{
    const uint32_t y = second_at(c)[i];
    if (r1 && (!*r1 || host_ordered(REC_SEG(*r1))))
        *r1 = me;
    else if (r1 || !y || host_ordered(widen(y)))
        second_put(c, i, me);
}

// As a kernel's access (global.c): on record under the line's lock, then judged against what was there. A flag that is
// polled, which is read by an atomic, leaves no record.
static void host_cell(uintptr_t c, record *cw, record *r1, uintptr_t a, unsigned bytes, int flags, void *pc, record me)
{
    const unsigned i = (a & 4095) / bytes;
    record old = *cw, x = 0, y = 0;
    bool wrote;
    if (flags & A_WRITE) {
        *cw = me;
        x = r1 ? *r1 : 0;
        y = second_record(second_at(c)[i], second_place(c, i));
        if (r1)
            *r1 = 0;
        second_at(c)[i] = 0;
    } else if (!(flags & A_ATOMIC))
        host_reader_note(r1, c, i, me);
    line_unlock(line_at(c, a & 4095));
    record bad = unordered_with(old, x, y, flags, &wrote);
    if (bad && check_tools & TOOL_HOST && !check_seen("host-race", pc))
        tell_host_race(bad, wrote, a, bytes, flags, pc);
}

static void host_bytes(page *p, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    const int want = (a | bytes) & 1 ? MODE_BYTE : (a | bytes) & 2 ? MODE_HALF : MODE_WORD;
    const record me = REC_MAKE(host_segment(pc), flags & A_ATOMIC ? 1 : 0, 0, pc);
    unsigned size;
    for (uintptr_t at = a; at < a + bytes; at += size) {
        const unsigned off = at & 4095;
        uintptr_t c = cells_lock(p, off, want);
        gcell *g = cells_at(c);
        size = 4u >> (c & 3);
        if (size == 4 && flags & A_WRITE)
            line_settle(c, off);
        if (size == 1)
            host_cell(c, (record *)g + off, NULL, at, 1, flags, pc, me);
        else
            host_cell(c, &g[off / size].w, &g[off / size].r1, at, size, flags, pc, me);
    }
}

static void tell_variable_touched(const check_variable *v, int flags, void *pc)
{
    if (!(check_tools & TOOL_MEM) || check_seen("host-deref", pc))
        return;
    check_finding f;
    check_here(&f, TOOL_MEM, "host-deref", pc);
    const char *kind = v->kind == 'c' ? "__constant__" : "__device__";
    if (cpudev_api.name)
        snprintf(f.title, sizeof f.title, "%s writes its result to the %s variable %s directly", cpudev_api.name, kind,
                 v->name);
    else
        snprintf(f.title, sizeof f.title, "the host %s the %s variable %s directly", check_verb(flags), kind, v->name);
    f.cause = "the host sees its own copy, not the device's: use cudaMemcpyFromSymbol and cudaMemcpyToSymbol";
    check_report(&f);
}

static void tell_device_memory_touched(const check_alloc *al, unsigned bytes, int flags, void *pc)
{
    if (!(check_tools & TOOL_MEM) || check_seen("host-deref", pc))
        return;
    check_finding f;
    check_here(&f, TOOL_MEM, "host-deref", pc);
    if (cpudev_api.name)
        snprintf(f.title, sizeof f.title, "%s writes its result into device memory", cpudev_api.name);
    else
        snprintf(f.title, sizeof f.title, "the host dereferences device memory");
    snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", check_verb(flags), bytes, bytes == 1 ? "" : "s");
    check_describe_alloc(al, f.object, sizeof f.object);
    f.cause = cpudev_api.name
                  ? "the runtime runs on the host, which cannot write there (on a GPU this is a crash): give it a host "
                    "variable's address, and copy the value, or the whole struct, to the device with cudaMemcpy"
                  : "a cudaMalloc pointer means nothing on the host (on a GPU this is a crash): copy the data back "
                    "with cudaMemcpy first, or use cudaMallocManaged";
    check_report(&f);
}

static void host_on_variable(const worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    const check_variable *v = check_variable_at((void *)a, 0);
    if (!v)
        return;
    if (v->kind != 'm')
        tell_variable_touched(v, flags, pc);
    else if (check_tools & TOOL_HOST && !w->op && (a & 4095) + bytes <= 4096)
        host_bytes(&check_var_pages[(a - check_program.data_lo) >> 12], a, bytes, flags, pc);
}

// Memory that is no allocation of the device's: pinned and registered pages, and the program's own heap.
static void host_on_own(const worker *w, page *p, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    unsigned here = 4096 - (a & 4095);
    if (p && check_tools & TOOL_HOST && !w->op)
        host_bytes(p, a, bytes < here ? bytes : here, flags, pc);
    else if (!p && host_heap_bad(a, bytes))
        check_out_of_bounds_host(a, bytes, flags, pc);
}

static void host_on_managed(worker *w, page *p, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    if (!(check_tools & TOOL_HOST))
        return;
    if (!w->op) {
        host_bytes(p, a, bytes, flags, pc);
        return;
    }
    // A host function in a stream: ordered as that operation.
    w->global.floor = 0;
    w->global.segment = 0;
    w->block_id = 0;
    w->thread = 0;
    check_global_bytes(w, p, a, bytes, flags, pc, 0);
    w->global.segment = 0;
}

static void host_on_allocation(worker *w, page *p, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    check_alloc *al = p->alloc ? &check_heap.allocs[p->alloc - 1] : NULL;
    unsigned off = a & 4095;
    if (!al || off < p->lo || off + bytes > p->hi) {
        if (al && p->hi && off < p->hi && off + bytes > 4096 && p[1].alloc == p->alloc &&
            off + bytes - 4096 <= p[1].hi) { // it goes over the end of a page
            check_host_access(w, a, 4096 - off, flags, pc);
            check_host_access(w, a + 4096 - off, bytes - (4096 - off), flags, pc);
            return;
        }
        al = check_alloc_near((void *)a, NULL);
        if (!al || (al->kind != CPUDEV_MEM_DEVICE && al->kind != CPUDEV_MEM_HEAP)) {
            check_out_of_bounds_heap(w, a, bytes, flags, pc);
            return;
        }
    }
    if (al->kind == CPUDEV_MEM_DEVICE || al->kind == CPUDEV_MEM_HEAP)
        tell_device_memory_touched(al, bytes, flags, pc);
    else
        host_on_managed(w, p, a, bytes, flags, pc);
}

static void host_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    if (host_look.pc)
        host_look_settle(a, flags & A_ATOMIC);
    if (!(flags & (A_WRITE | A_ATOMIC))) {
        host_look.a = a;
        host_look.pc = pc;
    }
    if (w->strong.late_a) {
        check_host_acquire(w->strong.late_a);
        w->strong.late_a = 0;
    }
    if (a - check_program.data_lo < check_program.data_bytes)
        host_on_variable(w, a, bytes, flags, pc);
    else if (!check_is_heap((void *)a))
        host_on_own(w, page_of(a), a, bytes, flags, pc);
    else
        host_on_allocation(w, page_of(a), a, bytes, flags, pc);
}

void check_host_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    if (w->op && w->op->kind != CPUDEV_OP_HOSTFN)
        return;           // the core at work on a copy
    if (!cpudev_api.name) // not inside the runtime
        host_access(w, a, bytes, flags, pc);
}

// The runtime writes a call's result where the host asked for it, as the host itself would.
void check_result_at(void *p, size_t bytes)
{
    const uintptr_t a = (uintptr_t)p;
    if (check_is_heap(p) || a - check_program.data_lo < check_program.data_bytes ||
        a - check_registry.lo < check_registry.bytes)
        host_access(&check_self, a, (unsigned)bytes, A_WRITE | A_RANGE, cpudev_api.caller);
}

// A copy's or a set's accesses, on the thread that does it.
void check_touch_op(check_op *op, const void *ptr, size_t bytes, int write)
{
    worker *w = &check_self;
    uintptr_t a = (uintptr_t)ptr, end = a + bytes;
    if (!bytes || !page_of(a))
        return;
    check_variable *v = a - check_program.data_lo < check_program.data_bytes ? check_variable_at(ptr, 0) : NULL;
    if (a - check_program.data_lo < check_program.data_bytes && !v)
        return;
    const check_registered *r = v || check_is_heap(ptr) ? NULL : check_registered_at(a, 0);
    if (r && r->pageable)
        return; // a copy of pageable memory is done with it when the call returns, or reads it through a buffer
    check_op *keep = w->op;
    uint32_t keep_seg = w->global.segment, keep_floor = w->global.floor;
    int keep_kernel = w->in_kernel;
    w->op = op;
    w->in_kernel = 0;
    w->global.segment = 0;
    w->thread = 0;
    w->block_id = 0;
    w->global.grid_epoch = 0;
    w->global.floor = check_op_floor(op);
    while (a < end) {
        uintptr_t stop = (a | 4095) + 1;
        if (stop > end)
            stop = end;
        page *p = page_of(a);
        if (!p || (check_is_heap((void *)a) && !p->hi))
            break;
        // Ragged ends: a granule is taken as touched whole.
        uintptr_t c = __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE);
        unsigned g = c ? 4u >> (c & 3) : 4u;
        uintptr_t lo = a, hi = stop;
        if (stop == (uintptr_t)ptr + bytes && check_is_heap((void *)a) && (stop & 4095) == p->hi)
            hi = (stop + g - 1) & ~(uintptr_t)(g - 1);
        check_global_bytes(w, p, lo, (unsigned)(hi - lo), write ? A_WRITE : 0, op->caller, 0);
        check_resolve(w, 0, 0);
        a = stop;
    }
    w->op = keep;
    w->global.segment = keep_seg;
    w->global.floor = keep_floor;
    w->in_kernel = keep_kernel;
    set_key(w);
}

void check_host_wrote_flag(void)
{
    check_host_flags = 1;
    check_host_tick(); // what it writes from here on is not published
}
