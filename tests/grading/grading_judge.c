/* grading_judge.c: the judge of an answer (common/lab/lab_judge.c) and a process that answers its first questions truly, and
 * the later ones by the word that it has answered, without an output. What an earlier answer left in the shared memory is
 * no answer, even where it is the right one. This program is for the CPU device only. */
#include <fcntl.h>
#include <sys/wait.h>

#include "../../common/lab/lab_judge.c"
#include "suite.h"

/* y[i] = i, whatever the shape and the seed. */
static const char *setup(LabCase *c)
{
    lab_output(c, c->dim[0], LAB_F32);
    return NULL;
}
static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = (double)i;
}
static void run(const LabRung *r, LabCase *c)
{
    static float y[256];
    (void)r;
    for (size_t i = 0; i < c->out_count; i++)
        y[i] = (float)i;
    CUDA_CHECK(cudaMemcpyAsync(c->out, y, c->out_count * sizeof *y, cudaMemcpyHostToDevice, c->stream));
}

static const LabRung rungs[] = {{1, "yours", NULL, LAB_F32, 0, 0}};
static const Lab lab = {.name = "indices",
                        .title = "each element's index",
                        .dims = "N",
                        .rungs = rungs,
                        .rung_count = 1,
                        .setup = setup,
                        .reference = reference,
                        .run = run};

enum { SHAPES = 4 };
static const size_t shapes[SHAPES][LAB_MAX_DIMS] = {{256}, {256}, {31}, {200}};

static _Noreturn void answer(Line l, int truly)
{
    Question q;
    for (int n = 0; get(l.in, &q, sizeof q); n++) {
        Reply reply = {0};
        if (n < truly)
            answer_shape(&lab, &q, &l, &reply);
        put(l.out, &reply, sizeof reply);
    }
    _exit(0);
}

START_TEST(true_answers_alone_count)
{
    int question[2], reply[2], memory = memfd_create("output", 0);
    ck_assert_int_eq(pipe2(question, O_CLOEXEC) | pipe2(reply, O_CLOEXEC) | ftruncate(memory, 4096), 0);
    void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    ck_assert_ptr_ne(shared, MAP_FAILED);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        close(question[1]), close(reply[0]);
        answer((Line){.in = question[0], .out = reply[1], .memory = shared, .bytes = 4096}, _i);
    }
    close(question[0]), close(reply[1]);
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stdout)); /* the judge says what is wrong */
    Judge j = {.lab = &lab, .line = {.in = reply[0], .out = question[1], .memory = shared, .bytes = 4096}};
    for (int i = 0; i < SHAPES; i++)
        judge_rungs(&j, shapes[i]);
    close(question[1]);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    ck_assert_int_eq(j.asked, SHAPES);
    ck_assert_int_eq(j.held, _i);
}
END_TEST

/* A process that has ended is asked nothing more; what it was not asked is not right. */
START_TEST(none_is_left_to_answer)
{
    int question[2], reply[2];
    char memory[4096] = {0};
    signal(SIGPIPE, SIG_IGN);
    ck_assert_int_eq(pipe(question) | pipe(reply), 0);
    close(question[0]), close(reply[1]);
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stdout));
    Judge j = {.lab = &lab, .line = {.in = reply[0], .out = question[1], .memory = memory, .bytes = sizeof memory}};
    for (int i = 0; i < SHAPES; i++)
        judge_rungs(&j, shapes[i]);
    ck_assert_int_eq(j.asked, SHAPES);
    ck_assert_int_eq(j.held, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grading_judge");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, true_answers_alone_count, 0, SHAPES + 1);
    tcase_add_test(t, none_is_left_to_answer);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
