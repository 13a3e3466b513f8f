/* grading.c: tools/grade on a class in which some try to forge a grade, by name: none passes, and those beside them get
 * what they deserve. Then what a teacher types: archives, duplicates, late and missing ones, a run broken off. This
 * program is for the CPU device only. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../tools/course/support.c"
#include "command.h"
#include "suite.h"

#define QUIT "__attribute__((constructor)) static void quit(void) { _exit(0); }\n"
#define LINE "solutions/lecture03_cuda_basics/ex01_index.cu"
#define LAYER "solutions/lecture03_cuda_basics/ex09_layer.cu"
#define FUSE "solutions/lecture01_profiling/ex06_fuse.cu"
#define TURN "solutions/lecture05_shared_memory/ex04_transpose.cu"
#define STRIDED                                                                                                        \
    "for (int i = 0; i < TILE; i += ROWS)\n"                                                                           \
    "    if (m + i < M && n < N)\n"                                                                                    \
    "        B[(size_t)n * M + m + i] = tile[y + i][x];\n"
#define INDEX "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
#define WRONG "size_t i = 0;\n"
#define WRONG_NUMBERS "N = [0-9]+: element 1 was never written, should be .*; [0-9]+ of [0-9]+ wrong"
#define NOT_NAMED(name) name ": the answer does not declare it"
#define BUG "static const LabRung rungs"

/* A file that is handed in: the solution with another text in place of its first answer, and with `from` replaced by
 * `to` anywhere else. `says` is an extended regular expression that the student's report must show. */
static const struct {
    const char *name, *solution, *answer, *from, *to, *outcome, *says;
} attempts[] = {
    {"honest", LINE, NULL, NULL, NULL, "passed", ""},
    {"honest_and_different", LINE,
     "size_t i = threadIdx.x;\ni += (size_t)blockDim.x * blockIdx.x;\nprintf(\"%d\", (int)i);\n", NULL, NULL, "passed",
     ""},
    {"wrong", LINE, WRONG, NULL, NULL, "failed", "N = [0-9]+: element 1 was never written"},
    {"race", LINE, INDEX "if (i < n) y[0] = x[i];\n__syncthreads();\n", NULL, NULL, "failed",
     "at ex01_index.cu:[0-9]+"},

    {"constructor_exits", LINE, WRONG, BUG, "#include <unistd.h>\n" QUIT BUG, "failed", "not taken"},
    {"constructor_in_answer", FUSE, QUIT, NULL, NULL, "failed", "expected constructor, destructor, or type conversion"},
    {"run_exits", LINE, WRONG, "    CUDA_CHECK(cudaGetLastError());", "    _exit(0);", "failed", WRONG_NUMBERS},
    {"exit_in_answer", FUSE, "static int a = (exit(0), 1);\n", NULL, NULL, "failed", NOT_NAMED("exit")},
    {"exit_by_build", LINE,
     "#ifdef __CUCC_CHECK__\nsize_t i = (_exit(0), 0);\n#else\nsize_t i = (exit(0), 0);\n#endif\n", NULL, NULL,
     "failed", "directives"},
    {"own_main", LINE, WRONG, "LAB_MAIN(ex01)", "int main() { puts(\"exercise 3.1 passes\"); }", "failed",
     WRONG_NUMBERS},
    {"rung_for_cuda_only", LINE, WRONG, "{1, \"yours\", NULL}", "{1, \"yours\", NULL, LAB_F32, LAB_CUDA_ONLY}",
     "failed", WRONG_NUMBERS},
    {"rung_is_wrong", LINE, WRONG, "{1, \"yours\", NULL}", "{1, \"yours\", NULL, LAB_F32, LAB_WRONG}", "failed",
     WRONG_NUMBERS},
    {"skips_in_run", LINE, WRONG, "    CUDA_CHECK(cudaGetLastError());", "    lab_skip(\"not today\");", "failed",
     WRONG_NUMBERS},
    {"skips_in_answer", LINE, "lab_skip(\"not today\");\n" WRONG, NULL, NULL, "failed", "lab_skip.* not declared"},
    {"copies_expect", LINE, WRONG, "    CUDA_CHECK(cudaGetLastError());",
     "    for (size_t k = 0; k < c->out_count; k++) ((float *)c->h_out)[k] = c->expect[k];", "failed", WRONG_NUMBERS},
    {"computes_on_host", LAYER, "__global__ void nothing(void) {}\n", "layer_kernel<<<grid, block, 0, stream>>>(",
     "float *h = (float *)malloc(4); cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost); (void)(", "failed",
     NOT_NAMED("malloc")},
    {"untouched_reference", LINE, WRONG, "c->expect[i] = 2.0 * lab_h_in_f32(c, 0)[i] + 1;",
     "c->expect[i] = lab_untouched();", "failed", WRONG_NUMBERS},
    {"one_test_size", LINE, WRONG, ".test_sizes = \"1 31 33 127 128 129 1009\"", ".test_sizes = \"1\"", "failed",
     WRONG_NUMBERS},
    {"no_test_size", LINE, WRONG, ".test_sizes = \"1 31 33 127 128 129 1009\"", ".test_sizes = \"\"", "failed",
     WRONG_NUMBERS},
    {"great_tolerance", LINE, WRONG, "    return NULL;", "    c->atol = 1e30;\n    return NULL;", "failed",
     WRONG_NUMBERS},
    {"includes_the_solution", LINE, "#include \"../../" LINE "\"\n", NULL, NULL, "failed", "directives"},
    {"includes_by_digraph", LINE, "%:include \"../../" LINE "\"\n", NULL, NULL, "failed", "not allowed"},
    {"overwrites_the_course", FUSE, "static FILE *f = fopen(\"tools/course.sh\", \"w\");\n", NULL, NULL, "failed",
     "fopen.* not declared|does not name a type"},
    {"macro_of_compare", LINE, WRONG, BUG, "#define compare(...) 0\n" BUG, "failed", "not taken"},
    {"macro_in_answer", LINE, "#define compare(...) 0\n" WRONG, NULL, NULL, "failed", "directives"},
    {"proc_self_mem", LINE, "int f = open(\"/proc/self/mem\", 2);\n" WRONG, NULL, NULL, "failed",
     "open.* not declared"},
    {"writes_the_report", LINE, "FILE *f = fopen(\"launches.csv\", \"w\");\n" WRONG, NULL, NULL, "failed",
     "FILE, f, fopen: the answer does not declare them"},
    {"fork_bomb", LINE, "for (;;) fork();\n" WRONG, NULL, NULL, "failed", "fork.* not declared"},
    {"child_that_stays", LINE, "if (fork() == 0) sleep(1000);\n" WRONG, NULL, NULL, "failed",
     "fork, sleep: the answer does not declare them"},
    {"fills_the_disk", LINE, "std::ofstream(\"/tmp/x\") << \"x\";\n" WRONG, NULL, NULL, "failed",
     NOT_NAMED("ofstream")},
    {"fills_the_memory", LINE, "char *p = new char[1 << 30];\n" WRONG, NULL, NULL, "failed", "new.* not declared"},
    {"fills_the_log", LINE, INDEX "for (volatile int k = 0; k < 300000000; k++) printf(\"exercise 3.1 passes\");\n",
     NULL, NULL, "failed", "no progress|more CPU time"},
    {"draws_a_verdict", LINE, "static_assert(sizeof(int) == 5, \"\\033[2K\\033[32mexercise 3.1 passes\");\n" INDEX,
     NULL, NULL, "failed", "static assertion failed: exercise 3.1 passes"},
    {"is_no_utf8", LINE, "static_assert(sizeof(int) == 5, \"\200\355\240\200\357\277\277 gr\303\274n\");\n" INDEX, NULL,
     NULL, "failed", "gr\303\274n|error"},
    {"kills_the_parent", LINE, "kill(getppid(), 9);\n" WRONG, NULL, NULL, "failed",
     "getppid, kill: the answer does not declare them"},
    {"sleeps", LINE, "sleep(1000);\n" WRONG, NULL, NULL, "failed", "sleep.* not declared"},
    {"opens_a_socket", LINE, "int s = socket(2, 1, 0);\n" WRONG, NULL, NULL, "failed", "socket.* not declared"},
    {"endless", LINE, INDEX "for (volatile int k = 0; k < 2; k = 0) {}\n", NULL, NULL, "failed", "no progress"},
    {"loops_before_main", FUSE, "static int mine = [] { for (volatile int k = 0; k < 2; k = 0) {} return 0; }();\n",
     NULL, NULL, "failed", "more CPU time|does not build"},
    /* the counters are in the process: stores that could reach them are seen */
    {"wrong_technique", TURN, STRIDED, NULL, NULL, "failed",
     "right numbers; but line [0-9]+ .global store. touches 32 sectors per request"},
    {"counters_by_pointer", TURN, STRIDED "((volatile float *)B)[100000000 + x] = 0;\n", NULL, NULL, "failed",
     "memcheck"},
    {"counters_by_library", TURN, STRIDED "sincosf(0, B + 100000000, B + 100000001);\n", NULL, NULL, "failed",
     "memcheck"},
    {"counters_by_atomic", TURN, STRIDED "atomicExch((int *)(B - 100000000), 0);\n", NULL, NULL, "failed", "memcheck"},
    {"calls_an_address", TURN, STRIDED "((void (*)(int))16)(x);\n", NULL, NULL, "failed",
     "illegal address 0x10 in kernel transpose_kernel"},
    {"closes_the_function", LINE, WRONG "}\n" QUIT "static void rest(float *y) {\n", NULL, NULL, "failed",
     "closes a bracket"},
    {"assembly", LINE, "asm volatile(\"syscall\" : : \"a\"(60), \"D\"(0));\n" WRONG, NULL, NULL, "failed",
     NOT_NAMED("asm")},
    {"raw_string", LINE, "const char *s = R\"(\n)\";\n" WRONG, NULL, NULL, "failed", "plain literals"},
    {"joined_lines", LINE, "// comment \\\n" WRONG "\\\n", NULL, NULL, "failed", "not allowed"},
    {"writes_outside", LINE, INDEX "for (int k = 0; k < 1000000; k++) y[k] = 1;\n", NULL, NULL, "failed", "memcheck"},
    {"writes_anywhere", LINE, INDEX "for (size_t k = 1; k < 1000; k++) ((volatile size_t *)&n)[k] = 0;\n", NULL, NULL,
     "failed", "memcheck: a kernel dereferences host memory"},
    {"writes_low", LINE, INDEX "*(volatile int *)(size_t)4096 = 1;\n", NULL, NULL, "failed",
     "memcheck: a null pointer is dereferenced"},
};
enum { ATTEMPTS = sizeof attempts / sizeof attempts[0] };

static char tree[] = "/tmp/gradingXXXXXX";
static int sandboxed;

static char *replaced(const char *s, const char *from, const char *to)
{
    const char *at = strstr(s, from);
    ck_assert_msg(at != NULL, "there is no '%s'", from);
    return text("%.*s%s%s", (int)(at - s), s, to, at + strlen(from));
}

/* The solution as a student hands it in: without markers, TODO and stub lines, with another first answer. */
static char *handed_in(const char *solution, const char *answer)
{
    char *all = file_read(solution, NULL), *rest = all, *line, *out = copy("");
    int inside = 0, answers = 0;
    ck_assert_ptr_nonnull(all);
    while ((line = strsep(&rest, "\n"))) {
        int begins = strstr(line, "// >>> answer") != NULL,
            skip = begins || strstr(line, "// <<< answer") || strstr(line, "TODO(ex") || strstr(line, "// stub:");
        if (begins) {
            inside = 1, answers++;
            if (answer && answers == 1) {
                char *more = text("%s%s", out, answer);
                free(out), out = more;
            }
        }
        inside = inside && !strstr(line, "// <<< answer");
        if (skip || (inside && answer && answers == 1))
            continue;
        char *more = text("%s%s%s", out, line, rest ? "\n" : "");
        free(out), out = more;
    }
    free(all);
    return out;
}

static void hand_in(int i)
{
    char *s = handed_in(attempts[i].solution, attempts[i].answer);
    if (attempts[i].from) {
        char *changed = replaced(s, attempts[i].from, attempts[i].to);
        free(s), s = changed;
    }
    const char *place = attempts[i].solution + strlen("solutions/"), *name = strchr(place, '/');
    char *folder = text("%s/class/%s/%.*s/exercises", tree, attempts[i].name, (int)(name - place), place);
    char *path = text("%s%s", folder, name);
    ck_assert_int_eq(make_folders(folder), 0);
    ck_assert_int_eq(file_write(path, s, strlen(s)), 0);
    free(s), free(folder), free(path);
}

static void set_up(void)
{
    ck_assert_ptr_nonnull(mkdtemp(tree));
    setenv("tree", tree, 1);
    unsetenv("MAKEFLAGS"), unsetenv("MAKELEVEL"), unsetenv("GRADE_FROM");
    if (system("tools/setup/need.sh bubblewrap && bwrap --unshare-all --ro-bind / / true") != 0)
        return;
    sandboxed = 1;
    for (int i = 0; i < ATTEMPTS; i++)
        hand_in(i);
    /* a link to the solution in place of a file */
    ck_assert_int_eq(
        system("set -e; d=$tree/class/links_to_the_solution/lecture03_cuda_basics/exercises; mkdir -p $d; ln -s "
               "$PWD/" LINE " $d/; ln -s $PWD/solutions $tree/class/links_to_the_solution/more; "
               "tools/grade -o $tree/grades --exercises 1.6,3.1,3.9,5.4 $tree/class/* >$tree/said 2>&1 || :"),
        0);
}

static void tear_down(void) { remove_tree(tree); }

static char *report_of(const char *student)
{
    char *path = text("%s/grades/students/%s.txt", tree, student), *s = file_read(path, NULL);
    ck_assert_msg(s != NULL, "there is no report for %s", student);
    free(path);
    return s;
}

/* "3.1", for solutions/lecture03_cuda_basics/ex01_index.cu */
static char *number_of(const char *solution)
{
    int lecture = 0, exercise = 0;
    ck_assert_int_eq(sscanf(solution, "solutions/lecture%d", &lecture), 1);
    ck_assert_int_eq(sscanf(base_name(solution), "ex%d", &exercise), 1);
    return text("%d.%d", lecture, exercise);
}

START_TEST(attempt)
{
    if (!sandboxed) {
        test_skip("no bubblewrap");
        return;
    }
    char *report = report_of(attempts[_i].name), *line;
    char *number = number_of(attempts[_i].solution);
    line = text("^%s .*: %s$", number, attempts[_i].outcome);
    ck_assert_msg(command_matches(report, line), "%s is not '%s':\n%s", attempts[_i].name, line, report);
    ck_assert_msg(command_matches(report, attempts[_i].says), "%s does not say '%s':\n%s", attempts[_i].name,
                  attempts[_i].says, report);
    ck_assert_msg(!strchr(report, 27), "an escape code is in the report");
    ck_assert_msg(!strstr(report, "yours_"), "a renamed word is in the report");
    /* an endless loop, too, is told within 8 seconds of CPU time */
    char *path = text("%s/grades/work/%s/%s/result", tree, attempts[_i].name, number), *result = file_read(path, NULL);
    double cpu_s = 1000;
    ck_assert_int_eq(result ? sscanf(result, "%*s %*d %*d %*f %lf", &cpu_s) : 0, 1);
    ck_assert_msg(cpu_s < 8, "%s took %g s of CPU time", attempts[_i].name, cpu_s);
    free(report), free(line), free(path), free(result), free(number);
}
END_TEST

START_TEST(a_link_is_no_file)
{
    if (!sandboxed)
        return;
    char *report = report_of("links_to_the_solution");
    ck_assert_msg(command_matches(report, "^3.1 .*: missing$"), "%s", report);
    free(report);
}
END_TEST

/* What a teacher types, in order. */
#define GRADE "tools/grade -o $tree/g2 "
static const CommandCase steps[] = {
    {2, "no submission", "tools/grade -e 3.1"},
    {2, "which exercises", "tools/grade ."},
    {2, "no exercise 7.7", "tools/grade -e 7.7 ."},
    {2, "not '3.x'", "tools/grade -e 3.x ."},
    {2, "18:00", "tools/grade -e 3.1 --due tomorrow ."},
    {2, "bubblewrap is not installed",
     "mkdir $tree/bin; for f in sh gcc make flock ls dirname mkdir mv rm env; do ln -s $(command -v $f) "
     "$tree/bin/; done; PATH=$tree/bin tools/grade -e 3.1 $tree/class/honest"},
    {0, "1 passed, 0 failed", GRADE "-e 3.1 $tree/class/honest"},
    {1, "0 passed, 1 failed", GRADE "-e 3.1 $tree/class/wrong"},
    {0, "0 passed, 0 failed, 0 to do, 1 missing", GRADE "-e 3.2 $tree/class/honest || [ $? = 1 ]"},
    /* archives; a name in one that leads out of it; one that cannot be read; one that unpacks to more than there is
       room */
    {0, "",
     "cd $tree/class && tar -czf $tree/tarred.tar.gz honest && tar -cf $tree/plain.tar -C "
     "honest/lecture03_cuda_basics/exercises ex01_index.cu "
     "&& echo nothing >$tree/broken.zip && mkdir $tree/out && tar -cPf $tree/leaves.tar --transform "
     "s,honest,../../out/honest, honest "
     "&& head -c 300000000 /dev/zero >$tree/zeros.cu && tar -C $tree -czf $tree/bomb.tar.gz zeros.cu && rm "
     "$tree/zeros.cu"},
    {1, "unreadable: .*broken.zip: the archive cannot be unpacked",
     GRADE "-e 3.1 $tree/tarred.tar.gz $tree/plain.tar $tree/broken.zip $tree/leaves.tar $tree/bomb.tar.gz"},
    {0, "1,1,1,,", "grep '^tarred,' $tree/g2/grades.csv"},
    {0, "1,1,1,,", "grep '^plain,' $tree/g2/grades.csv"},
    {0, "unreadable", "grep '^bomb,' $tree/g2/grades.csv"},
    {1, "", "ls $tree/out | grep ."},
    {0, "1 passed",
     "command -v python3 >/dev/null || { echo '1 passed'; exit; }; cd $tree/class && python3 -m zipfile -c "
     "$tree/zipped.zip "
     "honest && cd - >/dev/null && " GRADE "-e 3.1 $tree/zipped.zip"},
    /* two by one student: the later one counts; late; missing */
    {0, "",
     "cp -r $tree/class/wrong $tree/tarred; touch -d '2020-01-01' $tree/tarred/*/*/*; touch -d '2021-01-01' "
     "$tree/tarred.tar.gz"},
    {0, "duplicate: .*/tarred ", GRADE "-e 3.1 $tree/tarred $tree/tarred.tar.gz"},
    {0, "late: tarred", GRADE "-e 3.1 $tree/tarred.tar.gz --due '2020-12-31 18:00'"},
    {0, "missing: nobody",
     "printf 'honest\\nnobody\\n' >$tree/list; " GRADE "-e 3.1 $tree/class/honest --students $tree/list"},
    /* what is known is not done again: this takes no compiler */
    {0, "1 passed", GRADE "-e 3.1 $tree/class/honest"},
    /* other programs' formats */
    {0, "missing: nobody",
     "d=\"$tree/O'Neil & J\303\266rg \\377\"; d=$(printf \"$d\"); mkdir \"$d\" && cp -r $tree/class/is_no_utf8/* "
     "\"$d\"; "
     "printf \"O'Neil & J\303\266rg \\377\\nnobody\\n\" >$tree/list; " GRADE
     "-e 3.1 \"$d\" --students $tree/list >$tree/said; grep missing $tree/said; ! grep 'missing: O' $tree/said"},
    {0, "^O_Neil___J\303\266rg__,0,0,1", "cat $tree/g2/grades.csv"},
    {0, "right",
     "command -v python3 >/dev/null || { echo right; exit; }; python3 -c 'import glob, json, sys, xml.dom.minidom\n"
     "for d in sys.argv[1:]:\n"
     "    suites = xml.dom.minidom.parse(d + \"/junit.xml\").documentElement\n"
     "    assert all(c.getAttribute(\"classname\") and c.getAttribute(\"name\") for c in "
     "suites.getElementsByTagName(\"testcase\"))\n"
     "    for f in glob.glob(d + \"/students/*.json\"):\n"
     "        r = json.load(open(f, encoding=\"utf-8\"))\n"
     "        assert set(r) == {\"score\", \"tests\"} and r[\"score\"] == sum(t[\"score\"] for t in r[\"tests\"])\n"
     "        assert all(t[\"status\"] in (\"passed\", \"failed\") if \"status\" in t else "
     "t[\"output\"].startswith(\"not graded\") for t in r[\"tests\"])\n"
     "print(\"right\")' $tree/grades $tree/g2"},
    {0, "<failure message=\"failed\">", "cat $tree/grades/junit.xml"},
    {0, "\"score\": 1, \"max_score\": 1, \"status\": \"passed\"", "cat $tree/grades/students/honest.results.json"},
};

START_TEST(step)
{
    if (sandboxed)
        command_holds(&steps[_i]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("grading");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, attempt, 0, ATTEMPTS);
    tcase_add_test(t, a_link_is_no_file);
    tcase_add_loop_test(t, step, 0, sizeof steps / sizeof steps[0]);
    suite_add_tcase(s, t);
    return run_suite(s);
}
