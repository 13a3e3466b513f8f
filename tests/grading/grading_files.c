/* grading_files.c: an honest file counts, however an editor or a system saved it and packed it, and nothing that a
 * submission is called or says reaches a terminal, a table or a parser as it is. One class is graded; each row looks
 * at one student. This program is for the CPU device only. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../tools/course/support.c"
#include "../../tools/grading/clean.c"
#include "../../tools/grading/plain.c"
#include "command.h"
#include "suite.h"

#define SOLUTION "solutions/lecture03_cuda_basics/ex01_index.cu"
#define PLACE "lecture03_cuda_basics/exercises/ex01_index.cu"

static char tree[] = "/tmp/grading_filesXXXXXX";
static int sandboxed;

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* A text in which each `from` is `to`. */
static char *all_replaced(const char *s, const char *from, const char *to)
{
    char *out = copy("");
    for (const char *at; (at = strstr(s, from)); s = at + strlen(from)) {
        char *more = text("%s%.*s%s", out, (int)(at - s), s, to);
        free(out), out = more;
    }
    char *whole = text("%s%s", out, s);
    free(out);
    return whole;
}

/* The solution as a student hands it in. */
static char *honest(void)
{
    char *all = file_read(SOLUTION, NULL), *rest = all, *line, *out = copy("");
    ck_assert_ptr_nonnull(all);
    while ((line = strsep(&rest, "\n")))
        if (!strstr(line, "// >>> answer") && !strstr(line, "// <<< answer") && !strstr(line, "TODO(ex") &&
            !strstr(line, "// stub:")) {
            char *more = text("%s%s%s", out, line, rest ? "\n" : "");
            free(out), out = more;
        }
    free(all);
    return out;
}

typedef enum Saved { AS_IT_IS, WITH_MARK, UTF16_LE, UTF16_BE, UTF16_NO_MARK, ZERO_INSIDE, LARGE } Saved;

/* How a file is saved: `from` is `to` everywhere in it, and then the bytes. `file`: what it is called, NULL: by its place. */
static const struct {
    const char *name, *file, *from, *to;
    Saved saved;
    const char *outcome, *says;
} files[] = {
    {"as_it_is", NULL, "", "", AS_IT_IS, "passed", ""},
    {"crlf", NULL, "\n", "\r\n", AS_IT_IS, "passed", ""},
    {"crlf_in_half", NULL, ";\n", ";\r\n", AS_IT_IS, "passed", ""},
    {"lone_cr", NULL, "\n", "\r", AS_IT_IS, "passed", ""},
    {"cr_cr_lf", NULL, "\n", "\r\r\n", AS_IT_IS, "passed", ""},
    {"byte_order_mark", NULL, "", "", WITH_MARK, "passed", ""},
    {"mark_and_renamed", "my answer.cu", "", "", WITH_MARK, "passed", ""},
    {"mark_and_crlf_and_renamed", "x.cu", "\n", "\r\n", WITH_MARK, "passed", ""},
    {"utf16_of_windows", NULL, "\n", "\r\n", UTF16_LE, "passed", ""},
    {"utf16_other_order", "mine.cu", "", "", UTF16_BE, "passed", ""},
    {"utf16_without_mark", "mine.cu", "", "", UTF16_NO_MARK, "passed", ""},
    {"zero_byte", NULL, "", "", ZERO_INSIDE, "failed", "contains a zero byte"},
    {"large", NULL, "", "", LARGE, "failed", "more than 256 KB"},
    {"large_and_renamed", "mine.cu", "", "", LARGE, "failed", "more than 256 KB"},
    {"blank_behind_head", NULL, " */\n", " */ \t\n", AS_IT_IS, "passed", ""},
    {"blank_before_head", "mine.cu", "/* Exercise 3.1", "\n \n/* Exercise 3.1", AS_IT_IS, "passed", ""},
    {"tabs", NULL, "    ", "\t", AS_IT_IS, "passed", ""},
    {"latin_1", NULL, "threadIdx.x;", "threadIdx.x; // f\374r gro\337e n", AS_IT_IS, "passed", ""},
    {"utf_8", NULL, "threadIdx.x;", "threadIdx.x; // f\303\274r gro\303\237e n", AS_IT_IS, "passed", ""},
    {"form_feed", NULL, "static __global__", "\f\nstatic __global__", AS_IT_IS, "passed", ""},
    {"long_name", "a_very_long_name_of_a_file_that_is_the_answer_to_exercise_3_1_copy_(2)_final_really_final.cu", "",
     "", AS_IT_IS, "passed", ""},
    {"wrong_and_crlf", NULL, "threadIdx.x;\n", "blockDim.x;\r\n", AS_IT_IS, "failed", "wrong"},
    {"latin_1_in_an_error", NULL, "threadIdx.x;", "threadIdx.x + gr\366\337e;", AS_IT_IS, "failed",
     "names are made of letters"},
};
enum { FILES = sizeof files / sizeof files[0] };

static void write_bytes(FILE *f, const char *s, Saved saved)
{
    const int wide = saved == UTF16_LE || saved == UTF16_BE || saved == UTF16_NO_MARK;
    fputs(saved == WITH_MARK  ? "\357\273\277"
          : saved == UTF16_LE ? "\377\376"
          : saved == UTF16_BE ? "\376\377"
                              : "",
          f);
    for (; *s; s++) {
        if (saved == UTF16_BE)
            fputc(0, f);
        fputc(*s, f);
        if (wide && saved != UTF16_BE)
            fputc(0, f);
    }
    if (saved == ZERO_INSIDE)
        fputc(0, f), fputs("int x;\n", f);
    for (int i = 0; saved == LARGE && i < 300000; i++)
        fputc(i % 100 ? ' ' : '\n', f);
}

static void save(const char *folder, const char *file, const char *s, Saved saved)
{
    char *path = text("%s/class/%s/%s", tree, folder, file ? file : PLACE);
    char *above = text("%.*s", (int)(base_name(path) - path - 1), path);
    ck_assert_int_eq(make_folders(above), 0);
    FILE *f = fopen(path, "wb");
    ck_assert_msg(f != NULL, "%s", path);
    write_bytes(f, s, saved);
    ck_assert_int_eq(fclose(f), 0);
    free(path), free(above);
}

/* ---- archives --------------------------------------------------------------------------------------------------- */

/* Each is made by a command in $tree/class/packed, which has the file at its place; the archive goes to $tree/class. */
#define PYTHON_ZIP(names)                                                                                              \
    "python3 -c 'import zipfile\n"                                                                                     \
    "z = zipfile.ZipFile(\"../class/NAME.zip\", \"w\")\n"                                                              \
    "data = open(\"" PLACE "\").read()\n"                                                                              \
    "for n in " names ":\n"                                                                                            \
    "    z.writestr(n, data)\n"                                                                                        \
    "z.close()'"
static const struct {
    const char *name, *command; /* NAME in it is the name */
} archives[] = {
    {"powershell", PYTHON_ZIP("[\"lecture03_cuda_basics\\\\exercises\\\\ex01_index.cu\"]")},
    {"macos",
     PYTHON_ZIP("[\"my work/" PLACE "\", \"__MACOSX/my work/lecture03_cuda_basics/exercises/._ex01_index.cu\"]")},
    {"zip_absolute", PYTHON_ZIP("[\"/" PLACE "\"]")},
    {"zip_leads_out", PYTHON_ZIP("[\"../../../../" PLACE "\"]")},
    {"odd_name_beside", PYTHON_ZIP("[\"" PLACE "\", \"a\\nb.cu\", \"-rf.cu\", \"c\\x1b[31m.cu\"]")},
    {"name_too_long", PYTHON_ZIP("[\"" PLACE "\", \"n\" * 300 + \".cu\"]")},
    {"read_only", "chmod -R a-w . && tar -cf ../class/NAME.tar .; chmod -R u+w ."},
    {"tar_absolute", "tar -cPf ../class/NAME.tar --transform s,^,/, " PLACE},
    {"tar_odd", "cp " PLACE " 'a\nb.cu' && cp " PLACE " ' .cu' && tar -cf ../class/NAME.tar . && rm *.cu"},
    {"tar_xz_deep", "mkdir -p a/b/c && cp -r lecture03_cuda_basics a/b/c && tar -cf ../class/NAME.tar a && rm -r a"},
};
enum { ARCHIVES = sizeof archives / sizeof archives[0] };

/* ---- names ------------------------------------------------------------------------------------------------------ */

#define LONGEST                                                                                                        \
    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" \
    "nnnn"                                                                                                             \
    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" \
    "n"                                                                                                                \
    "nnnnnnnnnnnnnnnnnnnnnnnnnn"

/* What a folder is called and the row of the table that it must be; NULL: only that the class is graded. */
static const struct {
    const char *name, *student;
} names[] = {
    {"Ann Lee", "Ann_Lee_[0-9a-f]{8}"},
    {"Ann_Lee", "Ann_Lee"},
    {"Ann  Lee", "Ann__Lee"},
    {"O'Neil", "O_Neil"},
    {"=1+2", "_1[+]2"},
    {"=cmd|' C calc'!A0", "_cmd___C_calc__A0"},
    {"+49 170", "_49_170"},
    {"-e", "_e"},
    {"@SUM(A1)", "_SUM_A1_"},
    {"a,b;c\"d", "a_b_c_d"},
    {"<b>&amp;", "_b__amp_"},
    {"\033[2J\033]0;passed\007", "__2J__0_passed_"},
    {"two\nlines", "two_lines"},
    {"tab\there", "tab_here"},
    {"\302\233red", "__red"},
    {"right\342\200\256left", "right___left"},
    {"zero\342\200\213width", "zero___width"},
    {"\377\376", "___[0-9a-f]{8}"},
    {"\355\240\200", "___"},
    {"\360\237\230\200", "\360\237\230\200"},
    {"J\303\266rg", "J\303\266rg"},
    {"$(touch x)`touch x`", "__touch_x__touch_x_"},
    {"%s%n", "_s_n"},
    {"back\\slash", "back_slash"},
    {LONGEST, "n{100}_[0-9a-f]{8}"},
    {"...", "_.."},
    {"--help", "_-help"},
    {"*?", "___[0-9a-f]{8}"},
};
enum { NAMES = sizeof names / sizeof names[0] };

/* ---- the class -------------------------------------------------------------------------------------------------- */

static void pack(int i)
{
    char *command = all_replaced(archives[i].command, "NAME", archives[i].name);
    char *whole = text("cd \"$tree/packed\" && %s", command);
    ck_assert_msg(system(whole) == 0, "%s", whole);
    free(command), free(whole);
}

static void set_up(void)
{
    ck_assert_ptr_nonnull(mkdtemp(tree));
    setenv("tree", tree, 1);
    unsetenv("MAKEFLAGS"), unsetenv("MAKELEVEL"), unsetenv("GRADE_FROM");
    if (system("tools/setup/need.sh bubblewrap && bwrap --unshare-all --ro-bind / / true && command -v python3") != 0)
        return;
    sandboxed = 1;
    char *right = honest();
    save("../packed", NULL, right, AS_IT_IS);
    for (int i = 0; i < FILES; i++) {
        char *s = *files[i].from ? all_replaced(right, files[i].from, files[i].to) : copy(right);
        save(files[i].name, files[i].file, s, files[i].saved);
        free(s);
    }
    for (int i = 0; i < ARCHIVES; i++)
        pack(i);
    for (int i = 0; i < NAMES; i++)
        save(names[i].name, "nothing.cu", "/* Exercise 3.1 TODO(ex01) */", AS_IT_IS);
    free(right);
    ck_assert_int_eq(
        system("tools/grade -o \"$tree/it's all\" -e 3.1 \"$tree\"/class/* \"$tree/class/...\" >$tree/said 2>&1"), 0);
}

static void tear_down(void) { remove_tree(tree); }

static char *graded(const char *file)
{
    char *path = text("%s/it's all/%s", tree, file), *s = file_read(path, NULL);
    ck_assert_msg(s != NULL, "there is no %s", path);
    free(path);
    return s;
}

static void is_graded(const char *name, const char *outcome, const char *says)
{
    char *file = text("students/%s.txt", name), *report = graded(file), *line = text("^3.1 .*: %s$", outcome);
    ck_assert_msg(command_matches(report, line) && command_matches(report, says), "%s", report);
    ck_assert_msg(!strstr(report, tree), "the grader's path is in\n%s", report);
    free(file), free(report), free(line);
}

START_TEST(a_file)
{
    if (sandboxed)
        is_graded(files[_i].name, files[_i].outcome, files[_i].says);
    else
        test_skip("no bubblewrap or python3");
}
END_TEST

START_TEST(an_archive)
{
    if (sandboxed)
        is_graded(archives[_i].name, "passed", "");
}
END_TEST

START_TEST(a_name)
{
    if (!sandboxed)
        return;
    char *table = graded("grades.csv"), *row = text("^%s,0,0,1,,$", names[_i].student);
    ck_assert_msg(command_matches(table, row), "%s is not in\n%s", row, table);
    free(table), free(row);
}
END_TEST

/* What is written is what parsers and terminals take. */
static const CommandCase outputs[] = {
    {1, "",
     "grep -rlP '[\\x00-\\x08\\x0b-\\x1f\\x7f]' \"$tree/it's all\"/students \"$tree/it's all\"/*.csv \"$tree/it's "
     "all\"/*.xml $tree/said"},
    {0, "^61 61 61$",
     "python3 -c 'import csv, glob, json, os, sys, xml.etree.ElementTree as E\n"
     "d = os.environ[\"tree\"] + \"/it\\x27s all\"\n"
     "rows = list(csv.reader(open(d + \"/grades.csv\", encoding=\"utf-8\", newline=\"\")))\n"
     "assert all(len(r) == 6 and r[0][0] not in \"=+-@\\t\\r\" for r in rows)\n"
     "suites = E.parse(d + \"/junit.xml\").getroot().findall(\"testsuite\")\n"
     "assert [s.get(\"name\") for s in suites] == [r[0] for r in rows[1:]]\n"
     "results = [json.load(open(f, encoding=\"utf-8\")) for f in glob.glob(d + \"/students/*.json\")]\n"
     "print(len(rows) - 1, len(suites), len(results))'"},
    {1, "", "find . \"$tree/class\" -maxdepth 1 -name x | grep ."},
    {0, "^61 submissions, .*: 28 passed, 5 failed, 28 to do, 0 missing, 0 not graded", "cat $tree/said"},
};

START_TEST(an_output)
{
    if (sandboxed)
        command_holds(&outputs[_i]);
}
END_TEST

/* ---- the functions ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *from, *to;
} cleaned[] = {
    {"plain \303\274\342\202\254\360\237\230\200", "plain \303\274\342\202\254\360\237\230\200"},
    {"a\tb\rc\033d\177e", "a?b?c?d?e"},
    {"\302\205", "??"},
    {"\342\200\256", "???"},
    {"\357\273\277x", "???x"},
    {"\357\277\277", "???"},
    {"\300\200\360\202\202\254", "??????"},
    {"\364\220\200\200", "????"},
    {"cut \342\202", "cut ??"},
    {"two\nlines", "two?lines"},
};

START_TEST(a_text_is_cleaned)
{
    char *s = copy(cleaned[_i].from);
    clean_line(s);
    ck_assert_str_eq(s, cleaned[_i].to);
    free(s);
}
END_TEST

#define BYTES(s) s, sizeof s - 1
static const struct {
    const char *bytes;
    size_t size;
    const char *is; /* NULL: it is no text */
} plain[] = {
    {BYTES(""), ""},
    {BYTES("a\r\n\rb\n\r"), "a\n\nb\n\n"},
    {BYTES("\357\273\277a"), "a"},
    {BYTES("\377\376=\330\000\336a\000"), "\360\237\230\200a"},
    {BYTES("\377\376=\330a\000"), "\357\277\275a"},
    {BYTES("\376\377\000a\040\254"), "a\342\202\254"},
    {BYTES("a\000\r\000\n\000"), "a\n"},
    {BYTES("a\000b"), "a"},
    {BYTES("\374b"), "\303\274b"},
    {BYTES("\303\274\374"), "\303\203\302\274\303\274"},
    {BYTES("ab\000c"), NULL},
    {BYTES("\000\000"), NULL},
    {BYTES("\377\376\000\000"), NULL},
};

START_TEST(bytes_are_a_text)
{
    const char *why = NULL;
    char *s = plain_text(plain[_i].bytes, plain[_i].size, &why);
    if (plain[_i].is)
        ck_assert_str_eq(s, plain[_i].is);
    else
        ck_assert_msg(s == NULL && why != NULL, "'%s'", s);
    free(s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("grading_files");
    TCase *functions = tcase_create("functions"), *t = tcase_create("class");
    tcase_add_loop_test(functions, a_text_is_cleaned, 0, sizeof cleaned / sizeof cleaned[0]);
    tcase_add_loop_test(functions, bytes_are_a_text, 0, sizeof plain / sizeof plain[0]);
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, a_file, 0, FILES);
    tcase_add_loop_test(t, an_archive, 0, ARCHIVES);
    tcase_add_loop_test(t, a_name, 0, NAMES);
    tcase_add_loop_test(t, an_output, 0, sizeof outputs / sizeof outputs[0]);
    suite_add_tcase(s, functions), suite_add_tcase(s, t);
    return run_suite(s);
}
