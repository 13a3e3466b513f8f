/* listings.c: tools/course.sh listing without nvcc: what is printed of PTX and of machine code that stands here, and what
 * each instruction of the recorded listings is said to do. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tool is a program of its own; what is tested here needs these files of it. */
#include "../../tools/course/listing/listing_meaning.c"
#include "../../tools/course/listing/listing_print.c"
#include "../../tools/course/listing/listing_read.c"
#include "../../tools/course/process.c"
#include "../../tools/course/say.c"
#include "../../tools/course/support.c"
#include "suite.h"

static const char ptx[] = "\t.file\t1 \"/course/a.cu\"\n"
                          ".visible .entry _Z3addPf(\n"
                          "\t.param .u64 _Z3addPf_param_0\n"
                          ")\n"
                          "{\n"
                          "\t.loc\t1 3 0\n"
                          "\tmov.u32 \t%r1, %tid.x;\n"
                          "\t.loc\t2 9 0\n"
                          "$L__BB0_1:\n"
                          "\tld.global.v4.f32 \t{%f1, %f2, %f3, %f4}, [%rd1];\n"
                          "\t@%p1 bra \t$L__BB0_1;\n"
                          "\tret;\n"
                          "}\n"
                          ".visible .entry _Z5otherv()\n{\n\tret;\n}\n"
                          "\t.file\t2 \"/usr/include/b.h\"\n";

/* A loop of seven multiply-adds after a load of a parameter; padding after the end. */
static const char sass[] = "\t.section\t.text._Z3addPf,\"ax\",@progbits\n"
                           "\t//## File \"/course/a.cu\", line 3\n"
                           "        /*0000*/                   LDC R1, c[0x0][0x218] ;\n"
                           ".L_x_1:\n"
                           "\t//## File \"/usr/include/b.h\", line 7 inlined at \"/course/a.cu\", line 4\n"
                           "        /*0010*/                   FFMA R0, R1, R2, R0 ;\n"
                           "        /*0020*/                   FFMA R0, R1, R2, R0 ;\n"
                           "        /*0030*/                   FFMA R0, R1, R2, R0 ;\n"
                           "        /*0040*/                   FFMA R0, R1, R2, R0 ;\n"
                           "        /*0050*/                   FFMA R0, R1, R2, R0 ;\n"
                           "        /*0060*/                   FFMA R0, R1, R2, R0 ;\n"
                           "        /*0070*/                   FFMA R0, R1, R2, R3 ;\n"
                           "        /*0080*/              @!P0 BRA `(.L_x_1) ;\n"
                           "        /*0090*/                   EXIT ;\n"
                           ".L_x_2:\n"
                           "        /*00a0*/                   BRA `(.L_x_2) ;\n"
                           "        /*00b0*/                   NOP ;\n"
                           "\t.section\t.nv.info\n";
static const char said_of_it[] = "ptxas info    : Compiling entry function '_Z3addPf' for 'sm_90a'\n"
                                 "    0 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads\n"
                                 "ptxas info    : Used 40 registers, 1024 bytes smem\n"
                                 "ptxas info    : Compiling entry function '_Z5otherv' for 'sm_90a'\n"
                                 "ptxas info    : Used 12 registers\n";

static const struct {
    const char *language;
    ListingMode mode;
    const char *wanted, *loop;
    int fold, status;
    const char *printed;
} cases[] = {
    {"en", LISTING_PTX, "add", NULL, 0, 0,
     "add(float*)\n"
     "  |                                                                                  a.cu:3\n"
     "      mov.u32 %r1, %tid.x                                  ; threadIdx.x\n"
     "$L__BB0_1:\n"
     "      ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]        ; load 16 bytes of global memory\n"
     "      @%p1 bra $L__BB0_1                                   ; jump, if %p1 is true\n"
     "      ret                                                  ; the thread is done\n"},
    {"en", LISTING_PTX, "other", NULL, 0, 0,
     "other()\n      ret                                                  ; the thread is done\n"},
    {"en", LISTING_PTX, "another", NULL, 0, 1, ""},
    {"en", LISTING_SASS, "add", "FFMA", 1, 0,
     "add(float*): 40 registers, 8 bytes spilled, 1024 bytes smem\n"
     "  in the loop: 7 FFMA, 1 BRA\n"
     ".L_x_1:\n"
     "      FFMA R0, R1, R2, R0                                  ; a * b + c, fp32\n"
     "      FFMA R0, R1, R2, R0                                  ; a * b + c, fp32\n"
     "      ... 4 more of them\n"
     "      FFMA R0, R1, R2, R3                                  ; a * b + c, fp32\n"
     "      @!P0 BRA .L_x_1                                      ; jump, if P0 is false\n"},
    {"en", LISTING_SASS, "add", "HGMMA", 0, 1, ""},
    {"zh", LISTING_SASS, "add", "FFMA", 1, 0,
     "add(float*)：40 个寄存器，溢出 8 字节，1024 字节共享内存\n"
     "  循环里：7 FFMA, 1 BRA\n"
     ".L_x_1:\n"
     "      FFMA R0, R1, R2, R0                                  ; a * b + c，fp32\n"
     "      FFMA R0, R1, R2, R0                                  ; a * b + c，fp32\n"
     "      ……还有 4 条相同的指令\n"
     "      FFMA R0, R1, R2, R3                                  ; a * b + c，fp32\n"
     "      @!P0 BRA .L_x_1                                      ; 跳转，条件是 P0 不成立\n"},
};

/* What listing_print() prints goes to a file; the exit status is its own, or die()'s. */
START_TEST(printed)
{
    char path[] = "/tmp/listings.XXXXXX";
    int file = mkstemp(path), status;
    pid_t child = fork();
    if (child == 0) {
        setenv("COURSE_LANG", cases[_i].language, 1);
        Listing l = {.mode = cases[_i].mode, .arch = 90, .root = "/course", .loop = cases[_i].loop, .said = said_of_it};
        l.fold = cases[_i].fold;
        if (l.mode == LISTING_PTX)
            l.said = "";
        list_add(&l.wanted, cases[_i].wanted);
        int count;
        Kernel *kernels = listing_read(&l, l.mode == LISTING_PTX ? ptx : sass, &count);
        if (dup2(file, STDOUT_FILENO) < 0 || !freopen("/dev/null", "w", stderr))
            _exit(99);
        exit(listing_print(&l, kernels, count));
    }
    ck_assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), cases[_i].status);
    char *text = file_read(path, NULL);
    ck_assert_str_eq(text, cases[_i].printed);
    unlink(path);
    free(text);
}
END_TEST

/* Each line of the recorded listings that says what an instruction does. */
START_TEST(recorded)
{
    static const char *const files[] = {"add-ptx", "add-sass", "naive-loop", "tile-loop", "wgmma-loop"};
    char *path = text("results/nvcc/%s.txt", files[_i]), *all = file_read(path, NULL);
    Listing l = {.mode = _i == 0 ? LISTING_PTX : LISTING_SASS, .arch = 90};
    int compared = 0;
    ck_assert_ptr_nonnull(all);
    for (char *line = strtok(all, "\n"); line; line = strtok(NULL, "\n")) {
        char *says = strstr(line, " ; ");
        if (strncmp(line, "      ", 6) != 0 || !says || line[6] == '|')
            continue;
        *says = 0;
        for (char *end = says; end > line && end[-1] == ' '; end--)
            end[-1] = 0;
        char *meaning = listing_meaning(&l, line + 6);
        ck_assert_msg(meaning && strcmp(meaning, says + 3) == 0, "%s: %s, not %s", line + 6,
                      meaning ? meaning : "nothing", says + 3);
        compared++;
        free(meaning);
    }
    ck_assert_int_gt(compared, 5);
    free(path), free(all);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("listings");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, printed, 0, sizeof cases / sizeof cases[0]);
    tcase_add_loop_test(t, recorded, 0, 5);
    suite_add_tcase(s, t);
    return run_suite(s);
}
