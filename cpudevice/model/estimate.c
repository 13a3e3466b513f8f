/* estimate.c: from what was counted of a launch to its time. cpudevice/docs/model.md derives it. */
#include <math.h>

#include "launch.h"

enum { WORDS = 8 /* of a sector */ };

const char *const model_part_names[PARTS] = {"dram", "l2", "l1", "issue", "math", "latency", "launch"};

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }
static double whole_up(double v) { return (double)(uint64_t)v + (v > (double)(uint64_t)v); }

unsigned model_resident(const chip *c, unsigned threads, double shared_bytes, unsigned registers)
{
    unsigned warps = (threads + 31) / 32, per_warp = (registers * 32 + 255) / 256 * 256; /* given out by 256 */
    double blocks = c->blocks_per_sm, shared = shared_bytes + c->shared_reserved;
    if (!warps)
        return 0;
    blocks = least(blocks, (double)(unsigned)(c->warps_per_sm / warps));
    blocks = least(blocks, (double)(unsigned)(c->registers_per_sm / per_warp / warps));
    if (shared > 0) /* not all chips reserve some for each block */
        blocks = least(blocks, (double)(unsigned)(c->shared_kb * 1024 / shared));
    return (unsigned)blocks;
}

/* The work of one multiprocessor, of the one that has the most blocks, in units of the average block's. */
static double share(const chip *c, const model_launch *l) { return whole_up((double)l->sum.blocks / c->sms); }

static double us(const chip *c, double cycles) { return cycles / c->clock_mhz; }

/* Without cucc --model nothing but arithmetic in double is counted: the least is one use of each value that is loaded. */
static double computing(const tally *t)
{
    return t->computing > 0 ? t->computing : t->loads + (t->doubles + t->conversions) / LANES;
}

/* The cycles of the pipe that has the most to do. */
static double busiest_pipe(const chip *c, const tally *t)
{
    const double cycles[] = {t->tensor / c->tensor_fma_per_cycle,
                             t->doubles / c->fp64_per_cycle,
                             t->conversions / c->fp64_conversions_per_cycle,
                             t->alu / c->alu_per_cycle,
                             t->fma / c->fma_per_cycle,
                             t->imad / c->imad_per_cycle,
                             t->xu / c->xu_per_cycle};
    double longest = 0;
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++)
        longest = most(longest, cycles[i]);
    return longest;
}

static void throughput(const chip *c, const model_launch *l, double *part)
{
    const tally *t = &l->sum;
    const double blocks = (double)t->blocks, busiest = share(c, l) / blocks;
    part[PART_DRAM] = (t->dram_reads + t->dram_writes) * 32 / c->dram_gbps / 1e3;
    part[PART_L2] = (t->l2_sectors - t->whole_writes - t->partial_writes) * 32 / c->l2_gbps / 1e3;
    part[PART_L2] += t->whole_writes * 32 / c->l2_write_gbps / 1e3;
    part[PART_L2] += t->partial_writes / c->partial_writes_per_ns / 1e3;
    part[PART_L2] = most(part[PART_L2], t->atomics / (c->atomics_per_ns / WORDS) / 1e3);
    part[PART_L2] = most(part[PART_L2], l->hottest / c->same_atomics_per_ns / 1e3);
    part[PART_L1] = us(c, (t->l1_passes + t->shared_passes) * 128 / c->l1_bytes_per_cycle * busiest);
    part[PART_ISSUE] =
        us(c, (t->memory + t->shared + t->barriers + t->meetings + computing(t)) / c->issue_per_cycle * busiest);
    part[PART_MATH] = us(c, busiest_pipe(c, t) * busiest);
}

/* Warps wait for what they load; the resident blocks wait at the same time, and the others' turn comes after them. */
static double latency(const chip *c, const model_launch *l, unsigned resident)
{
    const double blocks = (double)l->sum.blocks, at_once = c->sms * resident,
                 turns = most(1, whole_up(blocks / at_once));
    return us(c, l->sum.chain / blocks * turns + c->block_cycles * (turns - 1));
}

/* All blocks start one after the other. */
static double starts(const chip *c, const model_launch *l) { return (double)l->sum.blocks / c->blocks_per_us; }

/* The host that has waited for a launch begins the next one later. */
static double host(const chip *c, const model_launch *l) { return l->waited ? c->wait_us : 0; }

/* The parts run beside each other and hide each other in part: less than their sum, and more than the longest. Before
 * them is the launch, and the first trip to the memory. */
static double together(const chip *c, const model_launch *l, const double *part)
{
    double longest = starts(c, l), sum = 0;
    for (int i = 0; i < PART_LAUNCH; i++)
        longest = most(longest, part[i]);
    for (int i = 0; i < PART_LAUNCH; i++)
        sum += pow(part[i] / longest, c->overlap);
    sum += pow(starts(c, l) / longest, c->overlap);
    const double first = us(c, least(l->sum.chain, l->sum.load_cycles) / (double)l->sum.blocks);
    return c->launch_us + host(c, l) + (part[PART_LATENCY] < longest ? first : 0) + longest * pow(sum, 1 / c->overlap);
}

/* What DRAM still moves when L2 holds what it can of the launch before. */
static double warm(const chip *c, const model_launch *l, const double *cold)
{
    double part[PARTS], room = c->l2_mb * 1048576 / 32, kept = l->footprint ? room / (double)l->footprint : 1;
    for (int i = 0; i < PARTS; i++)
        part[i] = cold[i];
    part[PART_DRAM] *= kept >= 1 ? 0 : 1 - kept;
    return together(c, l, part);
}

estimate model_estimate(const chip *c, const model_launch *l)
{
    estimate e = {.resident = model_resident(c, l->threads, l->shared_bytes, l->registers)};
    const unsigned resident = e.resident ? e.resident : 1;
    e.occupancy_pct = least(100, 100.0 * e.resident * ((l->threads + 31) / 32) / c->warps_per_sm);
    e.host_us = host(c, l);
    e.part[PART_LAUNCH] = c->launch_us + e.host_us;
    e.limiter = PART_LAUNCH;
    e.cold_us = e.warm_us = e.coalesced_us = e.unconflicted_us = e.in_flight_us = e.part[PART_LAUNCH];
    if (!l->sum.blocks)
        return e;
    e.part[PART_LAUNCH] += starts(c, l);
    throughput(c, l, e.part);
    e.part[PART_LATENCY] = latency(c, l, resident);
    for (int i = 0; i < PARTS; i++)
        if (e.part[i] > e.part[e.limiter])
            e.limiter = i;
    e.cold_us = together(c, l, e.part);
    e.warm_us = warm(c, l, e.part);

    model_launch better = *l;
    const double waste = l->sum.l2_sectors > 0 ? l->sum.l2_ideal / l->sum.l2_sectors : 1;
    double part[PARTS];
    better.sum.l1_passes = l->sum.ideal_passes;
    better.sum.l2_sectors = least(l->sum.l2_ideal, l->sum.l2_sectors);
    better.sum.dram_reads *= least(1, waste);
    for (int i = 0; i < PARTS; i++)
        part[i] = e.part[i];
    throughput(c, &better, part);
    e.coalesced_us = together(c, l, part);
    better = *l;
    better.sum.shared_passes -= l->sum.conflicts;
    part[PART_LATENCY] = e.part[PART_LATENCY];
    throughput(c, &better, part);
    e.unconflicted_us = together(c, l, part);
    throughput(c, l, part);
    part[PART_LATENCY] = 0;
    e.in_flight_us = together(c, l, part);
    return e;
}
