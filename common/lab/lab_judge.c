/* lab_judge.c: grading a program that is not trusted. Two processes share the work:
 *
 *   PROGRAM --answer IN,OUT,MEMORY        the student's: answers questions and knows no expected value
 *   PROGRAM --judge OUT,IN,MEMORY[,SEED]  the same lab from the teacher's file: asks, computes the reference, compares
 *
 * The numbers are file descriptors: two pipes and a shared memory that holds an answer's output. A question is a
 * shape and a seed, which the answering process learns only when it is asked. The judge prints what was wrong, and at
 * the end "judge: K of N hold"; it takes a private copy of an output before it looks at it, and believes nothing that
 * comes through the pipe but that the output is there. What show() claims is evaluated in the student's process; the
 * judge demands as many claims as the teacher's own show() makes, and that all of them hold. */
#include "lab_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum Kind { ASK_SHAPE, ASK_SHOW, ASK_END } Kind;

typedef struct Question {
    uint64_t kind, seed, rung, dim[LAB_MAX_DIMS];
} Question;

typedef struct Reply {
    uint64_t failed, claims, held;
    char why[128];
} Reply;

typedef struct Line {
    int in, out;
    void *memory;
    size_t bytes;
    uint64_t seed; /* 0: a new one for each question */
} Line;

/* Opens what "IN,OUT,MEMORY" names. */
static Line line_open(const char *numbers)
{
    Line l = {0};
    int memory;
    struct stat st;
    unsigned long long seed = 0;
    if (sscanf(numbers, "%d,%d,%d,%llu", &l.in, &l.out, &memory, &seed) < 3 || fstat(memory, &st) != 0)
        die_usage("--answer and --judge are for tools/grade");
    l.seed = seed;
    l.bytes = (size_t)st.st_size;
    l.memory = mmap(NULL, l.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (l.memory == MAP_FAILED)
        die("the shared memory cannot be mapped: %s", strerror(errno));
    return l;
}

/* All of it, or 0 where the other side has gone. */
static int get(int fd, void *to, size_t bytes)
{
    for (size_t n = 0; n < bytes;) {
        ssize_t got = read(fd, (char *)to + n, bytes - n);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return 0;
        n += got > 0 ? (size_t)got : 0;
    }
    return 1;
}

static int put(int fd, const void *from, size_t bytes) { return write(fd, from, bytes) == (ssize_t)bytes; }

/* ---- the side that answers ------------------------------------------------------------------------------------- */

static void answer_shape(const Lab *lab, const Question *q, const Line *l, Reply *reply)
{
    const LabRung *r = &lab->rungs[q->rung];
    size_t dim[LAB_MAX_DIMS];
    LabCase c;
    for (int d = 0; d < LAB_MAX_DIMS; d++)
        dim[d] = (size_t)q->dim[d];
    reply->failed = 1;
    const char *refused = lab_case_make(&c, lab, dim, r->type, q->seed, 0);
    if (refused) {
        snprintf(reply->why, sizeof reply->why, "%s", refused);
        return;
    }
    if (lab_run_once(r, &c, reply->why, sizeof reply->why) == LAB_PASS) {
        size_t bytes = c.out_count * lab_type_bytes(c.out_type);
        memcpy(l->memory, c.h_out, bytes < l->bytes ? bytes : l->bytes);
        reply->failed = 0;
    }
    lab_case_free(&c);
}

int lab_answer(const Lab *lab, const char *numbers, LabOptions *options)
{
    Line l = line_open(numbers);
    Question q;
    while (get(l.in, &q, sizeof q) && q.kind != ASK_END) {
        Reply reply = {0};
        if (q.kind == ASK_SHAPE && q.rung < (uint64_t)lab->rung_count) {
            answer_shape(lab, &q, &l, &reply);
        } else if (q.kind == ASK_SHOW && lab->show) {
            options->seed = q.seed;
            lab_claims_reset();
            reply.failed = lab->show(options) != 0;
            lab_claims_made(&reply.claims, &reply.held);
        }
        fflush(stdout);
        if (!put(l.out, &reply, sizeof reply))
            return 1;
    }
    return 0;
}

/* ---- the side that asks ---------------------------------------------------------------------------------------- */

typedef struct Judge {
    const Lab *lab;
    Line line;
    int asked, held, gone;
} Judge;

static uint64_t random_bits(void)
{
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits)
        die("cannot get random numbers: %s", strerror(errno));
    return bits;
}

/* Of the next question. */
static uint64_t next_seed(const Judge *j) { return j->line.seed ? j->line.seed : random_bits() >> 16; }

/* Asks, and waits. Returns 0 where no answer came. */
static int ask(Judge *j, const Question *q, Reply *reply)
{
    j->asked++;
    if (!j->gone && put(j->line.out, q, sizeof *q) && get(j->line.in, reply, sizeof *reply)) {
        reply->why[sizeof reply->why - 1] = 0;
        return 1;
    }
    if (!j->gone)
        puts("the program ended before it had answered");
    j->gone = 1;
    return 0;
}

static void judge_case(Judge *j, const Question *q, const LabCase *c, const char *shape)
{
    Reply reply;
    Mismatch m;
    char why[256];
    size_t bytes = c->out_count * lab_type_bytes(c->out_type);
    if (bytes > j->line.bytes)
        die("%s = %s: the output has %zu bytes, the shared memory only %zu", j->lab->dims, shape, bytes, j->line.bytes);
    memset(j->line.memory, 0xff, bytes); /* what an earlier answer left there is no answer */
    if (!ask(j, q, &reply))
        return;
    if (reply.failed) {
        printf("%s = %s: %s\n", j->lab->dims, shape, reply.why);
        return;
    }
    memcpy(c->h_out, j->line.memory, bytes);
    if (compare(c->h_out, c->out_type, c->expect, c->out_count, c->atol, c->rtol, &m) == 0) {
        j->held++;
    } else {
        lab_mismatch_text(c, &m, why, sizeof why);
        printf("%s = %s: %s\n", j->lab->dims, shape, why);
    }
}

static void judge_shape(Judge *j, const size_t *dim, int rung, const char *shape)
{
    Question q = {.kind = ASK_SHAPE, .seed = next_seed(j), .rung = (uint64_t)rung};
    LabCase c;
    if (j->gone) { /* a reference would be for nobody */
        j->asked++;
        return;
    }
    for (int d = 0; d < LAB_MAX_DIMS; d++)
        q.dim[d] = dim[d];
    const char *refused = lab_case_make(&c, j->lab, dim, j->lab->rungs[rung].type, q.seed, 1);
    if (refused)
        die("%s = %s: %s", j->lab->dims, shape, refused);
    judge_case(j, &q, &c, shape);
    lab_case_free(&c);
}

static void judge_rungs(Judge *j, const size_t *dim)
{
    char shape[96];
    lab_shape_text(dim, lab_dims(j->lab), shape);
    for (int r = 0; r < j->lab->rung_count; r++)
        judge_shape(j, dim, r, shape);
}

/* Does the lab take this shape? Some want a multiple of four. */
static int takes(const Lab *lab, const size_t *dim)
{
    LabCase c;
    if (lab_case_make(&c, lab, dim, lab->rungs[0].type, 1, 0))
        return 0;
    lab_case_free(&c);
    return 1;
}

/* A shape between those of the list, for labs of one dimension. */
static void judge_between(Judge *j, const char *list)
{
    size_t most = 0, dim[LAB_MAX_DIMS] = {0};
    for (const char *p = list + strspn(list, " "); *p; p += strspn(p, " ")) {
        LabSizes s;
        p = lab_parse_shape(p, 1, &s);
        most = s.dim[0] > most && s.dim[0] <= 10000 ? s.dim[0] : most;
    }
    for (int attempts = 0; most > 8 && attempts < 100; attempts++) {
        dim[0] = 1 + random_bits() % (most - 1);
        if (takes(j->lab, dim)) {
            judge_rungs(j, dim);
            return;
        }
    }
}

static void judge_show(Judge *j, LabOptions *options)
{
    uint64_t claims, held;
    Question q = {.kind = ASK_SHOW, .seed = next_seed(j)};
    Reply reply = {0};
    int answered = ask(j, &q, &reply);
    options->seed = q.seed;
    lab_claims_reset();
    int failed = j->lab->show(options);
    lab_claims_made(&claims, &held);
    if (failed || held != claims)
        die("what the teacher's own program shows does not hold");
    if (answered && (reply.failed || reply.claims != claims || reply.held != claims))
        printf("%d of %d claims hold\n", (int)(reply.held < claims ? reply.held : claims), (int)claims);
    else if (answered)
        j->held++;
}

int lab_judge(const Lab *lab, const char *numbers, LabOptions *options)
{
    signal(SIGPIPE, SIG_IGN); /* who is asked may be gone */
    Judge j = {.lab = lab, .line = line_open(numbers)};
    const char *list = options->size ? options->size : lab->test_sizes;
    int given = options->size != NULL;
    for (const char *p = lab->rungs && list ? list + strspn(list, " ") : ""; *p; p += strspn(p, " ")) {
        LabSizes s;
        p = lab_parse_shape(p, lab_dims(lab), &s);
        judge_rungs(&j, s.dim);
    }
    if (lab->rungs && list && !given && lab_dims(lab) == 1)
        judge_between(&j, list);
    if (lab->show && !options->ladder_only)
        judge_show(&j, options);
    Question end = {.kind = ASK_END};
    put(j.line.out, &end, sizeof end);
    printf("judge: %d of %d hold\n", j.held, j.asked);
    fflush(stdout);
    return j.asked > 0 && j.held == j.asked ? 0 : 1;
}
