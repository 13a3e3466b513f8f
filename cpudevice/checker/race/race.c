/* race.c: the report of a race. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

#include "race/race.h"
#include "memory/describe.h"
#include "race/looks.h"
#include "report/findings.h"
#include "report/lines.h"
#include "observe/observer.h"
#include "core/operation.h"
#include "race/record.h"
#include "race/release.h"
#include "race/segment.h"
#include "core/tools.h"
#include "core/worker.h"
#include "cpudev_must.h"
#include "core/lock.h"

// The host's plain looks at words that a kernel changes atomically, until the
// end tells which of them began a compare-and-swap loop of the host's.
check_finding *check_host_looks[16];

int check_host_look_count;

static pthread_mutex_t host_looks_lock = PTHREAD_MUTEX_INITIALIZER;

static void host_looked_at(const check_finding *f)
{
    check_lock(&host_looks_lock);
    int i = 0;
    while (i < check_host_look_count && check_host_looks[i]->at.pc != f->at.pc)
        i++;
    if (i == check_host_look_count && i < 16) {
        check_host_looks[i] = must(malloc(sizeof *f));
        *check_host_looks[i] = *f;
        check_host_look_count++;
    }
    check_unlock(&host_looks_lock);
}

static const char *const race_words[] = {
    [READ_AFTER] = "read after write", [AFTER_READ] = "write after read", [WRITE_WRITE] = "write after write"};

static const char *op_words(const check_op *op)
{
    switch (op->kind) {
    case CPUDEV_OP_KERNEL: return "a kernel";
    case CPUDEV_OP_COPY: return "a copy";
    case CPUDEV_OP_SET: return "a memset";
    case CPUDEV_OP_ALLOC: return "the allocation";
    case CPUDEV_OP_FREE: return "a free";
    }
    return "a host function";
}

/* "updates (atomic)" of the earlier access, as the past it is. */
static const char *other_verb(const check_race *r)
{
    return r->how == AFTER_READ ? "read" : r->other_atomic ? "updated (atomic)" : "wrote";
}

/* How often `name`, of n letters, occurs in text as a word. */
static int times_in(const char *text, const char *name, size_t n)
{
    int times = 0;
    for (const char *p = text; (p = strchr(p, *name)); p++)
        if (!strncmp(p, name, n) && (p == text || !check_is_name(p[-1])) && !check_is_name(p[n]))
            times++;
    return times;
}

/* The name of the array or pointer whose element ends before `end`: count of "count[x[i]]++", total of "*total += v".
 */
static const char *element_of(const char *text, const char *end, size_t *letters)
{
    int subscripted = 0, depth;
    while (end > text && end[-1] == ' ')
        end--;
    for (; end > text && end[-1] == ']'; subscripted = 1) {
        depth = 0;
        do {
            end--;
            depth += (*end == ']') - (*end == '[');
        } while (depth && end > text);
    }
    const char *name = end;
    while (name > text && check_is_name(name[-1]))
        name--;
    *letters = (size_t)(end - name);
    return *letters && (subscripted || (name > text && name[-1] == '*')) ? name : NULL;
}

/* Are both accesses on one line that reads an element, changes it and writes it back, as count[x[i]]++ does? The
 * array may be named there once: s[t] += s[t + d] is about two elements. */
static int updates(const check_race *r)
{
    static const char *const operators[] = {"++", "--", "+=", "-=", "|=", "&=", "^="};
    char text[512], file[320];
    const char *at = check_line(r->pc), *colon = strrchr(at, ':');
    if (!colon || !check_same_line(r->pc, r->other_pc))
        return 0;
    snprintf(file, sizeof file, "%.*s", (int)(colon - at), at);
    if (!check_source_line(file, atoi(colon + 1), text, sizeof text))
        return 0;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        for (const char *p = text; (p = strstr(p, operators[i])); p += 2) {
            size_t n;
            const char *name = element_of(text, p, &n);
            if (name && times_in(text, name, n) == 1)
                return 1;
        }
    return 0;
}

static void words_shared(worker *w, const check_race *r, check_finding *f)
{
    check_place_thread(&f->other, w->op, w->block_id, r->other_thread, 1);
    memcpy(f->other.block, w->block, sizeof w->block);
    snprintf(f->other.what, sizeof f->other.what, "%s it, with no barrier in between", other_verb(r));
    snprintf(f->title, sizeof f->title, "race in shared memory (%s)", race_words[r->how]);
    if (updates(r))
        f->cause = "each thread reads the element, changes it and writes it back, so updates are lost: use atomicAdd() "
                   "and its like";
    else if (r->other_thread / 32 != r->thread / 32)
        f->cause = "a __syncthreads() is missing between the two accesses";
    else if (w->threads > 32 && !w->order.warps_meet)
        f->cause = "a __syncthreads() is missing between the two accesses (threads of one warp do not run in lockstep)";
    else
        f->cause = "threads of one warp do not run in lockstep: a __syncwarp() (or __syncthreads()) is missing between "
                   "the two";
}

static void words_cluster(const worker *w, const check_race *r, check_finding *f)
{
    const worker *t = r->others.owner;
    check_place_thread(&f->other, w->op, r->others.block, r->other_thread, 1);
    snprintf(f->other.what, sizeof f->other.what, "%s it, and nothing orders the two", other_verb(r));
    snprintf(f->title, sizeof f->title, "race in distributed shared memory (%s)", race_words[r->how]);
    if (t != w)
        snprintf(f->note, sizeof f->note, "the memory is that of block (%u,%u,%u)", t->block[0], t->block[1],
                 t->block[2]);
    f->cause = r->others.block == w->block_id
                   ? "two threads of one block use one element of another's with nothing between them"
               : updates(r) ? "each thread reads the element, changes it and writes it back, so updates are lost: use "
                              "atomicAdd() and its like"
                            : "a cluster.sync(), or an mbarrier that the other block's thread arrives at, is missing "
                              "between the two accesses";
}

static void words_global(const worker *w, const check_race *r, const check_seg *g, const check_op *other,
                         check_finding *f)
{
    int same = g->block == w->block_id;
    check_place_thread(&f->other, other, g->block, r->other_thread, 1);
    snprintf(f->other.what, sizeof f->other.what, "%s it", other_verb(r));
    snprintf(f->title, sizeof f->title, "race in global memory between %s (%s)",
             same ? "threads of one block" : "blocks", race_words[r->how]);
    if (r->flags & A_ATOMIC && r->other_atomic)
        f->cause = "an atomic of block scope is atomic only for the threads of one block: use the plain name "
                   "(atomicAdd), or thread_scope_device";
    else if (updates(r))
        f->cause = "each thread reads the element, changes it and writes it back, so updates are lost: use atomicAdd() "
                   "and its like, or give each thread its own element";
    else if (same)
        f->cause = "two threads use one element with nothing between them: a __syncthreads(), an atomic or another "
                   "index is missing";
    else if (r->how == WRITE_WRITE)
        f->cause = "blocks run in any order: use atomics, or give each block its own element";
    else
        f->cause =
            "blocks run in any order: split the kernel in two, or publish with __threadfence() and an atomic flag";
}

static void words_launched(const check_race *r, const check_seg *g, const check_op *child, check_finding *f)
{
    int before = child && !(g->block == child->launch_block && g->epoch > child->launch_epoch);
    snprintf(f->title, sizeof f->title, "race between a kernel and one that it launched (%s)", race_words[r->how]);
    f->cause = before ? "a kernel sees what its launching thread did before the launch, and other threads up to a "
                        "barrier before it: put a __syncthreads() there, or launch it on cudaStreamTailLaunch"
                      : "a kernel cannot wait for one that it launched: what needs the results goes to "
                        "cudaStreamTailLaunch, or into the host's next launch";
}

static void words_streams(const worker *w, const check_race *r, const check_seg *g, const check_op *other,
                          check_finding *f)
{
    if (other->kind == CPUDEV_OP_KERNEL) {
        char k[128] = "";
        f->other.pc = r->other_pc ? r->other_pc : other->caller;
        check_place_thread(&f->other, other, g->block, r->other_thread, 1);
        snprintf(f->other.what, sizeof f->other.what, "%s it in kernel %.90s", other_verb(r),
                 check_kernel_name(other->name, k, sizeof k));
    } else {
        f->other.pc = other->caller;
        snprintf(f->other.what, sizeof f->other.what, "%s it: a %s on another stream", other_verb(r),
                 other->kind == CPUDEV_OP_SET     ? "memset"
                 : other->kind == CPUDEV_OP_COPY  ? "copy"
                 : other->kind == CPUDEV_OP_ALLOC ? "cudaMallocAsync"
                 : other->kind == CPUDEV_OP_FREE  ? "cudaFreeAsync"
                                                  : "host function");
    }
    const check_op *child = w->op ? check_launched(other->id, w->op) : NULL;
    if (child || (w->op && check_launched(w->op->id, other))) {
        words_launched(r, g, child, f);
        return;
    }
    snprintf(f->title, sizeof f->title, "%s and %s on streams that nothing orders touch the same memory (%s)",
             w->op ? op_words(w->op) : "an operation", op_words(other), race_words[r->how]);
    f->cause =
        w->op && w->op->flags && other->flags && check_level(w, other, 0) == FAR
            ? "between GPUs, data that is passed by a flag needs a __threadfence_system() where it is written and "
              "where it is read: __threadfence() reaches the threads of one GPU alone"
            : "streams run side by side: put both on one stream, or record an event after the first and make the "
              "second wait for it (cudaStreamWaitEvent)";
}

/* The host did it while the operation was queued or running. The finding names the host's line, which is where the
 * synchronize is missing, whoever came first. 0 if it has been reported. */
static int words_host(const worker *w, const check_race *r, const check_seg *g, check_finding *f)
{
    check_place host = f->other;
    host.pc = g ? (void *)((uintptr_t)g->epoch | (uintptr_t)g->grid << 32) : NULL;
    snprintf(host.what, sizeof host.what, "%s it, after the launch and before any synchronize",
             r->how == AFTER_READ ? "read" : "wrote");
    if (host.pc) {
        if (check_seen(f->kind, host.pc))
            return 0;
        f->other = f->at;
        f->at = host;
    } else {
        f->other = host;
    }
    snprintf(f->title, sizeof f->title, "the host and %s use the same memory at the same time (%s)",
             w->op && w->op->kind == CPUDEV_OP_KERNEL ? "a kernel" : "an asynchronous operation", race_words[r->how]);
    f->cause = "launches and async copies return before their work is done: synchronize (device, stream or event) "
               "before the host touches the memory";
    return 1;
}

void check_report_race(worker *w, const check_race *r)
{
    check_finding f;
    check_seg *g = r->shared ? NULL : check_seg_get(r->segment);
    check_op *other = g && g->op ? check_op_by_id(g->op) : r->shared ? w->op : NULL;
    int hosts = !r->shared && (!other || other->kind != CPUDEV_OP_KERNEL || !w->in_kernel);
    int tool = hosts ? TOOL_HOST : TOOL_RACE;
    const char *kind = r->others.owner ? "cluster-race"
                       : r->shared     ? "shared-race"
                       : hosts         ? "host-race"
                                       : "global-race";
    if (!(check_tools & tool) || (w->op && w->op->killed) || check_seen(kind, r->pc))
        return;
    uint32_t keep = w->thread;
    w->thread = r->thread;
    check_here(&f, tool, kind, r->pc);
    w->thread = keep;
    char where[160];
    check_describe_address(r->others.owner ? r->others.owner : w, r->a, r->shared, r->pc, f.object, sizeof f.object,
                           where, sizeof where);
    snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s of %s", check_verb(r->flags), r->bytes,
             r->bytes == 1 ? "" : "s", where);
    f.has_other = 1;
    f.other.pc = r->other_pc;
    if (r->others.owner)
        words_cluster(w, r, &f);
    else if (r->shared)
        words_shared(w, r, &f);
    else if (other && other == w->op && other->kind == CPUDEV_OP_KERNEL)
        words_global(w, r, g, other, &f);
    else if (other)
        words_streams(w, r, g, other, &f);
    else {
        if (!words_host(w, r, g, &f))
            return;
        if (r->how == AFTER_READ && r->flags & A_ATOMIC) { /* the host may be about to follow with an atomic */
            host_looked_at(&f);
            return;
        }
    }
    if (r->look && tool == TOOL_RACE)
        check_hold_look(&f, r->look, r->a);
    else
        check_report(&f);
}
