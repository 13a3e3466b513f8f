/* random_kernels_test.c: random valid kernels (cpudevice/tests/random/kernels), compiled and run in each way, must give what the
 * generator's own interpreter of them gave. There are 32 programs; RANDOM_KERNELS_SECONDS asks for more, until that time has
 * passed; RANDOM_KERNELS_SEED sets the first seed (1, or with "new" one from the clock, which is printed). A kernel that is wrong is reduced statement by
 * statement, and the least program that is still wrong is left in build/random_kernels/. */
#include <unistd.h>

#include "random_programs.h"

#define FOLDER "build/random_kernels"
enum { TEXT = 1024, STATEMENTS = 256, PROGRAMS = 32 };

#ifdef LAB_CPU
static const struct {
    const char *name, *compiler;
} ways[] = {
    {"loops", "cpudevice/cucc -O3"}, /* as users build it: g++ vectorises */
    {"fibers", "cpudevice/cucc -O1 --no-split"},
    {"check", "cpudevice/cucc -O1 -g --check"},
    {"model", "cpudevice/cucc -O1 -g --model h100"},
};
#else
static const struct {
    const char *name, *compiler;
} ways[] = {{"nvcc", "nvcc -w --expt-relaxed-constexpr"}};
#endif
enum { WAYS = sizeof ways / sizeof *ways };

/* Runs a command; its exit status, or -1 if a signal ended it. */
static int run(const char *command)
{
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Writes, compiles and runs kernels first .. first + count - 1 of a seed, or one kernel without the statements in drop
 * (a list with commas). What the program says goes to FOLDER/NAME.log. 0: right, 1: wrong, 2: it does not compile,
 * 3: the host's compiler crashes, which says nothing of ours. */
static int try_kernels(const char *name, int way, unsigned long seed, int count, int first, const char *drop)
{
    char command[2 * TEXT + STATEMENTS * 4];
    snprintf(command, sizeof command, FOLDER "/random_kernels %lu %d %d %s%s >" FOLDER "/%s.cu", seed, count, first,
             *drop ? "--drop " : "", drop, name);
    if (run(command) != 0)
        ck_abort_msg("the generator fails: %s", command);
    snprintf(command, sizeof command, "%s -std=c++17 -o " FOLDER "/%s " FOLDER "/%s.cu >" FOLDER "/%s.log 2>&1",
             ways[way].compiler, name, name, name);
    if (run(command) != 0) {
        snprintf(command, sizeof command, "grep -q 'internal compiler error' " FOLDER "/%s.log", name);
        return run(command) == 0 ? 3 : 2;
    }
    snprintf(command, sizeof command, "CUDA_CPU_WATCHDOG=10 timeout 120 " FOLDER "/%s >" FOLDER "/%s.log 2>&1", name,
             name);
    return run(command) != 0;
}

/* The first kernel of those that is wrong by itself, or -1; how many before it crash the host's compiler. */
static int find_wrong(int way, unsigned long seed, int *how, int *crashes)
{
    *crashes = 0;
    for (int k = 0; k < KERNELS; k++) {
        *how = try_kernels("one", way, seed, 1, k, "");
        if (*how == 3)
            ++*crashes;
        else if (*how != 0)
            return k;
    }
    return -1;
}

/* Leaves out the statements without which the kernel still fails in the same way. */
static void reduce(int way, unsigned long seed, int kernel, int how, char *drop, size_t size)
{
    char command[TEXT], line[32], tried[STATEMENTS * 4];
    snprintf(command, sizeof command, FOLDER "/random_kernels %lu 1 %d --list", seed, kernel);
    FILE *f = popen(command, "r");
    ck_assert(f != NULL);
    *drop = 0;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        snprintf(tried, sizeof tried, "%s%s%s", drop, *drop ? "," : "", line);
        if (strlen(tried) < size - 1 && try_kernels("one", way, seed, 1, kernel, tried) == how)
            snprintf(drop, size, "%s", tried);
    }
    pclose(f);
}

/* Not all kernels of a seed are right. Returns how many crash the host's compiler, if that is all. */
static int report(int way, unsigned long seed)
{
    int how, crashes, kernel = find_wrong(way, seed, &how, &crashes);
    if (kernel < 0 && crashes)
        return crashes;
    if (kernel < 0)
        ck_abort_msg("seed %lu, %s: its %d kernels fail together and none by itself", seed, ways[way].name, KERNELS);
    char drop[STATEMENTS * 4], name[64];
    reduce(way, seed, kernel, how, drop, sizeof drop);
    snprintf(name, sizeof name, "seed%lu-kernel%d-%s", seed, kernel, ways[way].name);
    try_kernels(name, way, seed, 1, kernel, drop);
    ck_abort_msg("seed %lu, kernel %d, %s: %s; reduced in " FOLDER "/%s.cu, what it says in %s.log", seed, kernel,
                 ways[way].name, how == 2 ? "does not compile" : "wrong", name, name);
    return 0;
}

START_TEST(random_kernels_are_right)
{
    time_t end = time(NULL) + random_seconds();
    unsigned long first = random_seed(), seed = first;
    printf("random kernels from seed %lu\n", first);
    fflush(stdout);
    unsigned long crashes = 0;
    do {
        int way = (int)(seed % WAYS);
        if (try_kernels("all", way, seed, KERNELS, 0, "") != 0)
            crashes += (unsigned long)report(way, seed);
        seed++;
    } while (time(NULL) < end || seed < first + PROGRAMS);
    printf("%lu random kernels are right, %lu crash the host's compiler\n", (seed - first) * KERNELS - crashes,
           crashes);
    ck_assert_msg(crashes < (seed - first) * KERNELS / 2, "%lu kernels crash the host's compiler", crashes);
}
END_TEST

int main(void)
{
    if (run("mkdir -p " FOLDER " && gcc -std=c11 -D_GNU_SOURCE -O1 -o " FOLDER
            "/random_kernels cpudevice/tests/random/kernels/*.c") != 0)
        return 2;
    Suite *s = suite_create("random kernels");
    TCase *t = tcase_create("random kernels");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_test(t, random_kernels_are_right);
    suite_add_tcase(s, t);
    return run_suite(s);
}
