/* compiler_test.c: the compiler's passes, for the CPU device only. cpudevice/tests/compiler/forms/THEME/FORM.cu is one form; its first
 * line names the pass after which the unit is dumped, and FORM.golden is that dump. A test build, in which each rule of the
 * whitelist can be switched off, shows that no rule is there in vain: without it some dump is another. The same build
 * can damage what a pass has made (compiler/verify/damage.c): the verifier notices each damage, and never anything else.
 *
 * After a change that is meant: build/cpu/cpudevice/tests/compiler/compiler_test with CUCC_GOLDEN=write writes the dumps anew; read the
 * diff. */
#include <glob.h>
#include <stdbool.h>
#include <string.h>

#include "suite.h"

#define FORMS "cpudevice/tests/compiler/forms/*/*.cu"
#define TOP "../../../../../" /* from a form's folder */
#define COMPILER "build/cpu/cucc-compile"
#define BROKEN "build/cpu/tests/cucc-compile-broken"

enum { MOST = 1 << 20, RULES = 32, DAMAGES = 64 };
static glob_t forms, rejects;
static char rules[RULES][64];
static int rule_count;
static struct {
    char name[64], pass[32];
} damages[DAMAGES];
static int damage_count;

/* What the command prints; empty if it fails. */
static char *output_of(const char *command)
{
    FILE *f = popen(command, "r");
    ck_assert_ptr_nonnull(f);
    char *text = malloc(MOST);
    ck_assert_ptr_nonnull(text);
    text[fread(text, 1, MOST - 1, f)] = 0;
    ck_assert_msg(pclose(f) == 0, "%s fails", command);
    return text;
}

static char preprocessed[] = "/tmp/compiler_testXXXXXX"; /* the folder of preprocessed forms */

/* What a compiler says of a form without the first markers of lines, in which versions of gcc differ. The form is preprocessed
 * when it is first asked for: each rule and each damage is tried on many. */
static char *output_on(size_t form, const char *compiler)
{
    char command[1024];
    const char *path = forms.gl_pathv[form], *name = strrchr(path, '/') + 1;
    const int folder = (int)(name - path);
    snprintf(command, sizeof command,
             "cd %.*s && f=%s/%zu && { [ -e $f ] || gcc -E -x c++ -nostdinc %s | sed '1,/<command-line>/d' >$f; } && "
             "%s",
             folder, path, preprocessed, form, name, compiler);
    return output_of(command);
}

static char *dump_of(const char *compiler, size_t number, const char *options)
{
    char line[128] = "", pass[32] = "", command[256];
    const char *form = forms.gl_pathv[number];
    FILE *f = fopen(form, "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
    fclose(f);
    ck_assert_msg(sscanf(line, "// dump %31s", pass) == 1, "%s does not say which pass", form);
    snprintf(command, sizeof command, TOP "%s %s --dump=%s <$f", compiler, options, pass);
    return output_on(number, command);
}

static char *golden_of(const char *form)
{
    char path[512], *text = malloc(MOST);
    snprintf(path, sizeof path, "%.*s.golden", (int)strlen(form) - 3, form);
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL && text != NULL, "no %s", path);
    text[fread(text, 1, MOST - 1, f)] = 0;
    fclose(f);
    return text;
}

START_TEST(test_form)
{
    const char *form = forms.gl_pathv[_i];
    char *got = dump_of(COMPILER, (size_t)_i, "");
    const char *mode = getenv("CUCC_GOLDEN");
    if (mode && !strcmp(mode, "write")) {
        char path[512];
        snprintf(path, sizeof path, "%.*s.golden", (int)strlen(form) - 3, form);
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fputs(got, f);
        fclose(f);
    }
    char *golden = golden_of(form);
    ck_assert_msg(!strcmp(got, golden), "%s:\n%.1500s\nis not its golden dump:\n%.1500s", form, got, golden);
    free(got);
    free(golden);
}
END_TEST

START_TEST(test_rule)
{
    char option[80];
    int noticed = 0;
    snprintf(option, sizeof option, "--break=%s", rules[_i]);
    for (size_t i = 0; i < forms.gl_pathc && !noticed; i++) {
        char *got = dump_of(BROKEN, i, option), *golden = golden_of(forms.gl_pathv[i]);
        noticed = strcmp(got, golden) != 0;
        free(got);
        free(golden);
    }
    ck_assert_msg(noticed, "without the rule %s every dump is the same", rules[_i]);
}
END_TEST

/* Damaged units of a form are refused by the verifier after that pass; which forms have what the damage takes differs.
 */
START_TEST(test_damage)
{
    char command[256], said[128];
    int noticed = 0;
    snprintf(said, sizeof said, "internal error in the compiler, after the pass %s", damages[_i].pass);
    for (size_t i = 0; i < forms.gl_pathc && !noticed; i++) {
        snprintf(command, sizeof command,
                 "{ " TOP BROKEN " --damage=%s <$f 2>&1 >/dev/null; [ $? = 1 ] && echo refused; true; }",
                 damages[_i].name);
        char *got = output_on(i, command);
        noticed = strstr(got, said) && strstr(got, "refused");
        free(got);
    }
    ck_assert_msg(noticed, "no form shows that the verifier notices %s", damages[_i].name);
}
END_TEST

/* ---- declarators: what a declaration declares, its type; its declarators ---- */

static const struct {
    const char *text, *want;
} declarations[] = {
    {"int x;", "int; x"},
    {"const unsigned long long x = 1, *y, z[2];", "const unsigned long long; x with = 1; y stars 1; z dims 1"},
    {"float *const *__restrict__ p;", "float; p stars 2"},
    {"int &r = x, &&m = f(1, 2), n;", "int; r ref with = x; m ref with = f(1, 2); n"},
    {"int (*p)[3] = a;", "int; p dims 1 grouped with = a"},
    {"int (&r)[3] = a;", "int; r dims 1 grouped with = a"},
    {"void (*f)(int, float), *g;", "void; f grouped with (int, float); g stars 1"},
    {"void (*table[2])(int);", "void; table grouped with (int)"},
    {"int (*)(int);", "int; - grouped with (int)"},
    {"float *;", "float; - stars 1"},
    {"T x[3][N + 1] = {{1, 2}, {3}}, y;", "T; x dims 2 with = {{1, 2}, {3}}; y"},
    {"int x[] = {1, 2};", "int; x dims 1 open with = {1, 2}"},
    {"int x{1}, y(2);", "int; x with {1}; y with (2)"},
    {"a::b<c, d>::e x, *y;", "a::b<c, d>::e; x; y stars 1"},
    {"::a x;", "::a; x"},
    {"auto x = f<a, b>(c), y = d < e;", "auto; x with = f<a, b>(c); y with = d < e"},
    {"auto [a, b] = f();", "auto; [] with = f()"},
    {"auto &[a, b] = f();", "auto; [] ref with = f()"},
    {"alignas(16) float x[4];", "alignas(16) float; x dims 1"},
    {"__shared__ alignas(16) float x[4], y;", "__shared__ alignas(16) float; x dims 1; y"},
    {"__attribute__((unused)) int x;", "__attribute__((unused)) int; x"},
    {"[[maybe_unused]] int x;", "[[maybe_unused]] int; x"},
    {"int x __attribute__((aligned(8))) = 1;", "int; x attributes with = 1"},
    {"struct { int a, b; } s, *t;", "struct { int a, b; }; s; t stars 1"},
    {"struct S { int a; } s;", "struct S { int a; }; s"},
    {"struct S *s;", "struct S; s stars 1"},
    {"enum class E : int { A, B } e;", "enum class E : int { A, B }; e"},
    {"decltype(a, b) x, y;", "decltype(a, b); x; y"},
    {"typename T::type *x;", "typename T::type; x stars 1"},
    {"Ts... xs;", "Ts; xs pack"},
    {"const Ts &...xs;", "const Ts; xs ref pack"},
    {"static constexpr int n = 3 < 4, m = a > b;", "static constexpr int; n with = 3 < 4; m with = a > b"},
    {"int x = [](int a, int b) { return a; }(1, 2), y;", "int; x with = [](int a, int b) { return a; }(1, 2); y"},
    {"int & *p;", "int; p stars 1 ref odd"},
    {"int 3;", "int; ?"},
};

START_TEST(test_declaration)
{
    char command[1024];
    snprintf(command, sizeof command, "printf '%%s' '%s' | " BROKEN " --declarators", declarations[_i].text);
    char *got = output_of(command);
    got[strcspn(got, "\n")] = 0;
    ck_assert_str_eq(got, declarations[_i].want);
    free(got);
}
END_TEST

/* The errors that the first lines of a program expect, as FILE:LINE: error: ... (or, nvcc's way, FILE(LINE): ...). */
static int expected_errors(const char *file, bool nvcc, char error[][512], int most)
{
    char line[512], text[400];
    int n = 0, at;
    FILE *f = fopen(file, "r");
    ck_assert_ptr_nonnull(f);
    while (n < most && fgets(line, sizeof line, f) && sscanf(line, "// %d: %399[^\n]", &at, text) == 2)
        snprintf(error[n++], sizeof *error, nvcc ? "%s(%d): %s" : "%s:%d: %s", file, at, text);
    fclose(f);
    return n;
}

START_TEST(test_reject)
{
    const char *file = rejects.gl_pathv[_i];
    char command[1024], error[8][512];
    int n = expected_errors(file, false, error, 8), found = 0;
    snprintf(command, sizeof command, "cpudevice/cucc -std=c++17 -c -o build/cpu/tests/reject.o %s 2>&1; [ $? %s 0 ]",
             file, n ? "!=" : "=");
    char *got = output_of(command);
    for (const char *p = got; (p = strstr(p, ": error: ")); p++)
        found++;
    ck_assert_msg(found == n && !strstr(got, "cpudev_") && !strstr(got, "internal"), "%s: %d errors expected:\n%s",
                  file, n, got);
    for (int i = 0; i < n; i++)
        ck_assert_msg(strstr(got, error[i]) != NULL, "cucc does not say\n%s\nbut\n%s", error[i], got);
    free(got);
}
END_TEST

START_TEST(test_nvcc)
{
    const char *file = rejects.gl_pathv[_i];
    char command[1024], error[8][512], path[512] = "";
    FILE *f = popen("command -v nvcc || command -v /usr/local/cuda/bin/nvcc", "r");
    if (!f || fscanf(f, "%511s", path) != 1)
        path[0] = 0;
    if (f)
        pclose(f);
    if (!*path) {
        test_skip("compiler: no nvcc to compare what is rejected with");
        return;
    }
    int n = expected_errors(file, true, error, 8);
    /* -cuda: all that nvcc does before g++ compiles what is left for the host */
    snprintf(command, sizeof command, "%s -std=c++17 -cuda -o build/cpu/tests/reject_nvcc.ii %s 2>&1; [ $? %s 0 ]",
             path, file, n ? "!=" : "=");
    char *got = output_of(command);
    for (int i = 0; i < n; i++)
        ck_assert_msg(strstr(got, error[i]) != NULL, "nvcc does not say\n%s\nbut\n%s", error[i], got);
    free(got);
}
END_TEST

/* Each program is a test case by its name, "rejects NAME", so that a mutant can name the one that catches it. */
static void add_rejects(Suite *suite)
{
    for (int i = 0; i < (int)rejects.gl_pathc; i++) {
        char name[512];
        const char *file = strrchr(rejects.gl_pathv[i], '/') + 1;
        snprintf(name, sizeof name, "rejects %.*s", (int)strcspn(file, "."), file);
        TCase *rejected = tcase_create(strdup(name)); /* Check keeps the pointer */
        tcase_set_timeout(rejected, TEST_SECONDS);
        tcase_add_loop_test(rejected, test_reject, i, i + 1);
        tcase_add_loop_test(rejected, test_nvcc, i, i + 1);
        suite_add_tcase(suite, rejected);
    }
}

/* The compiler that breaks its own rules (CUCC_BREAK), with the names of the rules and of the damages. Returns 0, or -1. */
static int build_broken(void)
{
    if (system("mkdir -p build/cpu/tests && gcc -std=c11 -O0 -Wall -Wextra -Werror -Wno-format-truncation -DCUCC_BREAK "
               "-o " BROKEN " -Icpudevice/compiler cpudevice/compiler/*.c cpudevice/compiler/*/*.c") != 0)
        return -1;
    FILE *f = popen(BROKEN " --rules", "r");
    while (f && rule_count < RULES && fscanf(f, "%63s", rules[rule_count]) == 1)
        rule_count++;
    if (!f || pclose(f) != 0)
        return -1;
    f = popen(BROKEN " --damages", "r");
    while (f && damage_count < DAMAGES &&
           fscanf(f, "%63s %31s", damages[damage_count].name, damages[damage_count].pass) == 2)
        damage_count++;
    return !f || pclose(f) != 0 || rule_count == 0 || damage_count == 0 ? -1 : 0;
}

/* Does this test case run, or another one alone? */
static int is_wanted(const char *name) { return !case_asked() || strcmp(case_asked(), name) == 0; }

int main(void)
{
    if ((is_wanted("rules") || is_wanted("verifier") || is_wanted("declarators")) && build_broken() != 0)
        return 1;
    if (glob(FORMS, 0, NULL, &forms) != 0)
        return 1;
    if (glob("cpudevice/tests/compiler/rejects/*.cu", 0, NULL, &rejects) != 0)
        return 1;
    if (!mkdtemp(preprocessed))
        return 1;
    Suite *suite = suite_create("compiler");
    TCase *golden = tcase_create("golden dumps"), *broken = tcase_create("rules"), *damaged = tcase_create("verifier"),
          *declared = tcase_create("declarators");
    tcase_set_timeout(golden, TEST_SECONDS);
    tcase_set_timeout(broken, TEST_SECONDS);
    tcase_set_timeout(damaged, TEST_SECONDS);
    tcase_add_loop_test(golden, test_form, 0, (int)forms.gl_pathc);
    tcase_add_loop_test(broken, test_rule, 0, rule_count);
    tcase_add_loop_test(damaged, test_damage, 0, damage_count);
    tcase_add_loop_test(declared, test_declaration, 0, (int)(sizeof declarations / sizeof *declarations));
    suite_add_tcase(suite, golden);
    suite_add_tcase(suite, broken);
    suite_add_tcase(suite, damaged);
    add_rejects(suite);
    suite_add_tcase(suite, declared);
    const int failed = run_suite(suite);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", preprocessed);
    return system(remove) != 0 || failed;
}
