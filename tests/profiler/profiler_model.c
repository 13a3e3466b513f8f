/* profiler_model.c: cuprof --model. The trace's kernels are the lines of CUDA_CPU_MODEL_CSV, which awk compares with it: the
 * same names and times, one after another, and what has no time is named. */
#include <stdlib.h>

#include "command.h"
#include "suite.h"

static char out[COMMAND_FOLDER];

static void set_up(void)
{
    command_folder(out);
    setenv("CUDA_CPU_MODEL_REGISTERS", "40", 1);
    command_succeeds("for check in '' --check; do cpudevice/cucc $check -o $out/program$check "
                     "tests/profiler/helpers/cuprof_model.cu "
                     ">$out/log 2>&1 || exit 1; done");
    command_succeeds("CUDA_CPU_MODEL_CSV=$out/all.csv tools/cuprof --model h100 --trace $out/all.json -o $out/all.txt "
                     "$out/program--check >$out/said 2>&1");
    command_succeeds(
        "grep '\"cat\":\"kernel\"' $out/all.json | sed 's/.*\"name\":\"\\([^\"]*\\)\".*\"ts\":\\([0-9.]*\\),\"dur\":"
        "\\([0-9.]*\\).*/\\1\t\\2\t\\3/' >$out/kernels");
}

static void tear_down(void) { command_succeeds("rm -r $out"); }

static const CommandCase cases[] = {
    {0, "^6$", "wc -l <$out/kernels"},
    /* a line of the CSV that has a time: the kernel's name in quotes, grid, block, the cold time */
    {0, "^same$",
     "sed -n 's/^\"\\([^\"]*\\)\",[0-9x]*,[0-9x]*,\\([0-9.][0-9.]*\\),.*/\\1\t\\2/p' $out/all.csv >$out/lines; "
     "cut -f 1,3 $out/kernels | cmp - $out/lines && echo same"},
    /* one begins where the one before ends */
    {0, "^5 in turn$",
     "awk -F'\t' 'NR > 1 && ($2 - end) ^ 2 < 1e-6 { n++ } { end = $2 + $3 } END { print n, \"in turn\" }' "
     "$out/kernels"},
    {0, "h100 \\(model\\), launches one after another, each with cold caches$", "head -n 1 $out/all.txt"},
    {0, "^cuprof: no time: meet \\(blocks wait for each other or for the host: not modelled\\)$", "cat $out/said"},
    {0, "^cuprof: the model has no times for copies, fills and migrations; left out: 1$", "cat $out/said"},
    {0, "^6$",
     "grep '\"registers per "
     "thread\":40,.*\"grid\":\\[[248],1,1\\],\"block\":\\[64,1,1\\]\\|strided.*\"grid\":\\[16,1,1\\],"
     "\"block\":\\[128,1,1\\]' $out/all.json | wc -l"},
    {0, "^GPU 0: h100 \\(model\\)$", "grep -o 'GPU 0: [^\"]*' $out/all.json"},
    {0, "Modelled times",
     "COURSE_LANG=en tools/cuprof --model h200 --html $out/page.html -o /dev/null $out/program--check >/dev/null 2>&1; "
     "grep -o '\"backend\":\"model\"' $out/page.html >/dev/null && grep -o 'Modelled times' $out/page.html"},
    /* what the model cannot see, or no such chip, is said */
    {0, "launched nothing that the model could count", "tools/cuprof --model h100 $out/program"},
    {2, "no chip .none.", "tools/cuprof --model none $out/program--check"},
    {2, "^cuprof: --model needs a value", "tools/cuprof --model"},
};

START_TEST(a_command) { command_holds(&cases[_i]); }
END_TEST

int main(void)
{
    Suite *s = suite_create("profiler_model");
#ifdef LAB_CPU
    TCase *t = tcase_create("model");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, a_command, 0, (int)(sizeof cases / sizeof *cases));
    suite_add_tcase(s, t);
#endif
    return run_suite(s);
}
