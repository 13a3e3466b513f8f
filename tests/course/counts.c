/* counts.c: what a lab's recorded counts are said to be of (tools/course/counts.c): a change of any file that its kernels
 * come from makes them old, a change of the harness does not. A lab of two files, one of which includes a third, is
 * laid out in a folder of its own; the compiler says what it reads, as it does for the course's labs. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* The tool is a program of its own; what is tested here needs these files of it. */
#include "../../tools/course/code.c"
#include "../../tools/course/counts.c"
#include "../../tools/course/course.c"
#include "../../tools/course/labs.c"
#include "../../tools/course/limits.c"
#include "../../tools/course/stages.c"
#include "../../tools/course/process.c"
#include "../../tools/course/support.c"
#include "suite.h"

static const struct {
    const char *path, *content;
    int counts; /* is what a rung asks of the memory made from it? */
} files[] = {
    {"lecture09_sums/sum.cu",
     "#include \"sum/kernel.cuh\"\n#include \"lab.h\"\nint main() { return tile() + lab(); }\n", 1},
    {"lecture09_sums/sum/kernel.cuh", "#include \"copy.cuh\"\n#include \"../../lecture08_tiles/tile.cuh\"\n", 1},
    {"lecture08_tiles/tile.cuh", "static int tile(void) { return COPY; }\n",
     1}, /* of another lecture, by way of the second */
    {"common/copy.cuh", "enum { COPY = 1 };\n", 1},
    {"common/lab.h", "static int lab(void) { return 0; }\n", 0},
    {"lecture09_sums/other.cuh", "", 0}, /* nobody includes it */
};
enum { FILES = sizeof files / sizeof files[0] };

static void lay_out(void)
{
    char *folder = strdup("/tmp/counts.XXXXXX");
    ck_assert(mkdtemp(folder) && chdir(folder) == 0);
    free(folder);
    make_folders("build/cpu/lecture09_sums");
    for (int i = 0; i < FILES; i++) {
        char *in = text("%.*s", (int)(base_name(files[i].path) - files[i].path), files[i].path);
        make_folders(in);
        ck_assert_int_eq(file_write(files[i].path, files[i].content, strlen(files[i].content)), 0);
        free(in);
    }
}

static uint64_t compiled_hash(void)
{
    ck_assert_int_eq(
        system("${CUCC_CC:-gcc} -x c++ -Icommon -MD -MP -MF build/cpu/lecture09_sums/sum.d -E -o build/preprocessed "
               "lecture09_sums/sum.cu"),
        0);
    return source_hash("build/cpu", "lecture09_sums", "sum");
}

START_TEST(what_makes_the_input_is_not_counted)
{
    char launches[] = "launch,kernel,grid,block,metric,value\n"
                      "0,\"setup_fill(float *)\",1x1x1,32x1x1,smsp__inst_executed_op_barrier.sum,7\n"
                      "1,\"sum(const float *, float *)\",1x1x1,32x1x1,smsp__inst_executed_op_barrier.sum,2\n"
                      "2,\"void setup_fill(T *) [with T = float]\",1x1x1,32x1x1,smsp__inst_executed_op_barrier.sum,7\n"
                      "3,\"no_setup_(float *)\",1x1x1,32x1x1,smsp__inst_executed_op_barrier.sum,3";
    drop_setup(launches);
    ck_assert_int_eq((int)barriers_of(launches), 2 + 3);
    ck_assert(ran(launches));
    char only[] = "launch,kernel,grid,block,metric,value\n0,\"setup_fill(float *)\",1x1x1,32x1x1,a,7\n";
    drop_setup(only);
    ck_assert(!ran(only));
}
END_TEST

START_TEST(a_change_is_seen_where_it_counts)
{
    lay_out();
    uint64_t before = compiled_hash();
    ck_assert(before == compiled_hash());
    char *changed = text("enum { CHANGED };\n%s", files[_i].content);
    ck_assert_int_eq(file_write(files[_i].path, changed, strlen(changed)), 0);
    free(changed);
    int seen = compiled_hash() != before;
    ck_assert_int_eq(system("rm -r \"$PWD\""), 0);
    ck_assert_msg(seen == files[_i].counts, "a change of %s is %s", files[_i].path, seen ? "seen" : "not seen");
}
END_TEST

static int changed_by(const char *content)
{
    uint64_t before = hash_code(HASH_START, "code", 0);
    ck_assert_int_eq(file_write("code", content, strlen(content)), 0);
    return hash_code(HASH_START, "code", 0) != before;
}

START_TEST(a_comment_counts_for_nothing)
{
    lay_out();
    changed_by("int a = 1; // one\nconst char *s = \"a // b\";");
    ck_assert(!changed_by("/* The sum. */\nint a = 1;\n\n  const char *s = \"a // b\"; // which\n/* end"));
    ck_assert(!changed_by("int a = /* once */ 1; /* \" */ const char *s = \"a // b\";"));
    ck_assert(changed_by("int a = 1; const char *s = \"a // c\";"));
    ck_assert(changed_by("int a = 1; const char *s = \"a  // c\";"));
    ck_assert(changed_by("int a = 1; const char *s = \"\\\"// c\";"));
    ck_assert(changed_by("int a = 1; const char *s = \"\\\"// d\";"));
    ck_assert(changed_by("inta = 1; const char *s = \"\\\"// d\";"));
    ck_assert_int_eq(system("rm -r \"$PWD\""), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("counts");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_test(t, what_makes_the_input_is_not_counted);
    tcase_add_test(t, a_comment_counts_for_nothing);
    tcase_add_loop_test(t, a_change_is_seen_where_it_counts, 0, FILES);
    suite_add_tcase(s, t);
    return run_suite(s);
}
