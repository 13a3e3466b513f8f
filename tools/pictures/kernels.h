/* kernels.h: the labs' kernels, made callable for replay.h. `arguments` is a KernelArguments. */
#ifndef KERNELS_H
#define KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct KernelArguments {
    void *p[4];
    int n[5];
} KernelArguments;

/* lecture 1: p[0] x, n[0] elements; GELU: p x, y, scratch of 2 n. The chain is a launcher: run it in one thread, and
 * the barriers of an access count the launches before it. */
void call_first(void *arguments), call_gelu_chain(void *arguments), call_gelu_fused(void *arguments);
/* lecture 3; square: p A, B; n rows, cols */
void call_add3(void *arguments), call_add4(void *arguments); /* p x, y, z; n[0] elements */
void call_square1(void *arguments), call_square2(void *arguments), call_square4(void *arguments);
void call_grey3(void *arguments), call_grey5(void *arguments); /* p planes, grey; n pixels, groups of 16 */
void call_matmul_naive1(void *arguments), call_matmul_naive2(void *arguments); /* p A, B, C; n M, N, K */
void call_stride1(void *arguments), call_stride2(void *arguments), call_stride8(void *arguments),
    call_offset1(void *arguments);
/* lecture 5; some with smaller tiles and blocks than the labs', so that one can see them */
enum { PICTURE_TILE = 4, PICTURE_THREADS = 16, PICTURE_OUTPUTS = 10, PICTURE_RADIUS = 3 };
void call_tiled(void *arguments);                                        /* p A, B, C; n M, N, K */
void call_transpose1(void *arguments), call_transpose3(void *arguments); /* p A, B; n M, N; tiles of 32 x 32 */
void call_transpose4(void *arguments), call_transpose5(void *arguments);
void call_sum1(void *arguments), call_sum2(void *arguments); /* p x, partial; n[0] elements */
void call_scan1(void *arguments);                            /* p x, y, sums; n[0] elements */
void call_stencil2(void *arguments);                         /* p x, y; n[0] elements */
/* Which lane's value lane `thread` takes in each of its shuffles of warp_sum; ends with -1. */
typedef struct ShuffleLog {
    int from[32][8], count[32];
} ShuffleLog;
void call_warp_sum(void *log);
/* The online softmax after each of n numbers. */
void online_softmax(const float *x, int n, float *max, float *sum);

/* lecture 14 */
void call_gemm7(void *arguments); /* p A, B, C; n M, N, K */
void order_grouped(int id, int rows, int columns, int group, int *row, int *column);
void order_hilbert(unsigned *out, int rows, int columns); /* row << 16 | column, in order */
int layout_swizzle_128(int row, int byte);
int layout_conflicts(int piece, int swizzled);
void layout_accumulator(int thread, int i, int *row, int *column);
/* The addresses that each lane of warp 0 gives to ldmatrix, from the beginning of shared memory. */
typedef struct LdmatrixLog {
    long offset[128][8];
    int count[128];
} LdmatrixLog;
void call_ldmatrix(void *arguments); /* p A, B, C, an LdmatrixLog; n M, N, K */
void call_blocks1(void *arguments), call_blocks2(void *arguments), call_blocks3(void *arguments); /* p x, z; n[0] */
/* What one thread of the ring kernel does to its barriers, in order: bar is the barrier's address, 8 bytes each. */
enum { RING_STAGES = 4, RING_MOST = 512 };
enum { RING_WAIT, RING_FILL, RING_LOAD, RING_MULTIPLY, RING_EMPTY, RING_STORE };
typedef struct RingEvent {
    int what, bar, value; /* value: the parity that is waited for, or the step that is loaded */
} RingEvent;
typedef struct RingLog {
    RingEvent event[RING_MOST];
    int count;
} RingLog;
void ring_walk(RingLog *log, int thread, int steps);
/* Stream-K: what a cluster does, piece by piece. Returns how many pieces. */
typedef struct WorkPiece {
    int tile, k0, k1;
} WorkPiece;
int work_list(int whole_waves, int tiles, int steps, int clusters, int me, int shared_steps, WorkPiece *piece,
              int most);

/* Lectures 5 and 14, the kernels of a transformer. Attention of one head, causal: p q, k, v, o, floats of n[0] tokens
 * by PICTURE_WIDTH; a block of 256 threads for each 64 queries. */
enum { PICTURE_WIDTH = 16 };
void call_attention2(void *arguments);
/* What a consumer of attention's ping-pong kernel does in its loop, in order. */
enum { TURN_WAIT, TURN_PRODUCT, TURN_GIVE, TURN_PRODUCTS_DONE, TURN_SOFTMAX };
int attention_turns(int group, int steps, int *what, int most);
/* LayerNorm: p x, weight, bias, y; n rows, columns; one block per row. The second with 4 columns per thread. */
void call_norm2(void *arguments), call_norm3(void *arguments);
/* The maximum (of x times log2 e) and the sum after each tile of 4 numbers. */
void online_tiles(const float *x, int tiles, float *max, float *sum);
/* The look back of one warp: what it adds up for `tile`, from states as the lab has them (OWN_SUM 1, WHOLE_SUM 2). How
 * many predecessors count goes to *used. */
float back_sum(const int *state, const float *value, int tile, int *used);

/* Where the kernels' shared arrays lie. */
const void *shared_begin(void);
unsigned long shared_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
