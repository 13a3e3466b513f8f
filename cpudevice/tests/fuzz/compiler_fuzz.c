/* compiler_fuzz.c: cucc's compiler under libFuzzer: no text may crash it or make it hang, and text without CUDA's words
 * passes through byte for byte. A byte 1 divides the text into the device's and the host's (see pass_merge).
 *
 * Built with all of cpudevice/compiler, whose own main is renamed: see run.sh. Without libFuzzer (-DREPLAY, any
 * compiler) the program runs the files named on its command line. */
#include "front/unit.h"

#include <stdlib.h>
#include <string.h>

static bool has_cuda_words(const char *text)
{
    static const char *const words[] = {"__global__",
                                        "__device__",
                                        "__host__",
                                        "__shared__",
                                        "__constant__",
                                        "__managed__",
                                        "__launch_bounds__",
                                        "__cluster_dims__",
                                        "__maxnreg__",
                                        "__block_size__",
                                        "__grid_constant__",
                                        "__forceinline__",
                                        "__noinline__",
                                        "__nv_pure__",
                                        "<<<",
                                        "pragma",
                                        NULL};
    for (int i = 0; words[i]; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static void (*const passes[])(Unit *) = {pass_merge,   pass_outline, pass_parse,     pass_resolve,
                                             pass_effects, pass_calls,   pass_canonical, pass_print};
    if (size < 1)
        return 0;
    Unit u = {.check = data[0] & 1, .no_split = data[0] & 2, .no_loops = data[0] & 4};
    char *text = must(malloc(size)), *printed = NULL;
    size_t length = 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    char *second = memchr(text, 1, size - 1);
    if (second) {
        *second++ = 0;
        tokenize(&u.host, second, text + size - 1);
        find_mates(&u.host);
    }
    size_t first = second ? (size_t)(second - text) - 1 : size - 1;
    tokenize(&u.tok, text, text + first);
    find_mates(&u.tok);
    u.out = open_memstream(&printed, &length);
    if (!u.out)
        abort();
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
        passes[i](&u);
    fclose(u.out);
    if (!second && strlen(text) == size - 1 && !has_cuda_words(text) && !u.errors &&
        (length != first || memcmp(printed, text, first)))
        abort(); /* plain C++ was changed */
    free(printed);
    return 0; /* the text stays: the compiler frees nothing that refers to it */
}

#ifdef REPLAY
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        static unsigned char text[1 << 22];
        size_t n = f ? fread(text, 1, sizeof text, f) : 0;
        if (f)
            fclose(f);
        LLVMFuzzerTestOneInput(text, n);
    }
    printf("%d files\n", argc - 1);
    return 0;
}
#endif
