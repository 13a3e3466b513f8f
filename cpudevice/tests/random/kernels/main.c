/* random_kernels: writes a CUDA program of random valid kernels that knows what each must give.
 *
 *   random_kernels SEED COUNT [FIRST]       kernels FIRST .. FIRST + COUNT - 1 of this seed, to standard output
 *   random_kernels SEED 1 K --drop 3,7,12   kernel K without these statements
 *   random_kernels SEED 1 K --plain         every node in its plainest spelling
 *   random_kernels SEED 1 K --list          the numbers of the statements that can be left out */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static int usage(void)
{
    fprintf(stderr, "usage: random_kernels SEED COUNT [FIRST] [--drop N,N,...] [--plain] [--list]\n");
    return 2;
}

static int number(const char *text, unsigned long long most, unsigned long long *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *value <= most;
}

static void list(const Stmt *s)
{
    for (; s; s = s->next) {
        if (!s->dropped && !s->forced)
            printf("%d\n", s->id);
        list(s->body);
        list(s->other);
        list(s->third);
    }
}

int main(int argc, char **argv)
{
    unsigned long long seed, count, first = 0;
    int drop[256], drop_count = 0, plain = 0, only_list = 0, i = 3;
    if (argc < 3 || !number(argv[1], -1ull, &seed) || !number(argv[2], 1000, &count) || count == 0)
        return usage();
    if (argc > 3 && argv[3][0] != '-' && !number(argv[i++], 1000000, &first))
        return usage();
    for (; i < argc; i++) {
        if (!strcmp(argv[i], "--plain"))
            plain = 1;
        else if (!strcmp(argv[i], "--list"))
            only_list = 1;
        else if (!strcmp(argv[i], "--drop") && i + 1 < argc) {
            for (char *word = strtok(argv[++i], ","); word && drop_count < 256; word = strtok(NULL, ","))
                drop[drop_count++] = atoi(word);
        } else
            return usage();
    }
    Kernel **kernels = keep(count * sizeof *kernels);
    if (!only_list) {
        print_prelude(stdout, seed);
        puts(
            "static int compare(int kernel, const unsigned *got, const unsigned *want, unsigned threads, unsigned "
            "blocks)\n"
            "{\n"
            "    cudaError_t error = cudaDeviceSynchronize();\n"
            "    if (error == cudaSuccess) error = cudaGetLastError();\n"
            "    if (error != cudaSuccess) return printf(\"kernel %d: %s\\n\", kernel, cudaGetErrorString(error)), 1;\n"
            "    for (unsigned i = 0; i < threads * blocks; i++)\n"
            "        if (got[i] != want[i])\n"
            "            return printf(\"kernel %d: block %u thread %u gives %u, not %u\\n\", kernel, i / threads, i % "
            "threads, got[i], want[i]), 1;\n"
            "    return 0;\n"
            "}");
    }
    for (unsigned long long k = 0; k < count; k++) {
        unsigned expected[MAX_THREADS * MAX_BLOCKS];
        kernels[k] = generate(seed, (int)(first + k));
        kernels[k]->plain = plain;
        reduce_kernel(kernels[k], drop, drop_count);
        if (only_list) {
            list(kernels[k]->body);
            continue;
        }
        interpret(kernels[k], expected);
        print_kernel(stdout, kernels[k], expected);
    }
    if (!only_list)
        print_main(stdout, kernels, (int)count);
    return 0;
}
