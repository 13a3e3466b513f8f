/* gather.c: what the model takes of a run: each instruction of a warp from the counters, the rest from the observer's
 * table. L1 is each block's own, its share of the multiprocessor's, empty at first; L2 is the launch's, empty at first. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache.h"
#include "core/hooks.h"
#include "core/tools.h"
#include "counters/counters.h"
#include "counters/counters_told.h"
#include "cpudev_abi.h"
#include "cpudev_must.h"
#include "model.h"
#include "observe/observers.h"
#include "registers.h"
#include "report/chinese.h"
#include "report/lines.h"
#include "cpudev_written.h"

enum {
    HOT = 1 << 16,
    UNIT_SECTORS = 16 /* 512 bytes: one unit of L2 does their atomics (probe.cu) */,
    L1_WAYS = 4,
    L2_WAYS = 16,
    UNROLL = 4 /* of a loop without stores, by nvcc */,
    PHASES = 64 /* between barriers, whose beginning is kept: for longer than that no copy is under way */
};

static struct {
    pthread_mutex_t lock;
    chip chip;
    int observer;
    cache l2;
    const model_launch *in_l2;
    model_launch *first, **last;
    FILE *csv;
    struct { /* what the host does: its last kernel, if nothing came after it; has it waited for that one? */
        bool kernel, waited;
        uint64_t stream;
        const void *event; /* recorded after it */
    } host;
} model = {.lock = PTHREAD_MUTEX_INITIALIZER, .last = &model.first};

/* The block that this OS thread runs. */
static __thread struct {
    model_launch *of;
    uint32_t linear;
    tally t;
    cache l1;
    cpudev_double_counts doubles; /* of this OS thread, when it began */
    cpudev_pipe_counts issued;
    double begun[PHASES]; /* its chain at the beginning of the last phases */
    struct chain {        /* of a warp, since the last barrier: cycles, and of the step under way */
        double done, now, before;
        uint32_t step;
    } warp[32];
} block;

/* ---- one block ---- */

static void chain_add(uint32_t warp, uint32_t step, bool stores, double cycles)
{
    struct chain *w = &block.warp[warp % 32];
    step /= stores ? 1 : UNROLL;
    if (w->step != step + 1) {
        w->done += w->now;
        w->now = 0;
        w->step = step + 1;
    }
    if (cycles > w->now)
        w->now = cycles;
}

static void chains_end(void)
{
    double longest = 0;
    for (int i = 0; i < 32; i++) {
        const double all = block.warp[i].done + block.warp[i].now;
        longest = all > longest ? all : longest;
        block.warp[i] = (struct chain){0};
    }
    block.t.chain += longest;
}

static void from_l2(uint64_t address, double *cycles)
{
    const bool hit = cache_read(&model.l2, address);
    block.t.l2_sectors++;
    block.t.dram_reads += !hit;
    const double c = hit ? model.chip.l2_cycles : model.chip.dram_cycles;
    *cycles = c > *cycles ? c : *cycles;
}

static void to_l2(uint64_t address, bool whole)
{
    block.t.l2_sectors++;
    *(whole ? &block.t.whole_writes : &block.t.partial_writes) += 1;
    block.t.dram_writes += !cache_write(&model.l2, address);
}

/* The distinct sectors of the instruction, each once, and the bytes of each; how many lines they lie in. */
static unsigned distinct(const told_instruction *i, uint64_t *sector, unsigned *bytes, unsigned *lines)
{
    unsigned n = 0;
    *lines = 0;
    for (uint32_t m = i->active; m; m &= m - 1) {
        const uint64_t a = i->base + (uintptr_t)(intptr_t)i->off[__builtin_ctz(m)];
        for (uint64_t s = a / CACHE_SECTOR; s <= (a + i->bytes - 1) / CACHE_SECTOR; s++) {
            const uint64_t from = s * CACHE_SECTOR > a ? s * CACHE_SECTOR : a, end = (s + 1) * CACHE_SECTOR;
            const unsigned here = (unsigned)((a + i->bytes < end ? a + i->bytes : end) - from);
            bool known = false, line = false;
            for (unsigned k = n; k-- > 0 && !known;) {
                known = sector[k] == s;
                bytes[k] += known ? here : 0;
                line |= sector[k] / 4 == s / 4;
            }
            if (known)
                continue;
            *lines += !line;
            sector[n] = s;
            bytes[n++] = here;
        }
    }
    return n;
}

/* The lanes of one instruction that change the same word, of the word of the sector that has the most. */
static unsigned passes_of(const told_instruction *i, uint64_t sector)
{
    unsigned lanes[CACHE_SECTOR / 4] = {0}, most = 0;
    for (uint32_t m = i->active; m; m &= m - 1) {
        const uint64_t a = i->base + (uintptr_t)(intptr_t)i->off[__builtin_ctz(m)];
        if (a / CACHE_SECTOR == sector && ++lanes[a % CACHE_SECTOR / 4] > most)
            most = lanes[a % CACHE_SECTOR / 4];
    }
    return most ? most : 1;
}

static void count_atomics(const told_instruction *i, const uint64_t *sector, unsigned n)
{
    if (!block.of->hot)
        block.of->hot = must(calloc(HOT, sizeof *block.of->hot));
    for (unsigned k = 0; k < n; k++) {
        const unsigned passes = passes_of(i, sector[k]);
        block.t.atomics += passes;
        block.of->hot[(sector[k] / UNIT_SECTORS * 0x9e3779b97f4a7c15u >> 40) % HOT] += passes;
    }
}

/* What is left of a trip when a copy is waited for: it has been under way since the phase in which it was ordered. */
static double left_of(double cycles, uint32_t ordered)
{
    if (!ordered)
        return cycles;
    const uint32_t phase = ordered - 1;
    if (counters_phase() - phase >= PHASES && phase < counters_phase())
        return 0;
    const double past = phase < counters_phase() ? block.t.chain - block.begun[phase % PHASES] : 0;
    return cycles > past ? cycles - past : 0;
}

static void global_instruction(const told_instruction *i)
{
    uint64_t sector[64];
    unsigned bytes[64], lines, n = distinct(i, sector, bytes, &lines);
    double cycles = i->kind == KIND_LD ? model.chip.l1_cycles : 0;
    const double needed = i->counted.ideal;
    block.t.memory++;
    block.t.loads += i->kind == KIND_LD;
    block.t.l1_passes += lines;
    block.t.ideal_passes += needed / 4 > 1 ? needed / 4 : 1;
    unsigned missed = 0;
    pthread_mutex_lock(&model.lock);
    for (unsigned k = 0; k < n; k++) {
        const uint64_t a = sector[k] * CACHE_SECTOR;
        if (i->kind != KIND_LD)
            to_l2(a, i->kind != KIND_ST || bytes[k] >= CACHE_SECTOR), missed++;
        else if (!cache_read(&block.l1, a))
            from_l2(a, &cycles), missed++;
    }
    if (i->kind != KIND_LD && i->kind != KIND_ST)
        count_atomics(i, sector, n);
    pthread_mutex_unlock(&model.lock);
    block.t.l2_ideal += missed * needed / n;
    if (cycles > 0) {
        chain_add(i->warp, i->step, i->stores_between, left_of(cycles, i->ordered));
        block.t.load_cycles = cycles > block.t.load_cycles ? cycles : block.t.load_cycles;
    }
}

static void told(const told_instruction *i)
{
    if (!block.of || !i->active)
        return;
    if (!i->shared) {
        global_instruction(i);
        return;
    }
    block.t.shared++;
    block.t.loads += i->kind == KIND_LD;
    block.t.shared_passes += (double)i->counted.wavefronts;
    block.t.conflicts += (double)i->counted.conflicts;
    if (i->kind != KIND_ST)
        chain_add(i->warp, i->step, i->stores_between, model.chip.shared_cycles + (double)i->counted.conflicts);
}

static void flag(uintptr_t a, uint32_t thread, int what)
{
    if (!block.of || block.of->waits)
        return;
    pthread_mutex_lock(&model.lock);
    block.of->waits = flags_seen(&block.of->flags, a, block.linear, thread, what);
    pthread_mutex_unlock(&model.lock);
}

/* ---- the observer ---- */

/* Has the host waited for the kernel before this one, with nothing on the device in between? A kernel's own launches do
 * not count. */
static bool host_goes_on(const cpudev_op_desc *d)
{
    if (d->parent)
        return false;
    pthread_mutex_lock(&model.lock);
    const bool waited = model.host.waited;
    model.host.kernel = d->kind == CPUDEV_OP_KERNEL;
    model.host.waited = false;
    model.host.stream = d->stream;
    model.host.event = NULL;
    pthread_mutex_unlock(&model.lock);
    return waited;
}

static void host_waits(bool for_it)
{
    pthread_mutex_lock(&model.lock);
    model.host.waited |= for_it && model.host.kernel;
    pthread_mutex_unlock(&model.lock);
}

static void device_sync(void) { host_waits(true); }
static void stream_sync(uint64_t stream) { host_waits(stream == model.host.stream); }
static void event_sync(const void *event) { host_waits(event == model.host.event); }

static void event_record(const void *event, uint64_t stream)
{
    if (stream == model.host.stream)
        model.host.event = event;
}

static void op_enqueue(cpudev_op *op, const cpudev_op_desc *d)
{
    const bool waited = host_goes_on(d);
    if (d->kind != CPUDEV_OP_KERNEL)
        return;
    model_launch *l = must(calloc(1, sizeof *l));
    check_kernel_name(d->name, l->kernel, sizeof l->kernel);
    l->kernel[strcspn(l->kernel, "(")] = 0;
    l->registers = registers_of(d->name);
    l->assumed = !l->registers;
    if (l->assumed)
        l->registers = REGISTERS_ASSUMED;
    memcpy(l->grid, d->grid, sizeof l->grid);
    memcpy(l->block, d->block, sizeof l->block);
    l->threads = d->block[0] * d->block[1] * d->block[2];
    l->shared_bytes = (double)(d->dynamic_smem + d->static_smem);
    l->nested = d->parent != NULL;
    l->library = !*d->file || !strncmp(l->kernel, "cpudev_", strlen("cpudev_"));
    l->cooperative = d->cooperative != 0;
    l->waited = waited;
    op->of[model.observer] = l;
}

static void op_begin(cpudev_op *op)
{
    model_launch *l = op->of[model.observer];
    if (!l)
        return;
    pthread_mutex_lock(&model.lock);
    *model.last = l;
    model.last = &l->next;
    pthread_mutex_unlock(&model.lock);
}

static void op_end(cpudev_op *op, const cpudev_event *e)
{
    (void)e;
    model_launch *l = op->of[model.observer];
    if (!l)
        return;
    for (int i = 0; l->hot && i < HOT; i++)
        l->hottest = l->hot[i] > l->hottest ? l->hot[i] : l->hottest;
    free(l->hot);
    l->hot = NULL;
    flags_free(&l->flags);
}

static void block_begin(const cpudev_block_info *b)
{
    model_launch *l = b->op->of[model.observer];
    block.of = l;
    block.linear = (uint32_t)b->linear_block;
    if (!l)
        return;
    memset(&block.t, 0, sizeof block.t);
    block.begun[0] = 0;
    block.doubles = cpudev_doubles;
    block.issued = cpudev_issued;
    const chip *c = &model.chip;
    unsigned resident = model_resident(c, l->threads, l->shared_bytes, l->registers);
    resident = resident ? resident : 1;
    cache_empty(&block.l1, (c->l1_kb * 1024 / resident) - l->shared_bytes - c->shared_reserved, L1_WAYS);
    pthread_mutex_lock(&model.lock);
    if (model.in_l2 != l)
        cache_empty(&model.l2, c->l2_mb * 1048576, L2_WAYS);
    model.in_l2 = l;
    pthread_mutex_unlock(&model.lock);
}

static void block_end(void)
{
    model_launch *l = block.of;
    if (!l)
        return;
    chains_end();
    tally *s = &l->sum;
    const tally *t = &block.t;
    pthread_mutex_lock(&model.lock);
    s->blocks++;
    s->memory += t->memory, s->shared += t->shared, s->meetings += t->meetings;
    s->barriers += (double)counters_phase() * ((l->threads + 31) / 32);
    s->loads += t->loads;
    s->computing += (double)(cpudev_issued.issued - block.issued.issued) / LANES;
    s->alu += (double)(cpudev_issued.alu - block.issued.alu), s->fma += (double)(cpudev_issued.fma - block.issued.fma);
    s->imad += (double)(cpudev_issued.imad - block.issued.imad), s->xu += (double)(cpudev_issued.xu - block.issued.xu);
    s->l1_passes += t->l1_passes, s->ideal_passes += t->ideal_passes;
    s->shared_passes += t->shared_passes, s->conflicts += t->conflicts;
    s->l2_sectors += t->l2_sectors, s->l2_ideal += t->l2_ideal;
    s->dram_reads += t->dram_reads, s->dram_writes += t->dram_writes;
    s->whole_writes += t->whole_writes, s->partial_writes += t->partial_writes;
    s->doubles += (double)(cpudev_doubles.operations - block.doubles.operations);
    s->conversions += (double)(cpudev_doubles.conversions - block.doubles.conversions);
    s->atomics += t->atomics, s->tensor += t->tensor, s->chain += t->chain, s->load_cycles += t->load_cycles;
    l->footprint += (uint64_t)(t->dram_reads + t->dram_writes);
    pthread_mutex_unlock(&model.lock);
    block.of = NULL;
}

static void barrier(const void *site)
{
    (void)site;
    if (!block.of)
        return;
    chains_end();
    block.t.chain += model.chip.barrier_cycles;
    block.begun[counters_phase() % PHASES] = block.t.chain;
}

/* A shuffle or a vote: the warp waits for what it has loaded, and then for the value. */
static void meet(const cpudev_meeting *m)
{
    if (!block.of || m->what == CPUDEV_MEET_SYNC)
        return;
    struct chain *w = &block.warp[m->warp % 32];
    block.t.meetings++;
    w->done += w->now + model.chip.shuffle_cycles;
    w->now = 0;
    w->step = 0;
}

static void unit(int unit, const void *site, unsigned instructions, uint64_t amount)
{
    (void)site, (void)instructions;
    if (block.of && unit == CPUDEV_TENSOR)
        block.t.tensor += (double)amount;
}

static void async_touches(cpudev_async *a, const void *p, size_t bytes, bool write)
{
    (void)a;
    if (!block.of || !check_alloc_near(p, NULL))
        return;
    double cycles = 0;
    pthread_mutex_lock(&model.lock);
    for (uintptr_t s = (uintptr_t)p & ~(uintptr_t)(CACHE_SECTOR - 1); s < (uintptr_t)p + bytes; s += CACHE_SECTOR) {
        if (write)
            to_l2(s, true);
        else
            from_l2(s, &cycles);
        block.t.l2_ideal++;
    }
    pthread_mutex_unlock(&model.lock);
}

/* ---- beginning and end ---- */

/* The host asks for each launch in turn. */
int cpudev_model_launch(unsigned i, cpudev_model_time *t)
{
    static const model_launch *last;
    static unsigned number;
    pthread_mutex_lock(&model.lock);
    if (!last || i < number)
        last = model.first, number = 0;
    while (last && number < i && last->next)
        last = last->next, number++;
    const model_launch *found = last && number == i ? last : NULL;
    pthread_mutex_unlock(&model.lock);
    if (found)
        model_tell(&model.chip, found, t);
    return found != NULL;
}

static void at_exit(int status, void *unused)
{
    (void)status, (void)unused;
    const char *quiet = getenv("CUDA_CPU_MODEL_QUIET");
    model_report(&model.chip, model.first, model.csv, quiet && *quiet);
    if (model.csv && written_close(model.csv))
        check_say_line("CUDA_CPU_MODEL_CSV: cannot write %s: %s", getenv("CUDA_CPU_MODEL_CSV"), strerror(errno));
}

static void bad(const char *name, const char *value, const char *what)
{
    check_say_line("%s: %s: %s", name, value, what);
    _exit(2);
}

static void read_settings(void)
{
    const char *registers = getenv("CUDA_CPU_MODEL_REGISTERS"), *csv = getenv("CUDA_CPU_MODEL_CSV");
    const char *wrong = registers && *registers ? registers_read(registers) : NULL;
    if (wrong)
        bad("CUDA_CPU_MODEL_REGISTERS", registers, wrong);
    if (csv && *csv && !(model.csv = fopen(csv, "w")))
        bad("CUDA_CPU_MODEL_CSV", csv, strerror(errno));
}

static void find_chip(const char *name)
{
    char *why = NULL;
    size_t bytes = 0;
    FILE *say = must(open_memstream(&why, &bytes));
    const bool found = chip_find(name, &model.chip, say);
    fclose(say);
    if (!found) {
        why[strcspn(why, "\n")] = 0;
        check_say_line("%s", why);
        _exit(2);
    }
    free(why);
}

/* Of cucc --model CHIP. */
extern const char cpudev_model_chip[] __attribute__((weak));

/* After the checker's constructor (101), so that its callbacks come first: it tells a block's instructions before the
 * barrier that ends them. */
static void __attribute__((constructor(103))) start(void)
{
    static const cpudev_observer observer = {.waits_at_exit = true,
                                             .stack_bytes = 4 * 1024,
                                             .op_enqueue = op_enqueue,
                                             .op_begin = op_begin,
                                             .op_end = op_end,
                                             .stream_sync = stream_sync,
                                             .device_sync = device_sync,
                                             .event_record = event_record,
                                             .event_sync = event_sync,
                                             .block_begin = block_begin,
                                             .block_end = block_end,
                                             .barrier = barrier,
                                             .meet = meet,
                                             .unit = unit,
                                             .async_touches = async_touches};
    const char *name = getenv("CUDA_CPU_MODEL");
    if (!name && cpudev_model_chip)
        name = cpudev_model_chip;
    if (!name || !*name)
        return;
    find_chip(name);
    read_settings();
    char sms[16];
    snprintf(sms, sizeof sms, "%.0f", model.chip.sms);
    setenv("CUDA_CPU_MULTIPROCESSORS", sms, 0); /* some grids ask for their number */
    setenv("CUDA_CPU_WORKERS", "1", 0);         /* blocks meet L2 in their order */
    model.observer = observer_add(&observer);
    check_hooks.instruction = told;
    check_hooks.flag = flag;
    counters_silent = !(check_tools & TOOL_COUNTERS);
    const char *tools = getenv("CUDA_CPU_TOOLS");
    check_tools = tools && *tools ? check_tools | TOOL_COUNTERS : TOOL_COUNTERS;
    on_exit(at_exit, NULL); /* before the checker's, which ends the process */
}

/* What takes this file out of the library (driver/main.c). */
const char model_linked;
