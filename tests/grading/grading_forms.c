/* grading_forms.c: however an access is written, each tool sees it. A row of the table below is one form: an assignment, what a
 * call returns or takes, an initialiser, a capture, a bit field, a union, volatile, an atomic, an output of the math library, a copy
 * of a struct. Each row is tried with
 *
 *   silence    within the array, filled, one thread per place: no tool says anything
 *   memcheck   behind the end of the array: an access out of bounds, at this line
 *   racecheck  at one place for all threads, in global and in shared memory: a race, at this line
 *   initcheck  in memory that nobody has filled: a form that reads is reported; what a form writes is filled after it
 *   counters   the requests that a warp makes
 *   limits     tools/grade on an answer to 3.1 that makes the access with a stride of 16 bytes: refused for its sectors
 *
 * One program has all rows as kernels, one class has all rows as answers. This program is for the CPU device only. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../tools/course/support.c"
#include "command.h"
#include "suite.h"

/* p points to the place, v is a value to store, sum takes what is loaded. An update does both. Of one float, or of four. */
typedef enum Kind { LOAD, STORE, UPDATE, LOAD_4, STORE_4 } Kind;

#define SECTORS(access) "line [0-9]+ .global " access ". touches [0-9]+ sectors per request where [0-9]+ "
#define LOADS_FAR SECTORS("load")
#define STORES_FAR SECTORS("store")
#define NOT_NAMED(name) name ": the answer does not declare it"
#define TAKEN "" /* it is the right technique, and passes */

static const struct Form {
    const char *name;
    Kind kind;
    int loads, stores, atomics; /* requests of a warp, with g++ */
    const char *text, *limits;
} forms[] = {
    {"assignment", STORE, 0, 1, 0, "*p = v;", STORES_FAR},
    {"element", STORE, 0, 1, 0, "p[0] = v;", STORES_FAR},
    {"compound", UPDATE, 1, 1, 0, "*p += v;", STORES_FAR},
    {"increment", UPDATE, 1, 1, 0, "++*p;", STORES_FAR},
    {"struct", STORE, 0, 1, 0, "*(One *)p = One{v};", STORES_FAR},
    {"member", STORE, 0, 1, 0, "((One *)p)->v = v;", STORES_FAR},
    {"list", STORE, 0, 1, 0, "*(One *)p = {v};", STORES_FAR},
    {"result", STORE, 0, 1, 0, "*(One *)p = made(v);", STORES_FAR},
    {"result_by_pointer", STORE, 0, 1, 0, "One (*volatile f)(float) = made; *(One *)p = f(v);", STORES_FAR},
    {"one_of_two_results", STORE, 0, 1, 0, "*(One *)p = v > 3 ? made(v) : made(2 * v);", STORES_FAR},
    {"result_after_comma", STORE, 0, 1, 0, "*(One *)p = (sum++, made(v));", STORES_FAR},
    {"result_into_reference", STORE, 0, 1, 0, "One &to = *(One *)p; to = made(v);", STORES_FAR},
    {"result_is_reference", STORE, 0, 1, 0, "auto f = [=]() -> float & { return *p; }; f() = v;", STORES_FAR},
    {"argument_by_reference", STORE, 0, 1, 0, "auto f = [](float &to, float w) { to = w; }; f(*p, v);", STORES_FAR},
    {"capture_of_pointer", STORE, 0, 1, 0, "auto f = [=](float w) { *p = w; }; f(v);", STORES_FAR},
    {"capture_of_reference", STORE, 0, 1, 0, "float &to = *p; auto f = [&to, v] { to = v; }; f();", STORES_FAR},
    {"method", STORE, 0, 1, 0, "struct Held { float a; void set(float w) { a = w; } }; ((Held *)p)->set(v);",
     STORES_FAR},
    {"operator", STORE, 0, 1, 0, "struct Held { float a; void operator+=(float w) { a = w; } }; *(Held *)p += v;",
     STORES_FAR},
    {"array_by_reference", STORE, 0, 1, 0, "float (&a)[1] = *(float (*)[1])p; a[0] = v;", STORES_FAR},
    {"bit_field", STORE, 0, 1, 0, "((Bits *)p)->all = __float_as_uint(v);", STORES_FAR},
    {"union_member", STORE, 0, 1, 0, "((Either *)p)->i = __float_as_int(v);", STORES_FAR},
    {"union", STORE, 0, 1, 0, "*(Either *)p = Either{v};", STORES_FAR},
    {"volatile", STORE, 0, 1, 0, "*(volatile float *)p = v;", STORES_FAR},
    {"volatile_member", STORE, 0, 1, 0, "((volatile One *)p)->v = v;", STORES_FAR},
    {"store_by_hint", STORE, 0, 1, 0, "__stcg(p, v);", STORES_FAR},
    {"frexpf", STORE, 0, 1, 0, "sum += frexpf(v, (int *)p);", STORES_FAR},
    {"sincosf", STORE, 0, 1, 0, "float cosine; sincosf(v, p, &cosine); sum += cosine;", STORES_FAR},
    {"fast_sincosf", STORE, 0, 1, 0, "float sine; __sincosf(v, &sine, p); sum += sine;", STORES_FAR},
    {"modff", STORE, 0, 1, 0, "sum += modff(v, p);", NOT_NAMED("modff")},
    {"remquof", STORE, 0, 1, 0, "sum += remquof(v, 3, (int *)p);", NOT_NAMED("remquof")},
    {"placed", STORE, 0, 1, 0, "new (p) One{v};", NOT_NAMED("new")},
    {"assembly", STORE, 0, 1, 0, "asm volatile(\"st.global.f32 [%0], %1;\" ::\"l\"(p), \"f\"(v) : \"memory\");",
     NOT_NAMED("asm")},
    {"atomicExch", STORE, 0, 0, 1, "atomicExch(p, v);", "sectors|atomic"},
    {"atomicAdd", UPDATE, 0, 0, 1, "atomicAdd(p, v);", "sectors|atomic"},
    {"atomicAdd_used", UPDATE, 0, 0, 1, "sum += atomicAdd(p, v);", "sectors|atomic"},
    {"atomicCAS", UPDATE, 0, 0, 1, "sum += (float)atomicCAS((int *)p, 0, 1);", "sectors|atomic"},
    {"copy", STORE, 0, 1, 0, "One one = {v}; *(One *)p = one;", STORES_FAR},
    {"memset", STORE, 0, 1, 0, "memset(p, 1, 4);", NOT_NAMED("memset")},

    {"struct_of_four", STORE_4, 0, 4, 0, "Four four = {v, v, v, v}; *(Four *)p = four;", STORES_FAR},
    {"zeros", STORE_4, 0, 4, 0, "*(Four *)p = {};", STORES_FAR},
    {"result_of_four", STORE_4, 0, 4, 0, "*(Four *)p = made_four(v);", STORES_FAR},
    {"result_of_four_by_pointer", STORE_4, 0, 4, 0, "Four (*volatile f)(float) = made_four; *(Four *)p = f(v);",
     STORES_FAR},
    {"memcpy", STORE_4, 0, 4, 0, "Four four = {v, v, v, v}; memcpy((Four *)p, &four, 16);", NOT_NAMED("memcpy")},
    {"vector", STORE_4, 0, 1, 0, "*(float4 *)p = make_float4(v, v, v, v);", TAKEN},

    {"load", LOAD, 1, 0, 0, "sum += *p;", LOADS_FAR},
    {"load_of_element", LOAD, 1, 0, 0, "sum += p[0];", LOADS_FAR},
    {"load_in_condition", LOAD, 1, 0, 0, "if (*p == 12345) sum += v;", LOADS_FAR},
    {"copy_of_struct", LOAD, 1, 0, 0, "One one = *(const One *)p; sum += one.v;", LOADS_FAR},
    {"load_of_member", LOAD, 1, 0, 0, "sum += ((const One *)p)->v;", LOADS_FAR},
    {"argument", LOAD, 1, 0, 0, "sum += taken(*(const One *)p);", LOADS_FAR},
    {"argument_by_pointer", LOAD, 1, 0, 0, "float (*volatile f)(One) = taken; sum += f(*(const One *)p);", LOADS_FAR},
    {"load_by_reference", LOAD, 1, 0, 0, "auto f = [](const float &from) { return from; }; sum += f(*p);", LOADS_FAR},
    {"return", LOAD, 1, 0, 0, "auto f = [=] { return *(const One *)p; }; sum += f().v;", LOADS_FAR},
    {"initialiser", LOAD, 1, 0, 0, "float a[2] = {*p, v}; sum += a[(int)v & 1];", LOADS_FAR},
    {"capture", LOAD, 1, 0, 0, "const One &from = *(const One *)p; auto f = [from] { return from.v; }; sum += f();",
     LOADS_FAR},
    {"capture_by_initialiser", LOAD, 1, 0, 0, "auto f = [w = *p] { return w; }; sum += f();", LOADS_FAR},
    {"method_that_reads", LOAD, 1, 0, 0,
     "struct Held { float a; float get() const { return a; } }; sum += ((const Held *)p)->get();", LOADS_FAR},
    {"range", LOAD, 1, 0, 0, "for (float w : *(const float (*)[1])p) sum += w;", LOADS_FAR},
    {"bit_field_read", LOAD, 1, 0, 0, "sum += ((const Bits *)p)->all;", LOADS_FAR},
    {"part_of_a_word", LOAD, 1, 0, 0, "sum += ((const Parts *)p)->high;", LOADS_FAR},
    {"union_read", LOAD, 1, 0, 0, "sum += ((const Either *)p)->i;", LOADS_FAR},
    {"union_taken", LOAD, 1, 0, 0, "Either e = *(const Either *)p; sum += e.f;", LOADS_FAR},
    {"volatile_read", LOAD, 1, 0, 0, "sum += *(const volatile float *)p;", LOADS_FAR},
    {"volatile_member_read", LOAD, 1, 0, 0, "sum += ((const volatile One *)p)->v;", LOADS_FAR},
    {"ldg", LOAD, 1, 0, 0, "sum += __ldg(p);", LOADS_FAR},
    {"ldcv", LOAD, 1, 0, 0, "sum += __ldcv(p);", LOADS_FAR},

    {"four_copied", LOAD_4, 4, 0, 0, "Four four = *(const Four *)p; sum += four.a + four.b + four.c + four.d;",
     LOADS_FAR},
    {"four_as_argument", LOAD_4, 4, 0, 0, "float (*volatile f)(Four) = taken_four; sum += f(*(const Four *)p);",
     LOADS_FAR},
    {"four_bound", LOAD_4, 4, 0, 0, "auto [a, b, c, d] = *(const Four *)p; sum += a + b + c + d;", LOADS_FAR},
    {"four_in_range", LOAD_4, 4, 0, 0, "for (float w : *(const float (*)[4])p) sum += w;", LOADS_FAR},
    {"memcpy_from", LOAD_4, 4, 0, 0, "Four four; memcpy(&four, (const Four *)p, 16); sum += four.a + four.d;",
     NOT_NAMED("memcpy")},
    {"vector_read", LOAD_4, 1, 0, 0, "float4 w = *(const float4 *)p; sum += w.x + w.y + w.z + w.w;", TAKEN},
};
enum { FORMS = sizeof forms / sizeof forms[0], FIRST_LINE = 1000 };

/* What the forms are about: declared in a kernel and in an answer alike. */
#define THINGS                                                                                                         \
    "struct One { float v; };\nstruct Four { float a, b, c, d; };\nstruct Bits { unsigned all : 32; };\n"              \
    "struct Parts { unsigned low : 3, high : 29; };\nunion Either { float f; int i; };\n"                              \
    "auto made = [](float w) { return One{w}; };\nauto taken = [](One o) { return o.v; };\n"                           \
    "auto made_four = [](float w) { return Four{w, w, w, w}; };\n"                                                     \
    "auto taken_four = [](Four o) { return o.a + o.b + o.c + o.d; };\n"                                                \
    "(void)made, (void)taken, (void)made_four, (void)taken_four;\n"

static int loads(const struct Form *f) { return f->kind == LOAD || f->kind == LOAD_4; }
static int bytes_of(const struct Form *f) { return f->kind == LOAD_4 || f->kind == STORE_4 ? 16 : 4; }

static char tree[] = "/tmp/grading_formsXXXXXX";
static int sandboxed;

/* ---- the program -------------------------------------------------------------------------------------------------- */

/* forms FORM WAY: one launch of that form's kernel. */
static const char head[] =
    "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <new>\n#include <cuda_runtime.h>\n"
    "__global__ void read_back(const char *at, int bytes, int *out)\n"
    "{\n    for (int i = 0; i < bytes; i++) *out += at[i];\n}\n";
static const char tail[] =
    "int main(int, char **argv)\n{\n"
    "    enum { WITHIN, PAST, RACE, SHARED, UNWRITTEN };\n"
    "    const int form = atoi(argv[1]), way = atoi(argv[2]), bytes = atoi(argv[3]);\n"
    "    const size_t size = 64 * 32;\n"
    "    char *x;\n    int *out;\n"
    "    cudaMalloc(&x, size), cudaMalloc(&out, 4), cudaMemset(out, 0, 4);\n"
    "    if (way != UNWRITTEN) cudaMemset(x, 0, size);\n"
    "    float *at = (float *)(way == PAST ? x + size : x);\n"
    "    kernels[form]<<<1, way == RACE || way == SHARED ? 64 : way == WITHIN ? 32 : 1, 512>>>(at, way == WITHIN ? 8 : "
    "0, way >= RACE ? way : 0);\n"
    "    if (way == UNWRITTEN && bytes) read_back<<<1, 1>>>(x, bytes, out);\n"
    "    cudaError_t e = cudaDeviceSynchronize();\n    cudaFree(x), cudaFree(out);\n"
    "    return e != cudaSuccess;\n}\n";

static void write_program(FILE *f)
{
    fputs(head, f);
    for (int i = 0; i < FORMS; i++)
        fprintf(f,
                "__global__ void form_%s(float *at, int stride, int way)\n{\n    extern __shared__ float shared[];\n"
                "    " THINGS
                "    float *p = (way == 3 ? shared : at) + threadIdx.x * stride, v = threadIdx.x, sum = 0;\n"
                "    if ((way == 2 || way == 3) && threadIdx.x %% 2) {\n        p[0] = p[1] = p[2] = p[3] = 1;\n"
                "    } else {\n#line %d \"forms.cu\"\n    %s\n#line 1 \"rest.cu\"\n    }\n"
                "    if (sum == 12345.5f) at[0] = sum + v;\n}\n",
                forms[i].name, FIRST_LINE + i, forms[i].text);
    fputs("static void (*const kernels[])(float *, int, int) = {", f);
    for (int i = 0; i < FORMS; i++)
        fprintf(f, "form_%s, ", forms[i].name);
    fprintf(f, "};\n%s", tail);
}

/* ---- the class -------------------------------------------------------------------------------------------------- */

#define PLACE "lecture03_cuda_basics/exercises/ex01_index.cu"
#define SOLUTION "solutions/lecture03_cuda_basics/ex01_index.cu"

/* Each thread has four elements. It reads and writes them at once, which is right, and makes the row's access to them too. */
static char *answer_of(const struct Form *f)
{
    const int one = bytes_of(f) == 4, load = loads(f);
    return text("size_t i = n, first = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);\n" THINGS
                "float sum = 0, v = 1;\n"
                "if (first + 4 <= n) {\n"
                "    const float4 w = ((const float4 *)x)[first / 4];\n"
                "    v = w.x;\n"
                "    for (int k = 0; k < %d; k++) {\n"
                "        %sfloat *p = %s + first + k;\n"
                "        %s\n"
                "    }\n"
                "    __threadfence();\n"
                "    if (sum != 12345.5f)\n"
                "        ((float4 *)y)[first / 4] = make_float4(2 * w.x + 1, 2 * w.y + 1, 2 * w.z + 1, 2 * w.w + 1);\n"
                "} else {\n"
                "    for (size_t k = first; k < n; k++)\n"
                "        y[k] = 2 * x[k] + 1;\n"
                "}\n",
                one ? 4 : 1, load ? "const " : "", load ? "x" : "y", f->text);
}

static void hand_in(const struct Form *f)
{
    char *all = file_read(SOLUTION, NULL), *rest = all, *line, *answer = answer_of(f), *folder, *path;
    folder = text("%s/class/%s/lecture03_cuda_basics/exercises", tree, f->name);
    path = text("%s/ex01_index.cu", folder);
    ck_assert_int_eq(make_folders(folder), 0);
    FILE *to = fopen(path, "w");
    ck_assert(all && to);
    for (int inside = 0; (line = strsep(&rest, "\n"));) {
        if (strstr(line, ">>> answer"))
            inside = 1, fputs(answer, to);
        else if (strstr(line, "<<< answer"))
            inside = 0;
        else if (!inside && !strstr(line, "TODO(ex"))
            fprintf(to, "%s\n", line);
    }
    ck_assert_int_eq(fclose(to), 0);
    free(all), free(answer), free(folder), free(path);
}

/* Once for all test cases: where Check's processes are children of one that has it. */
static void make_tree(void)
{
    if (getenv("tree"))
        return;
    ck_assert_ptr_nonnull(mkdtemp(tree));
    setenv("tree", tree, 1);
    unsetenv("MAKEFLAGS"), unsetenv("MAKELEVEL"), unsetenv("GRADE_FROM");
}

static void build_program(void)
{
    make_tree();
    char *path = text("%s/forms.cu", tree);
    if (!file_exists(path)) {
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        write_program(f);
        ck_assert_int_eq(fclose(f), 0);
        ck_assert_int_eq(system("cpudevice/cucc --check -O1 -std=c++17 -w -o $tree/forms $tree/forms.cu"), 0);
    }
    free(path);
}

static void grade_class(void)
{
    make_tree();
    if (system("tools/setup/need.sh bubblewrap && bwrap --unshare-all --ro-bind / / true") != 0)
        return;
    sandboxed = 1;
    for (int i = 0; i < FORMS; i++)
        hand_in(&forms[i]);
    ck_assert_int_eq(system("tools/grade -o $tree/grades -e 3.1 $tree/class/* >$tree/said 2>&1"), 0);
}

/* ---- the tools ------------------------------------------------------------------------------------------------------ */

typedef enum Way { WITHIN, PAST, RACE, SHARED, UNWRITTEN } Way;

/* What --check writes down of a form; `more` are further settings. */
static char *report_of(int form, Way way, const char *more)
{
    char *command = text("cd $tree && %s CUDA_CPU_REPORT=$tree/%d.json ./forms %d %d %d >$tree/%d.out 2>&1", more, form,
                         form, (int)way, loads(&forms[form]) ? 0 : bytes_of(&forms[form]), form);
    int status = system(command);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) != 127, "%s", command);
    char *path = text("%s/%d.json", tree, form), *s = file_read(path, NULL);
    ck_assert_msg(s != NULL, "%s: no report", command);
    free(command), free(path);
    return s;
}

/* Has the tool a finding of that kind that names the form's line, and no other tool one? */
static void is_told(int form, Way way, const char *tool, const char *kind)
{
    char *report = report_of(form, way, ""),
         *pattern = text("\"tool\": \"%s\", \"kind\": \"%s\".*\"line\": %d,", tool, kind, FIRST_LINE + form);
    ck_assert_msg(command_matches(report, pattern), "%s: no %s\n%s", forms[form].name, pattern, report);
    free(pattern), free(report);
}

static void is_silent(int form, Way way)
{
    char *report = report_of(form, way, "");
    ck_assert_msg(command_matches(report, "\"errors\": 0,"), "%s:\n%s", forms[form].name, report);
    free(report);
}

START_TEST(silence) { is_silent(_i, WITHIN); }
END_TEST

START_TEST(memcheck) { is_told(_i, PAST, "memcheck", "out-of-bounds"); }
END_TEST

START_TEST(racecheck)
{
    is_told(_i, RACE, "racecheck", "[a-z-]*");
    if (!strstr(forms[_i].text, ".global") && !strstr(forms[_i].text, "__ldg") && !strstr(forms[_i].text, "__ldcv") &&
        !strstr(forms[_i].text, "__stcg"))
        is_told(_i, SHARED, "racecheck", "[a-z-]*");
}
END_TEST

START_TEST(initcheck)
{
    if (loads(&forms[_i]) || forms[_i].kind == UPDATE)
        is_told(_i, UNWRITTEN, "initcheck", "[a-z-]*");
    else
        is_silent(_i, UNWRITTEN);
}
END_TEST

/* kernel,line,access,requests,...: of all lines, for a copy's pieces are not all at the line of its call */
static int requests(const char *lines, const char *access)
{
    char *at = text(",%s,", access);
    int sum = 0;
    for (const char *p = lines; (p = strstr(p, at)); p++)
        sum += atoi(p + strlen(at));
    free(at);
    return sum;
}

static int is_clang(void)
{
    const char *compiler = getenv("CUCC_CXX");
    if (!compiler || !strstr(compiler, "clang"))
        return 0;
    test_skip("clang joins and splits accesses differently from g++");
    return 1;
}

START_TEST(counters)
{
    static const char *const tools[] = {"counters", "memcheck,counters", "memcheck,racecheck,initcheck,counters"};
    if (is_clang())
        return;
    for (int t = 0; t < 3; t++) {
        char *more = text("CUDA_CPU_TOOLS=%s CUDA_CPU_COUNTER_LINES=$tree/%d.csv", tools[t], _i);
        free(report_of(_i, WITHIN, more));
        char *path = text("%s/%d.csv", tree, _i), *lines = file_read(path, NULL);
        ck_assert_msg(lines != NULL, "%s: no figures", forms[_i].name);
        int l = requests(lines, "global load"), s = requests(lines, "global store"),
            a = requests(lines, "global red") + requests(lines, "global atomic");
        ck_assert_msg(l == forms[_i].loads && s == forms[_i].stores && a == forms[_i].atomics,
                      "%s with %s: %d loads, %d stores, %d atomics:\n%s", forms[_i].name, tools[t], l, s, a, lines);
        free(more), free(path), free(lines);
    }
}
END_TEST

START_TEST(limits)
{
    if (!sandboxed) {
        test_skip("no bubblewrap");
        return;
    }
    if (is_clang())
        return;
    char *path = text("%s/grades/students/%s.txt", tree, forms[_i].name), *report = file_read(path, NULL);
    ck_assert_msg(report != NULL, "%s: no report", forms[_i].name);
    const int passes = !*forms[_i].limits;
    ck_assert_msg(command_matches(report, passes ? "^3.1 .*: passed$" : "^3.1 .*: failed$"), "%s:\n%s", forms[_i].name,
                  report);
    ck_assert_msg(command_matches(report, forms[_i].limits), "%s: '%s' is not said:\n%s", forms[_i].name,
                  forms[_i].limits, report);
    free(path), free(report);
}
END_TEST

static void add(Suite *s, const char *name, const TTest *test, void (*set_up)(void))
{
    TCase *t = tcase_create(name);
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, NULL);
    tcase_add_loop_test(t, test, 0, FORMS);
    suite_add_tcase(s, t);
}

int main(void)
{
    Suite *s = suite_create("grading_forms");
    add(s, "silence", silence, build_program);
    add(s, "memcheck", memcheck, build_program);
    add(s, "racecheck", racecheck, build_program);
    add(s, "initcheck", initcheck, build_program);
    add(s, "counters", counters, build_program);
    add(s, "limits", limits, grade_class);
    int status = run_suite(s);
    if (getenv("tree"))
        remove_tree(tree);
    return status;
}
