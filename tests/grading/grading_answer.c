/* grading_answer.c: what tools/grade takes of a file that was handed in. An edit that an honest student may make round
 * given lines is taken as it stands; what would reach beyond the answer is not.
 * This program is for the CPU device only. */
#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/course/support.c"
#include "../../tools/grading/align.c"
#include "../../tools/grading/answer.c"
#include "../../tools/grading/copying.c"
#include "../../tools/grading/names.c"
#include "suite.h"

static List solutions;

static char *read_whole(const char *path)
{
    char *s = file_read(path, NULL);
    ck_assert_msg(s != NULL, "there is no %s", path);
    return s;
}

/* The solution without its markers and what they say. */
static char *unmarked(const char *solution)
{
    char *all = copy(solution), *rest = all, *line, *out = copy("");
    while ((line = strsep(&rest, "\n")))
        if (!strstr(line, "// >>> answer") && !strstr(line, "// <<< answer") && !strstr(line, "// stub:") &&
            !strstr(line, "TODO(ex"))
            append(&out, line, (int)strlen(line));
    free(all);
    return out;
}

/* A text without blanks, comments and #line. */
static char *bare(const char *s)
{
    Lines l = lines_of(s);
    Words w = words_of_lines(&l);
    char *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    for (int i = 0; i < w.count; i++)
        if (strncmp(w.at[i].at, "#line", 5) != 0)
            for (int k = 0; k < w.at[i].length; k++)
                if (!isspace((unsigned char)w.at[i].at[k]))
                    fputc(w.at[i].at[k], f);
    fclose(f);
    free(l.at), free(w.at);
    return out;
}

/* It is taken whole: nothing is renamed, left out or put back. */
static void is_taken(const char *path, const char *solution, const char *file)
{
    Answer a = answer_take(solution, file, "it.cu");
    ck_assert_msg(a.why == NULL, "%s: %s", path, a.why);
    ck_assert_msg(a.note == NULL, "%s: %s", path, a.note);
    ck_assert_msg(!strstr(a.program, "\\\n#line"), "%s: a #line splits a directive", path);
    static const char mine[] = "#define yours_printf(...) 0\n";
    ck_assert_int_eq(strncmp(a.program, mine, strlen(mine)), 0);
    char *program = bare(a.program + strlen(mine)), *same = bare(file);
    ck_assert_msg(strcmp(program, same) == 0, "%s: what was taken differs", path);
    free(program), free(same);
    answer_free(&a);
}

START_TEST(a_solution_is_taken_whole)
{
    char *s = read_whole(solutions.item[_i]), *file = unmarked(s);
    is_taken(solutions.item[_i], s, file);
    free(s), free(file);
}
END_TEST

/* Each blank of the code is a new line, each bracket has blanks round it, and a comment stands behind each semicolon. */
START_TEST(lines_may_be_broken_anywhere)
{
    char *s = read_whole(solutions.item[_i]), *file = unmarked(s), *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    Lines l = lines_of(file);
    Words w = words_of_lines(&l);
    for (int i = 0; i < w.count; i++) {
        const Word *word = &w.at[i];
        const char *behind = word->at + word->length;
        int directive = *word->at == '#';
        fprintf(f, "%s%.*s%s", directive ? "\n" : "", word->length, word->at,
                directive                         ? "\n"
                : *word->at == ';'                ? " // then\n"
                : strchr("{}()", *word->at)       ? " /* a\n bracket } */ "
                : isspace((unsigned char)*behind) ? "\n\n"
                                                  : "");
    }
    fclose(f);
    is_taken(solutions.item[_i], s, out);
    free(s), free(file), free(out), free(l.at), free(w.at);
}
END_TEST

#define GUARD "solutions/lecture01_profiling/ex02_guard.cu"
#define TWO_D "solutions/lecture03_cuda_basics/ex04_two_d.cu"
#define COPY "solutions/lecture01_profiling/ex03_copy_back.cu"
#define CLUSTER "solutions/lecture14_tiling/ex19_broken_cluster.cu"
#define ROWS "solutions/lecture05_shared_memory/ex14_broken_row_sums.cu"
#define FUSE "solutions/lecture01_profiling/ex06_fuse.cu"

/* The first `from` of the unmarked solution is replaced. `why` and `note`: what must be said, NULL: nothing. */
static const struct {
    const char *name, *solution, *from, *to, *why, *note;
} edits[] = {
    {"braces", GUARD, "    if (i < n)\n        x[i] += 1;\n", "    if (i < n) {\n        x[i] += 1;\n    }\n", NULL,
     NULL},
    {"braces_on_one_line", GUARD, "    if (i < n)\n        x[i] += 1;\n", "    if (i < n) { x[i] += 1; }\n", NULL,
     NULL},
    {"one_line", GUARD, "    if (i < n)\n        x[i] += 1;\n", "    if (i < n) x[i] += 1; // mine\n", NULL, NULL},
    {"two_blocks", GUARD, "    if (i < n)\n        x[i] += 1;\n",
     "    if (n > 0) {\n  if (i < n)\n {\n x[i]\n+= 1; }\n\n    }\n", NULL, NULL},
    {"early_return", GUARD, "    if (i < n)\n", "    if (i >= n) { return; }\n", NULL, NULL},
    {"not_closed", GUARD, "    if (i < n)\n", "    if (i < n) {\n",
     "line [0-9]+: the '[{]' that is opened here in the answer is not closed", NULL},
    {"closed_too_often", GUARD, "    if (i < n)\n", "    if (i < n) } {\n", "closes a bracket", NULL},
    {"closes_behind", GUARD, "        x[i] += 1;\n}", "        x[i] += 1;\n}\n}", NULL, "is outside the answer"},
    {"another_given_line", GUARD, "x[i] += 1;", "x[i] += 2;", NULL,
     "given line was changed, and was put back: x.i. .= 1;"},
    {"a_line_outside", GUARD, "static int show", "static int mine;\nstatic int show", NULL, "line [0-9]+ is outside"},
    {"parenthesis_round_given", GUARD, "    if (i < n)\n        x[i] += 1;\n", "    (\n        x[i] += 1;\n )\n",
     "that is opened here in the answer is not closed", NULL},
    {"block_round_given_host_lines", COPY, "    CUDA_CHECK(cudaMemcpy(d_x, h_x",
     "    {\n    CUDA_CHECK(cudaMemcpy(d_x, h_x", "that is opened here in the answer is not closed", NULL},
    {"block_over_two_gaps", COPY,
     "    negate_kernel<<<(n + 255) / 256, 256>>>(d_x, n);\n    CUDA_CHECK(cudaGetLastError());\n",
     "    {\n    negate_kernel<<<(n + 255) / 256, 256>>>(d_x, n);\n    CUDA_CHECK(cudaGetLastError());\n    }\n", NULL,
     NULL},
    /* brackets, linkage and jumps in other spellings */
    {"digraph_closes", GUARD, "    if (i < n)\n", "    if (i < n) %>\n", "character that is not allowed", NULL},
    {"digraph_opens", GUARD, "    if (i < n)\n", "    if (i < n) <%\n", "character that is not allowed", NULL},
    {"digraph_round_an_index", GUARD, "    if (i < n)\n", "    if (x<:0:> < n)\n", "character that is not allowed",
     NULL},
    {"digraph_ends_an_index", GUARD, "    if (i < n)\n", "    if (x[0:> < n)\n", "character that is not allowed", NULL},
    {"digraph_of_a_directive", GUARD, "    if (i < n)\n", "%:define n 0\n    if (i < n)\n",
     "character that is not allowed", NULL},
    {"trigraph", GUARD, "    if (i < n)\n", "    if (i < n) \?\?>\n", "character that is not allowed", NULL},
    {"operators_like_digraphs", GUARD, "    if (i < n)\n", "    if (i % 5 > 9 ? i < ~n : i < n)\n", NULL, NULL},
    {"form_feed_is_a_blank", GUARD, "    if (i < n)\n", "    if (i\f<\vn)\n", NULL, NULL},
    {"cr_is_no_blank", GUARD, "    if (i < n)\n", "    if (i <\rn)\n", "character that is not allowed", NULL},
    {"cr_in_a_comment_ends_nothing", GUARD, "    if (i < n)\n", "    if (i < n) // \r} {\n", NULL, NULL},
    {"linkage", FUSE, "__global__ void fused_kernel", "extern \"C\" __global__ void fused_kernel",
     "a linkage specification is not allowed", NULL},
    {"linkage_behind_comments", FUSE, "__global__ void fused_kernel",
     "extern /* \" */ // C\n\"C\" __global__ void fused_kernel", "a linkage specification is not allowed", NULL},
    {"a_declaration_is_no_linkage", FUSE, "__global__ void fused_kernel", "extern int x;\n__global__ void fused_kernel",
     NULL, NULL},
    {"computed_goto", GUARD, "    if (i < n)\n", "    here: goto *(void *)16;\n    if (i < n)\n", "goto needs a label",
     NULL},
    {"computed_goto_behind_comments", GUARD, "    if (i < n)\n",
     "    goto /* */ // \n * &&there;\n    there: if (i < n)\n", "goto needs a label", NULL},
    {"goto_a_label", GUARD, "    if (i < n)\n", "    if (i >= n) goto x; x: if (i < n)\n", NULL, NULL},
    {"goto_leads_back", GUARD, "    if (i < n)\n", "    x /* */ : if (i >= n) goto x;\n    if (i < n)\n",
     "goto may not jump back", NULL},
    {"goto_leads_back_over_given_lines", COPY,
     "    negate_kernel<<<(n + 255) / 256, 256>>>(d_x, n);\n    CUDA_CHECK(cudaGetLastError());\n",
     "    x:\n    negate_kernel<<<(n + 255) / 256, 256>>>(d_x, n);\n    CUDA_CHECK(cudaGetLastError());\n    goto x;\n",
     "goto may not jump back", NULL},
    {"goto_into_a_loop", GUARD, "    if (i < n)\n", "    if (i) goto x; for (;;) { x: break; }\n    if (i < n)\n",
     "goto may not jump into a block", NULL},
    {"goto_into_a_statement", GUARD, "    if (i < n)\n", "    if (i) goto x; for (;;) x: break;\n    if (i < n)\n",
     "goto may not jump into a block", NULL},
    {"goto_into_a_loop_behind_a_literal", GUARD, "    if (i < n)\n",
     "    if (i) goto x; for (;;) { (void)'}'; x: break; }\n    if (i < n)\n", "goto may not jump into a block", NULL},
    {"goto_out_of_a_loop", GUARD, "    if (i < n)\n",
     "    for (;;) { if (i) goto x; else { break; } } x: (void)\"}\";\n    if (i < n)\n", NULL, NULL},
    {"goto_past_a_name_of_a_scope", GUARD, "    if (i < n)\n",
     "    struct x { enum { y }; }; if (i < x::y) goto x; x: if (i < n)\n", NULL, NULL},
    {"operator_of_its_own", GUARD, "    if (i < n)\n",
     "    struct x { explicit x(int y); friend struct y; x operator+(x z) const; };\n    if (const_cast<int &>(i) < "
     "n)\n",
     NULL, NULL},
    /* another name of the solution's family, where the solution uses one of it */
    {"cluster_in_two_calls", CLUSTER, "    cluster.sync();\n", "    cluster_arrive();\n    cluster_wait();\n", NULL,
     NULL},
    {"cluster_by_a_token", CLUSTER, "    cluster.sync();\n", "    cluster.barrier_wait(cluster.barrier_arrive());\n",
     NULL, NULL},
    {"mathematics_of_std", GUARD, "    if (i < n)\n", "    if (i < std::min<int>(n, std::abs(n)))\n", NULL, NULL},
    /* what a broken kernel's hint recommends is in an answer's place */
    {"turned_by_the_lane", ROWS, "tile[lane][k]", "tile[lane][(k + lane) % 32]", NULL, NULL},
    {"block_left_open_in_the_file", FUSE, "static void launched(void)", "struct yours {\nstatic void launched(void)",
     NULL, "is outside"},
};

static int says(const char *said, const char *pattern)
{
    regex_t r;
    ck_assert_int_eq(regcomp(&r, pattern, REG_EXTENDED | REG_NOSUB), 0);
    int match = said && regexec(&r, said, 0, NULL, 0) == 0;
    regfree(&r);
    return match;
}

START_TEST(edit)
{
    char *s = read_whole(edits[_i].solution), *whole = unmarked(s), *at = strstr(whole, edits[_i].from);
    ck_assert_msg(at != NULL, "%s: there is no '%s' in\n%s", edits[_i].name, edits[_i].from, whole);
    char *file = text("%.*s%s%s", (int)(at - whole), whole, edits[_i].to, at + strlen(edits[_i].from));
    if (!edits[_i].why && !edits[_i].note) {
        is_taken(edits[_i].name, s, file);
    } else {
        Answer a = answer_take(s, file, "it.cu");
        ck_assert_msg(edits[_i].why ? says(a.why, edits[_i].why) : a.why == NULL, "%s: refused: %s", edits[_i].name,
                      a.why);
        ck_assert_msg(!edits[_i].note || says(a.note, edits[_i].note), "%s: noted: %s", edits[_i].name, a.note);
        answer_free(&a);
    }
    free(s), free(whole), free(file);
}
END_TEST

/* Such a name means nothing where the solution uses none of its family. */
START_TEST(names_of_another_family)
{
    char *s = read_whole(GUARD), *whole = unmarked(s), *at = strstr(whole, "    if (i < n)\n");
    ck_assert_ptr_nonnull(at);
    char *file = text("%.*s    cluster_arrive(), mbarrier_wait(i, 0), cudaMalloc(x, n), std::exit(0);\n%s",
                      (int)(at - whole), whole, at);
    Answer a = answer_take(s, file, "it.cu");
    ck_assert_ptr_nonnull(a.program);
    ck_assert_ptr_nonnull(strstr(
        a.program, "yours_cluster_arrive(), yours_mbarrier_wait(i, 0), yours_cudaMalloc(x, n), std::yours_exit(0)"));
    answer_free(&a);
    free(s), free(whole), free(file);
}
END_TEST

/* A word of a comment is no name that an answer may use. */
START_TEST(names_in_comments)
{
    char *plain = read_whole(GUARD), *kernel = strstr(plain, "__global__");
    ck_assert_ptr_nonnull(kernel);
    char *s = text("%.*s__global__ /* it is for each\n   thread */%s", (int)(kernel - plain), plain,
                   kernel + strlen("__global__"));
    char *whole = unmarked(s), *at = strstr(whole, "    if (i < n)\n");
    ck_assert_ptr_nonnull(at);
    char *file = text("%.*s    std::thread(each);\n%s", (int)(at - whole), whole, at);
    Answer a = answer_take(s, file, "it.cu");
    ck_assert_ptr_nonnull(a.program);
    ck_assert_ptr_nonnull(strstr(a.program, "std::yours_thread(yours_each)"));
    answer_free(&a);
    free(plain), free(s), free(whole), free(file);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("grading_answer");
    TCase *t = tcase_create("all");
    list_glob(&solutions, "solutions/*/ex*.cu");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, a_solution_is_taken_whole, 0, solutions.count);
    tcase_add_loop_test(t, lines_may_be_broken_anywhere, 0, solutions.count);
    tcase_add_test(t, names_in_comments);
    tcase_add_loop_test(t, edit, 0, sizeof edits / sizeof edits[0]);
    tcase_add_test(t, names_of_another_family);
    suite_add_tcase(s, t);
    return run_suite(s);
}
