/* litmus_random.c: the checker against the PTX memory model on random programs of three agents
 * (cpudevice/tests/checker/litmus/random.cu).
 *
 * Each flag has one writer, and agents wait only for those before them, so every execution has the same reads-from. The
 * model's verdict is therefore that of one execution graph, built here from the model's own words: program order,
 * release and acquire patterns, morally strong pairs by their scopes, synchronizes-with, and base causality order as
 * the closure; a data race is a pair of plain accesses to one word, one of them a write, that base causality order
 * leaves unordered. Nothing here is shared with the checker. Programs come in pairs: the second differs in one
 * operation of order. */
#define _POSIX_C_SOURCE 200809L
#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "suite.h"

enum { AGENTS = 3, OPS = 12, EVENTS = AGENTS * OPS, PAIRS = 200 };

typedef struct {
    int in_block; /* the agents are threads of one block */
    char of[AGENTS][2 * OPS + 1];
} program;

static uint64_t state;
static unsigned below(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

/* ---- programs ---- */

static void append(program *p, int agent, char op, int k)
{
    char *at = p->of[agent];
    size_t n = strlen(at);
    if (n + 2 <= 2 * (OPS - 2)) {
        at[n] = op;
        at[n + 1] = (char)('0' + k);
    }
}

/* Data 0 to 2; flags 0 to 5, each set once by one agent; flag 7 is added to by the first two. */
static void make(program *p)
{
    int flags = 0, writer[8] = {0};
    memset(p, 0, sizeof *p);
    p->in_block = below(3) == 0;
    int both_add = below(4) == 0;
    for (int a = 0; a < AGENTS; a++) {
        int length = 3 + (int)below(5);
        for (int i = 0; i < length; i++) {
            unsigned what = below(10);
            if (what < 4)
                append(p, a, "wr"[below(2)], (int)below(3));
            else if (what < 6)
                append(p, a, below(3) ? 'f' : 'b', 0);
            else if (what < 8 && flags < 6 && a < AGENTS - 1) {
                writer[flags] = a;
                append(p, a, "ssvRRN"[below(6)], flags++);
            } else if (flags) {
                int f = (int)below((unsigned)flags);
                if (writer[f] < a)
                    append(p, a, "ppqAAM"[below(6)], f);
            }
        }
        if (both_add)
            append(p, a, a < 2 ? '+' : 'P', 7);
        if (a == AGENTS - 1)
            for (int i = 0; i < 3; i++)
                append(p, a, below(2) ? 'r' : 'f', (int)below(3));
    }
}

/* The same but for one operation of order: a fence gone or narrower, an order or scope weaker or stronger. */
static int vary(program *p)
{
    static const char from[] = "fbRNAMsp", to[] = "b-NRMARA";
    for (int tries = 0; tries < 100; tries++) {
        char *at = p->of[below(AGENTS)];
        size_t n = strlen(at) / 2;
        if (!n)
            continue;
        char *op = at + 2 * below((unsigned)n);
        const char *k = strchr(from, *op);
        if (!k)
            continue;
        char instead = to[k - from];
        if (*op == 'f' && below(2))
            instead = '-';
        if (instead == '-')
            memmove(op, op + 2, strlen(op + 2) + 1);
        else
            *op = instead;
        return 1;
    }
    return 0;
}

/* ---- the model ---- */

typedef struct {
    char op;
    int k, agent;
} event;

static int is_write(char op) { return strchr("svRN+", op) != NULL; }
static int is_read(char op) { return strchr("pqAMP", op) != NULL; }
static int narrow(char op) { return strchr("NMb", op) != NULL; }

static int morally_strong(const program *p, const event *x, const event *y)
{
    return p->in_block || x->agent == y->agent || (!narrow(x->op) && !narrow(y->op));
}

/* The first operations of release patterns that end in write e, or the last ones of acquire patterns that begin with
 * read e: e itself where its order says so, and each fence before or behind it. Returns how many. */
static int patterns(const event *all, const int *first, int e, int forward, int *ends)
{
    int n = 0, step = forward ? 1 : -1;
    if (strchr(forward ? "AM" : "RN", all[e].op))
        ends[n++] = e;
    for (int i = e + step; i >= first[all[e].agent] && i < first[all[e].agent + 1]; i += step)
        if (all[i].op == 'f' || all[i].op == 'b')
            ends[n++] = i;
    return n;
}

/* Accesses to one word by two agents, one of them a write, that are not morally strong: plain ones, or strong ones of
 * which one has too narrow a scope. */
static int conflict(const program *p, const event *x, const event *y)
{
    if (x->agent == y->agent || x->k != y->k)
        return 0;
    if (x->op == 'w')
        return y->op == 'w' || y->op == 'r';
    return is_write(x->op) && (is_write(y->op) || is_read(y->op)) && !morally_strong(p, x, y);
}

static int races(const program *p)
{
    static int before[EVENTS][EVENTS];
    event all[EVENTS];
    int first[AGENTS + 1] = {0}, n = 0;
    for (int a = 0; a < AGENTS; a++) {
        for (const char *c = p->of[a]; *c; c += 2)
            all[n++] = (event){*c, c[1] - '0', a};
        first[a + 1] = n;
    }
    memset(before, 0, sizeof before);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && all[j].agent == all[i].agent; j++)
            before[i][j] = 1; /* program order */
    for (int w = 0; w < n; w++)
        for (int r = 0; r < n; r++) {
            int release[EVENTS], acquire[EVENTS];
            if (!is_write(all[w].op) || !is_read(all[r].op) || all[w].k != all[r].k ||
                !morally_strong(p, &all[w], &all[r]))
                continue; /* r observes w: by itself, or through the other addition */
            int nr = patterns(all, first, w, 0, release), na = patterns(all, first, r, 1, acquire);
            for (int i = 0; i < nr; i++)
                for (int j = 0; j < na; j++)
                    if (morally_strong(p, &all[release[i]], &all[acquire[j]]))
                        before[release[i]][acquire[j]] = 1;
        }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                before[i][j] |= before[i][k] && before[k][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (conflict(p, &all[i], &all[j]) && !before[i][j] && !before[j][i])
                return 1;
    return 0;
}

/* ---- the checker ---- */

static void build(void)
{
    ck_assert_int_eq(
        system("mkdir -p build/cpu/tests && . cpudevice/tests/harness/build_kept.sh && build_kept "
               "build/cpu/tests/litmus_random_kernels cpudevice/tests/checker/litmus/random.cu '--check -O1'"),
        0);
}

static int told(const program *p, int workers)
{
    char command[512], line[256];
    int errors = -1;
    snprintf(command, sizeof command,
             "%sCUDA_CPU_WORKERS=%d CUDA_CPU_TOOLS=racecheck CUDA_CPU_WATCHDOG=30 timeout 120 "
             "build/cpu/tests/litmus_random_kernels %s '%s' '%s' '%s' 2>&1",
             VOLATILE_IS_SEEN ? "" : "CUDA_CPU_STRICT=1 ", workers, p->in_block ? "threads" : "blocks", p->of[0],
             p->of[1], p->of[2]);
    FILE *f = popen(command, "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof line, f))
        sscanf(line, "cucc --check: %d error", &errors);
    int status = pclose(f);
    return WIFEXITED(status) && WEXITSTATUS(status) == (errors ? 99 : 0) ? errors : -1;
}

static void compare(const program *p, int workers)
{
    for (int i = 0; i < 3 && !VOLATILE_IS_SEEN; i++)
        if (p->of[i][strcspn(p->of[i], "vq")])
            return;
    int errors = told(p, workers), model = races(p);
    ck_assert_msg(errors >= 0 && (errors > 0) == model,
                  "%s '%s' '%s' '%s' with %d workers: the checker tells %d, the model says %s",
                  p->in_block ? "threads" : "blocks", p->of[0], p->of[1], p->of[2], workers, errors,
                  model ? "race" : "right");
}

START_TEST(as_the_model)
{
    static const int workers[] = {1, 2, 4};
    const char *seed = getenv("LITMUS_SEED");
    program p;
    state = (seed ? strtoull(seed, NULL, 0) : 1) * 1000003 + (uint64_t)_i * 7919;
    make(&p);
    const char *all = getenv("CHECK_ALL");
    int rounds = all && *all ? 60 : 1;
    for (int k = 0; k < rounds; k++)
        compare(&p, workers[(_i + k) % 3]);
    if (vary(&p))
        for (int k = 0; k < rounds; k++)
            compare(&p, workers[(_i + k + 1) % 3]);
}
END_TEST

START_TEST(both_verdicts_come)
{
    int n[2] = {0};
    for (int i = 0; i < PAIRS; i++) {
        program p;
        state = 1000003 + (uint64_t)i * 7919;
        make(&p);
        n[races(&p)]++;
    }
    ck_assert_int_ge(n[0], PAIRS / 10);
    ck_assert_int_ge(n[1], PAIRS / 10);
}
END_TEST

int main(void)
{
#ifndef LAB_CPU
    test_skip("litmus tests are for the CPU device's checker");
    return 0;
#endif
    Suite *s = suite_create("litmus_random");
    TCase *c = tcase_create("programs");
    tcase_set_timeout(c, 7200);
    tcase_add_unchecked_fixture(c, build, NULL);
    tcase_add_test(c, both_verdicts_come);
    tcase_add_loop_test(c, as_the_model, 0, PAIRS);
    suite_add_tcase(s, c);
    return run_suite(s);
}
