/* main.c: cucc's compiler: preprocessed CUDA C++ in, C++ that g++ understands out.
 *
 *   cucc-compile [--check] [--no-split] [--clang] [--relaxed-constexpr] [--image] [--flush] [--host host.ii] [--fibers=1,4] [--kernels=FILE]
 *                [--dump=PASS] <in.ii >out.ii
 *
 * --host      what the preprocessor makes of the program for the host, where it asks for __CUDA_ARCH__
 * --fibers    the kernels with these numbers run on fibers: g++ has refused what was printed for them
 * --relaxed-constexpr  device code may call constexpr functions of the host
 * --image              a module, whose variables are found by their names, static ones too
 * --flush     the kernels take subnormal numbers as 0 (-ftz=true), where that is right (analysis/flush.c)
 * --no-split  all kernels with barriers run on fibers
 * --fibers=all  every kernel does
 * --kernels   writes there which lines each kernel has, and how it was printed (tell_kernels.c)
 * --dump      what the unit looks like after that pass, in place of the program
 * --break     in a test build (-DCUCC_BREAK): without that rule of the whitelist; --rules lists them. The environment's
 *             CUCC_BREAK=RULE does the same, for programs that the driver compiles
 * --damage    in a test build: breaks what a pass has made, for the verifier to notice; --damages lists the ways
 * --declarators  in a test build: what each declaration of the text declares
 * Exit status 4: --flush is not obeyed, and the text is to be preprocessed without CPUDEV_FLUSHES.
 * Exit status 3: the program has inline PTX, and cpudev_ptx.h, whose functions that becomes, is not included.
 * Lines are kept one for one and line markers are passed on, so that every message of g++ names the user's file and
 * line. Text of system headers, and text without CUDA's words, is copied byte for byte. */
#include "front/deep.h"
#include "front/unit.h"
#include "verify/damage.h"
#include "verify/dump.h"
#include "analysis/rules.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(Unit *);
} passes[] = {
    {"merge", pass_merge},           {"outline", pass_outline},   {"parse", pass_parse},
    {"resolve", pass_resolve},       {"effects", pass_effects},   {"lockstep", pass_lockstep},
    {"calls", pass_calls},           {"variance", pass_variance}, {"reject", pass_reject},
    {"canonical", pass_canonical},   {"regions", pass_regions},   {"arithmetic", pass_arithmetic},
    {"work_items", pass_work_items}, {"print", pass_print},
};

static char *read_all(FILE *f, size_t *n)
{
    size_t room = 1 << 20;
    char *text = must(malloc(room + 1));
    *n = 0;
    for (size_t got; (got = fread(text + *n, 1, room - *n, f)) > 0;) {
        *n += got;
        if (*n == room)
            text = must(realloc(text, (room *= 2) + 1));
    }
    text[*n] = 0;
    return text;
}

static void read_tokens(Tokens *t, const char *path)
{
    FILE *f = path ? fopen(path, "r") : stdin;
    if (!f) {
        perror(path);
        exit(1);
    }
    size_t n;
    const char *text = read_all(f, &n);
    if (path)
        fclose(f);
    reserve(t, (int)(n / 4) + 16); /* more than a text of that length usually has */
    tokenize(t, text, text + n);
    find_mates(t);
}

static void read_kernels(Unit *u, const char *list)
{
    if (!strcmp(list, "all")) {
        u->no_split = u->no_loops = true;
        return;
    }
    for (char *end; *list; list = *end ? end + 1 : end) {
        long id = strtol(list, &end, 10);
        if (end == list || id < 0 || id > 1000000)
            return;
        if (id >= u->on_fibers_n) {
            u->on_fibers = must(realloc(u->on_fibers, (size_t)id + 1));
            memset(u->on_fibers + u->on_fibers_n, 0, (size_t)(id + 1 - u->on_fibers_n));
            u->on_fibers_n = (int)id + 1;
        }
        u->on_fibers[id] = true;
    }
}

#ifdef CUCC_BREAK
static const char *const rules[RULES] = {
    "parentheses", "ternary",      "casts",     "address",       "references",   "arguments",      "types",
    "calls",       "threadidx",    "uniform",   "shadowed",      "changed",      "memory",         "return",
    "overloads",   "inline_names", "operators", "member_arrays", "hidden_names", "private_memory", "guards",
    "fresh",       "volatile",     "sometimes", "branches",      "rounds"};

static bool break_rule(Unit *u, const char *name)
{
    for (int i = 0; name && i < RULES; i++)
        if (!strcmp(name, rules[i])) {
            u->broken |= 1u << i;
            return true;
        }
    return false;
}

static bool test_option(Unit *u, const char *option)
{
    if (!strcmp(option, "--declarators")) {
        read_tokens(&u->tok, NULL);
        dump_declarators(u);
        exit(0);
    }
    if (!strcmp(option, "--rules") || !strcmp(option, "--damages")) {
        for (int i = 0; option[2] == 'r' && i < RULES; i++)
            puts(rules[i]);
        if (option[2] == 'd')
            list_damages();
        exit(0);
    }
    if (!strncmp(option, "--damage=", 9))
        return (u->damage = damage_named(option + 9)) >= 0;
    return !strncmp(option, "--break=", 8) && break_rule(u, option + 8);
}
#else
static bool break_rule(Unit *u, const char *name)
{
    (void)u;
    (void)name;
    return false;
}

static bool test_option(Unit *u, const char *option)
{
    (void)u;
    (void)option;
    return false;
}
#endif

int main(int argc, char **argv)
{
    Unit u = {.out = stdout, .damage = -1};
    const char *kernels = NULL;
    bool flush = false;
    say_too_deep();
    break_rule(&u, getenv("CUCC_BREAK"));
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--check"))
            u.check = true;
        else if (!strcmp(argv[i], "--model"))
            u.model = true;
        else if (!strcmp(argv[i], "--host") && i + 1 < argc)
            read_tokens(&u.host, argv[++i]);
        else if (!strcmp(argv[i], "--flush"))
            flush = true;
        else if (!strcmp(argv[i], "--clang"))
            u.clang = true;
        else if (!strcmp(argv[i], "--relaxed-constexpr"))
            u.relaxed_constexpr = true;
        else if (!strcmp(argv[i], "--old-constexpr"))
            u.old_constexpr = true;
        else if (!strcmp(argv[i], "--image"))
            u.image = true;
        else if (!strcmp(argv[i], "--no-split"))
            u.no_split = true;
        else if (!strncmp(argv[i], "--fibers=", 9))
            read_kernels(&u, argv[i] + 9);
        else if (!strncmp(argv[i], "--kernels=", 10))
            kernels = argv[i] + 10;
        else if (!strncmp(argv[i], "--dump=", 7))
            u.dump = argv[i] + 7;
        else if (!test_option(&u, argv[i])) {
            fprintf(stderr, "cucc: unknown option %s\n", argv[i]);
            return 2;
        }
    read_tokens(&u.tok, NULL);
    if (flush && !may_flush(&u))
        return 4;
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        passes[i].run(&u);
#ifdef CUCC_BREAK
        do_damage(&u, u.damage, passes[i].name);
#endif
        if (!u.errors)
            verify(&u, passes[i].name, (int)i);
        if (u.errors)
            return 1;
        if (u.dump && !strcmp(u.dump, passes[i].name)) {
            dump(&u, u.dump);
            return 0;
        }
    }
    if (u.has_ptx && !u.ptx_included)
        return 3;
    if (kernels)
        tell_kernels(&u, kernels);
    return fflush(u.out) != 0;
}
