/* lexer_fuzz.c: the lexer of cucc under libFuzzer: no text may crash it or make it hang, and text without CUDA words
 * passes through byte for byte. A byte 1 divides the text into the device's and the host's (see merge() there).
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -o lexer_fuzz tests/fuzz/lexer_fuzz.c && ./lexer_fuzz -max_len=4096 corpus/
 *
 * Without libFuzzer (-DREPLAY, any compiler) the program runs the files named on its command line. */
#define main lexer_main
#include "../../cpudevice/src/lexer.c"
#undef main

static bool has_cuda_words(const char *text)
{
    static const char *const words[] = {"__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__", "__launch_bounds__",
        "__cluster_dims__", "__maxnreg__", "__block_size__", "__grid_constant__", "__forceinline__", "__noinline__", "__nv_pure__", "<<<", "pragma", NULL};
    for (int i = 0; words[i]; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    if (size < 1)
        return 0;
    check_mode = data[0] & 1;
    no_split = data[0] & 2;
    char *text = malloc(size);
    if (!text)
        abort();
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    char *second = memchr(text, 1, size - 1);
    Token *host = NULL;
    if (second) {
        *second++ = 0;
        ntok = 0;
        tokenize(second, text + size - 1);
        host = tok;
        tok = NULL;
        cap = 0;
    }
    size_t first_size = second ? (size_t)(second - text) - 1 : size - 1;
    ntok = nnames = nbodies = nchanging = errors = 0;
    tokenize(text, text + first_size);
    if (second) {
        int before = ntok;
        merge(host);
        free(host);
        if (ntok != before && first_size == (size_t)(text + size - 1 - second) && !memcmp(text, second, first_size))
            abort();            /* equal texts were found to differ */
    }
    rewrite();
    size_t length = 0;
    bool changed = false, other_words = false; /* a kernel in plainer words has tokens that are not in the text */
    for (int i = 0; i < ntok; i++) {
        other_words |= tok[i].lead < text || tok[i].lead > text + size;
        length += (size_t)(tok[i].s - tok[i].lead) + (size_t)tok[i].len;
        changed |= tok[i].drop || tok[i].before || tok[i].after;
        free(tok[i].before);
        free(tok[i].after);
    }
    if (length != size - 1 && !second && !other_words)
        abort();                /* a byte is in no token */
    if (changed && !second && strlen(text) == size - 1 && !has_cuda_words(text))
        abort();                /* plain C++ was changed */
    free(text);
    return 0;
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
