// Feeds cucc's lexer with any text (libFuzzer): it must not crash, hang or
// write out of bounds, and text without CUDA's words must come out as it went
// in. tests/fuzz/run.sh builds and runs it.
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The lexer is a program that ends with its input: its memory is taken back
// after each text, its exits come back here, its output is caught.
static void *blocks[1 << 20];
static size_t block_count;
static jmp_buf leave;
static char *out;
static size_t out_bytes, out_room;

static void *keep(void *p)
{
	if (p && block_count < sizeof blocks / sizeof *blocks) blocks[block_count++] = p;
	return p;
}
static void *fuzz_malloc(size_t n) { return keep(malloc(n)); }
static void *fuzz_calloc(size_t n, size_t m) { return keep(calloc(n, m)); }
static void fuzz_free(void *p) { (void)p; }
static void *fuzz_realloc(void *p, size_t n)
{
	if (p)
		for (size_t i = block_count; i-- > 0;)
			if (blocks[i] == p) return blocks[i] = realloc(p, n);
	return keep(realloc(p, n));
}
static size_t fuzz_fwrite(const void *p, size_t size, size_t n, FILE *f)
{
	(void)f;
	if (out_bytes + size * n > out_room) out = realloc(out, out_room = 2 * (out_bytes + size * n) + 64);
	memcpy(out + out_bytes, p, size * n);
	out_bytes += size * n;
	return n;
}
static const uint8_t *input;
static size_t input_bytes;
static size_t fuzz_fread(void *p, size_t size, size_t n, FILE *f)
{
	(void)f;
	if (size * n > input_bytes) n = input_bytes / size;
	memcpy(p, input, size * n);
	input += size * n;
	input_bytes -= size * n;
	return n;
}
static void fuzz_exit(int status) { longjmp(leave, status + 1); }

#define malloc fuzz_malloc
#define calloc fuzz_calloc
#define realloc fuzz_realloc
#define free fuzz_free
#define fwrite fuzz_fwrite
#define fread fuzz_fread
#define exit fuzz_exit
#define fprintf(...) ((void)0)
#define vfprintf(...) ((void)0)
#define fputc(...) ((void)0)
#define main lexer_main
#include "../../cpudevice/src/lexer.c"
#undef main
#undef fprintf
#undef malloc
#undef realloc
#undef free

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	if (bytes > 65536 || memchr(data, 0, bytes)) return 0; // a translation unit has no NUL
	for (int check = 0; check < 2; check++) {
		char *argv[] = {"lexer", "--check", NULL};
		input = data;
		input_bytes = bytes;
		out_bytes = 0;
		block_count = 0;
		tok = NULL;
		ntok = cap = errors = 0;
		names = NULL;
		nnames = names_cap = 0;
		bodies = NULL;
		nbodies = bodies_cap = 0;
		check_mode = no_split = false;
		int status = setjmp(leave);
		if (!status) status = lexer_main(1 + check, argv) + 1;
		if (status == 1) {
			static const char *const words[] = {"__", "<<<", "asm", "pragma", "extern", NULL};
			char *text = malloc(bytes + 1);
			memcpy(text, data, bytes);
			text[bytes] = 0;
			int cuda = 0;
			for (int i = 0; words[i]; i++) cuda |= strstr(text, words[i]) != NULL;
			if (!cuda && (out_bytes != bytes || memcmp(out, data, bytes))) {
				fprintf(stderr, "text without CUDA came out changed\n");
				abort();
			}
			free(text);
		}
		for (size_t i = 0; i < block_count; i++) free(blocks[i]);
	}
	return 0;
}
