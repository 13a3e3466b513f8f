/* limits.c: an exercise's limits (tools/course/limits.h) held against counted figures: which are missed, and in which
 * words. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The tool is a program of its own; what is tested here needs these files of it. */
#include "../../tools/course/limits.c"
#include "../../tools/course/leaderboard.c"
#include "../../tools/course/stages.c"
#include "../../tools/course/exercise_text.c"
#include "../../tools/course/support.c"
#include "suite.h"

/* What the CPU device writes, of two launches: line 34 stores 32 sectors a request, line 30 loads 4; a race of banks
 * in 31. */
static const char lines[] = "kernel,line,access,requests,sectors,ideal,lanes,bank_conflicts\n"
                            "\"turn(float*, int)\",ex.cu:30,global load,64,256,256,2048,0\n"
                            "\"turn(float*, int)\",ex.cu:32,global load,8,128,128,256,0\n"
                            "\"turn(float*, int)\",ex.cu:31,shared load,64,0,0,2048,1984\n"
                            "\"turn(float*, int)\",ex.cu:34,global store,64,2048,256,2048,0\n"
                            "\"turn(float*, int)\",ex.cu:36,global red,7,7,7,7,0\n"
                            "\"turn(float*, int)\",ex.cu:37,global atomic,5,5,5,160,0\n"
                            "\"\",cudaMemcpy,call,3,0,0,0,0\n"
                            "\"\",cudaMemcpyAsync,call,4,0,0,0,0\n"
                            "\"\",cudaMemset,call,9,0,0,0,0\n";
static const char launches[] =
    "launch,kernel,grid,block,metric,value\n"
    "1,\"turn(float*, int)\",\"(8, 1, 1)\",\"(256, 1, 1)\",smsp__inst_executed_op_barrier.sum,64\n"
    "1,\"turn(float*, int)\",\"(8, 1, 1)\",\"(256, 1, 1)\",launch__shared_mem_per_block_dynamic,512\n"
    "1,\"turn(float*, int)\",\"(8, 1, 1)\",\"(256, 1, 1)\",launch__shared_mem_per_block_static,128\n"
    "1,\"turn(float*, int)\",\"(8, 1, 1)\",\"(256, 1, 1)\",cpudev__async_copies_under_way.sum,100\n"
    "2,\"turn(float*, int)\",\"(2, 3, 4)\",\"(256, 1, 1)\",smsp__inst_executed_op_barrier.sum,36\n";
static const char compiler[] = "ex.cu:12:3: warning: implicit conversion [-Wdouble-promotion]\n"
                               "ex.cu:112:3: warning: implicit conversion [-Wdouble-promotion]\n"
                               "ex.cu:2:3: warning: implicit conversion [-Wdouble-promotion]\n"
                               "ex.cu:12:9: warning: implicit conversion [-Wdouble-promotion]\n"
                               "/usr/include/other.h:9:1: warning: implicit conversion [-Wdouble-promotion]\n";

static const struct {
    const char *limits, *missed; /* NULL: all hold */
} cases[] = {
    {"", NULL},
    {"sectors / possible sectors of global loads <= 1", NULL},
    {"sectors / possible sectors of shared loads <= 1", "right numbers; but the limit 'sectors / possible sectors of "
                                                        "shared loads' is of an unknown kind"},
    {"sectors / possible sectors of global stores <= 1.25",
     "right numbers; but line 34 (global store) touches 32 sectors per request where 4 are possible: 8 times as many "
     "(limit: at most 1.25 times)"},
    {"sectors / possible sectors of global loads <= 0.9",
     "right numbers; but line 30 (global load) touches 4 sectors per request where 4 are possible: 1 times as many "
     "(limit: at most 0.9 times)"},
    {"lanes per request of global atomics >= 8",
     "right numbers; but line 36 (global atomic) keeps 1 of 32 lanes busy (limit: at least 8)"},
    {"lanes per request of global atomics <= 8",
     "right numbers; but line 37 (global atomic) keeps 32 of 32 lanes busy (limit: at most 8)"},
    {"lanes per request of global loads >= 32", NULL},
    {"sectors of global loads <= 384\nsectors of global stores >= 2048", NULL},
    {"sectors of global loads <= 383", "right numbers; but 384 sectors of global loads (limit: at most 383)"},
    /* 64 + 32 lines of 128 bytes, 64 + 1984 turns of the banks, 512 lines, 7 and 5 atomics */
    {"memory turns <= 2668\nmemory turns >= 2668", NULL},
    {"stage 2, first (1 point):\nbank conflicts <= 1984", NULL},
    {"stage 2, first (1 point):\nbank conflicts <= 1983",
     "right numbers; but 1984 bank conflicts (limit: at most 1983)"},
    {"bank conflicts <= 1984", NULL},
    {"bank conflicts <= 1983", "right numbers; but 1984 bank conflicts (limit: at most 1983)"},
    {"global atomics <= 12", NULL}, /* those whose result nobody wants count too */
    {"global atomics <= 11", "right numbers; but 12 global atomics, counted per warp (limit: at most 11)"},
    /* an atomic is a store, and a load if its result is wanted, unless a limit is set for atomics */
    {"global stores <= 76\nglobal loads <= 77", NULL},
    {"global stores <= 75", "right numbers; but 76 global stores and atomics, counted per warp (limit: at most 75)"},
    {"global loads <= 76", "right numbers; but 77 global loads and atomics, counted per warp (limit: at most 76)"},
    {"global stores <= 64\nglobal loads <= 72\nglobal atomics <= 12", NULL},
    {"global stores >= 65", "right numbers; but 64 global stores, counted per warp (limit: at least 65)"},
    {"shared stores >= 1", "right numbers; but 0 shared stores, counted per warp (limit: at least 1)"},
    {"barriers <= 100\nlaunches <= 2\n copies under way >= 100 \n", NULL},
    {"barriers <= 99", "right numbers; but 100 barriers, counted per warp (limit: at most 99)"},
    {"launches <= 1\nbarriers >= 101",
     "right numbers; but 2 launches (limit: at most 1)\nand 100 barriers, counted per warp (limit: at least 101)"},
    {"copies under way >= 101",
     "right numbers; but 100 asynchronous copies left under way by a wait (limit: at least 101)"},
    {"blocks <= 32\nblocks >= 32", NULL}, /* 8 of the first launch, 24 of the second */
    {"blocks <= 31", "right numbers; but 32 blocks launched (limit: at most 31)"},
    {"bytes of shared memory <= 640", NULL},
    {"bytes of shared memory <= 639",
     "right numbers; but 640 bytes of shared memory, one block of each launch (limit: at most 639)"},
    {"calls of cudaMemcpy* <= 7\ncalls of cudaMemcpy* >= 7\ncalls of cudaMemcpy <= 3\ncalls of cudaFree <= 0", NULL},
    {"calls of cudaMemcpy* >= 8", "right numbers; but 7 calls of cudaMemcpy* (limit: at least 8)"},
    {"calls of cudaMemcpy >= 4", "right numbers; but 3 calls of cudaMemcpy (limit: at least 4)"},
    {"calls of cuda*Async >= 5", "right numbers; but 4 calls of cuda*Async (limit: at least 5)"},
    {"calls of cudaFree >= 1", "right numbers; but 0 calls of cudaFree (limit: at least 1)"},
    {"double promotions <= 4", NULL}, /* the header's is not the file's */
    {"double promotions <= 0",        /* line 12 has two, and is named once */
     "right numbers; but 4 places where a float becomes a double: line 12, 112, 2 (limit: at most 0)"},
    /* a limit that cannot be read does not pass for one that holds */
    {"registers <= 3", "right numbers; but the limit 'registers' is of an unknown kind"},
    {"global loads = 3", "right numbers; but the limit 'global loads = 3' has neither <= nor >="},
    {"global loads <= few", "right numbers; but the limit 'global loads <= few' does not end in a number"},
};

START_TEST(missed)
{
    char *missed = limits_missed(cases[_i].limits, launches, lines, compiler, "ex.cu");
    if (cases[_i].missed)
        ck_assert_str_eq(missed ? missed : "(all hold)", cases[_i].missed);
    else
        ck_assert_msg(missed == NULL, "%s: %s", cases[_i].limits, missed);
    free(missed);
}
END_TEST

static const struct {
    const char *limits, *tightened;
} rooms[] = {
    {"global loads <= 110", "global loads <= 100\n"},
    {"global loads >= 100\nbarriers <= 55", "global loads >= 110\nbarriers <= 50\n"},
    /* no room is possible */
    {"launches <= 1\nlaunches >= 1\nbank conflicts <= 0", "launches <= 1\nlaunches >= 1\nbank conflicts <= 0\n"},
    {"global loads = 3", "global loads = 3\n"},
    {"stage 2, a name (2 points):\nglobal loads <= 110", "stage 2, a name (2 points):\nglobal loads <= 100\n"},
};

START_TEST(tightened)
{
    char *tight = limits_tightened(rooms[_i].limits, 0.1);
    ck_assert_str_eq(tight, rooms[_i].tightened);
    free(tight);
}
END_TEST

/* Twice the accesses, and at the other shape 64 conflicts where there were none. */
START_TEST(elsewhere)
{
    char *here[2] = {"launch,kernel,grid,block,metric,value\n1,\"k()\",\"(8, 1, 1)\",\"(256, 1, 1)\",x,1\n",
                     "kernel\n\"k()\",ex.cu:30,global load,64,256,256,2048,0\n"},
         *there[2] = {
             "launch,kernel,grid,block,metric,value\n1,\"k()\",\"(16, 1, 1)\",\"(256, 1, 1)\",x,1\n",
             "kernel\n\"k()\",ex.cu:30,global load,128,640,512,4096,0\n\"k()\",ex.cu:31,shared load,64,0,0,2048,64\n"};
    char *limits = limits_elsewhere("global loads <= 80\nglobal loads >= 60\nlaunches <= 1\nblocks <= 10\n"
                                    "bank conflicts <= 0\nbank conflicts <= 20\n"
                                    "sectors / possible sectors of global loads <= 1.2",
                                    here, there);
    ck_assert_str_eq(limits, "global loads <= 240\nglobal loads >= 80\nlaunches <= 1\nblocks <= 30\n"
                             "bank conflicts <= 64\nbank conflicts <= 96\n"
                             "sectors / possible sectors of global loads <= 2.25\n");
    free(limits);
}
END_TEST

/* ---- a project's stages ------------------------------------------------------------------------------------------ */

#define HEAD "/* Exercise 5.15 project: a test (9 points)\n *\n * Asked.\n *\n * Limits at 64:\n"
static const char project[] =
    HEAD " *   stage 2, whole sectors (2 points):\n *     sectors of global loads <= 384\n"
         " *   stage 3, no conflicts (1 point):\n *     bank conflicts <= 1000\n *     barriers <= 99\n"
         " *   stage 4, speed (4 points):\n *     memory turns <= 9999\n */\n";

/* A stage counts only if all before it pass: stage 4's limit holds, and is not reached. */
START_TEST(stages)
{
    ExerciseText t = exercise_text(project);
    Stages s = stages_of(&t);
    char *why;
    ck_assert_int_eq(s.count, 4);
    ck_assert_str_eq(s.at[1].name, "whole sectors");
    ck_assert_int_eq(s.at[0].points, 2);
    ck_assert_int_eq(stages_passed(&s, launches, lines, compiler, "ex.cu", &why), 2);
    ck_assert_str_eq(why, "right numbers; but 1984 bank conflicts (limit: at most 1000)\n"
                          "and 100 barriers, counted per warp (limit: at most 99)");
    ck_assert_int_eq(points_earned(&t, 0, 0), 0);
    ck_assert_int_eq(points_earned(&t, 0, 2), 4);
    ck_assert_int_eq(points_earned(&t, 1, 4), 9);
    char *words = stages_words(&s, 2, "too many");
    ck_assert_str_eq(words, "stage 1, right: passed (2 points)\nstage 2, whole sectors: passed (2 points)\n"
                            "stage 3, no conflicts: next (1 point)\nstage 4, speed: later (4 points)\n"
                            "4 of 9 points. Next is stage 3, no conflicts:\ntoo many");
    free(words), free(why), stages_free(&s);
}
END_TEST

START_TEST(no_stages)
{
    ExerciseText t = exercise_text(HEAD " *   bank conflicts <= 0\n */\n");
    Stages s = stages_of(&t);
    ck_assert_int_eq(s.count, 0);
    ck_assert_int_eq(points_earned(&t, 1, 0), 9);
    ck_assert_int_eq(points_earned(&t, 0, 0), 0);
}
END_TEST

/* ---- the leaderboard --------------------------------------------------------------------------------------------- */

START_TEST(leaderboard)
{
    Entries e = {0};
    const Entry ada = {"5.15", "ada", 300, 9, 9, "2026-11-01"}, slower = {"5.15", "ada", 400, 9, 9, "2026-11-02"},
                fewer = {"5.15", "ada", 100, 4, 9, "2026-11-03"}, bob = {"5.15", "bob, \"b\"", 200, 4, 9, "2026-11-04"},
                later = {"14.22", "bob", 5, 1, 9, "2026-11-05"}, best = {"5.15", "eve", 250, 9, 9, "2026-11-06"};
    char path[] = "/tmp/leaderboardXXXXXX";
    ck_assert_int_ge(mkstemp(path), 0);
    leaderboard_merge(&e, &later), leaderboard_merge(&e, &slower), leaderboard_merge(&e, &ada);
    leaderboard_merge(&e, &fewer), leaderboard_merge(&e, &bob), leaderboard_merge(&e, &best);
    ck_assert_int_eq(leaderboard_write(path, &e), 0);
    char *written = file_read(path, NULL);
    ck_assert_str_eq(written, "exercise,student,turns,points,of,date\n5.15,eve,250,9,9,2026-11-06\n"
                              "5.15,ada,300,9,9,2026-11-01\n5.15,bob_ _b_,200,4,9,2026-11-04\n"
                              "14.22,bob,5,1,9,2026-11-05\n");
    Entries again = leaderboard_read(path);
    ck_assert_int_eq(again.count, 4);
    ck_assert_int_eq(leaderboard_write(path, &again), 0);
    char *twice = file_read(path, NULL);
    ck_assert_str_eq(written, twice);
    ck_assert_int_eq(file_write(path, "5.15,x,1,2,3\n5.15,y,-4,1,9,2026-11-01\nrubbish\n", 46), 0);
    ck_assert_int_eq(leaderboard_read(path).count, 0);
    free(written), free(twice), unlink(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("limits");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, missed, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(t, elsewhere);
    tcase_add_loop_test(t, tightened, 0, sizeof rooms / sizeof rooms[0]);
    tcase_add_test(t, stages);
    tcase_add_test(t, no_stages);
    tcase_add_test(t, leaderboard);
    suite_add_tcase(s, t);
    return run_suite(s);
}
