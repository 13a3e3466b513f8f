/* limits.c: an exercise's limits (tools/course/limits.h) held against counted figures: which are missed, and in which
 * words. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* The tool is a program of its own; what is tested here needs these two files of it. */
#include "../../tools/course/limits.c"
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
                               "/usr/include/other.h:9:1: warning: implicit conversion [-Wdouble-promotion]\n";

static const struct {
    const char *limits, *missed; /* NULL: all hold */
} cases[] = {
    {"", NULL},
    {"sectors / possible sectors of global loads <= 1", NULL},
    {"sectors / possible sectors of shared loads <= 1", "right numbers; but the limit 'sectors / possible sectors of "
                                                        "shared loads' is of a kind that nobody knows"},
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
    {"bank conflicts <= 1984", NULL},
    {"bank conflicts <= 1983", "right numbers; but 1984 bank conflicts (limit: at most 1983)"},
    {"global atomics <= 12", NULL}, /* those whose result nobody wants count too */
    {"global atomics <= 11", "right numbers; but 12 global atomics, counted per warp (limit: at most 11)"},
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
    {"double promotions <= 1", NULL}, /* the header's is not the file's */
    {"double promotions <= 0",
     "right numbers; but 1 places where a float becomes a double: line 12 (limit: at most 0)"},
    /* a limit that cannot be read does not pass for one that holds */
    {"registers <= 3", "right numbers; but the limit 'registers' is of a kind that nobody knows"},
    {"global loads = 3", "right numbers; but the limit 'global loads = 3' has neither <= nor >="},
    {"global loads <= few", "right numbers; but the limit 'global loads <= few' ends in no number"},
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
};

START_TEST(tightened)
{
    char *tight = limits_tightened(rooms[_i].limits, 0.1);
    ck_assert_str_eq(tight, rooms[_i].tightened);
    free(tight);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("limits");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, missed, 0, sizeof cases / sizeof cases[0]);
    tcase_add_loop_test(t, tightened, 0, sizeof rooms / sizeof rooms[0]);
    suite_add_tcase(s, t);
    return run_suite(s);
}
