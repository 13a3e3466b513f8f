/* Where everything is: pictures of the layouts that TMA, wgmma and stmatrix agree on, drawn by the formulas the
 * kernels use, and checked against where a copy and a product of a Hopper GPU or of the CPU device put things.
 *
 *   1  the 128-byte swizzle: a tile's rows are 128 bytes, eight pieces of 16; row r keeps piece c at place c ^ (r % 8)
 *   2  the descriptor: how 64 bits say where an operand of wgmma is
 *   3  the accumulators: which thread and which register holds which element of the 64 x N result
 *   4  stmatrix into a swizzled box: which row each lane points at
 *   5  the metadata of a 2:4 operand: which lane's which bits describe which four columns
 */
#include <string.h>

#include "device.h"
#include "hopper.cuh"
#include "lab.h"
#include "sparse.h"

/* ---- the formulas ---- */

/* Byte offset, in a tile of 128-byte rows, of byte b of row r. */
static int swizzle_128(int r, int b) { return r * 128 + (((b / 16) ^ (r % 8)) * 16) + b % 16; }
/* The same for rows of 64 bytes: pairs of rows share 128 bytes, and four pieces take turns. */
static int swizzle_64(int r, int b) { return r * 64 + (((b / 16) ^ (r / 2 % 4)) * 16) + b % 16; }

/* Which element of the 64 x N result register i of thread t (of 128) holds. */
static void accumulator_place(int t, int i, int *row, int *col)
{
    *row = t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8;
    *col = i / 4 * 8 + t % 4 * 2 + i % 2;
}

/* Which lane, and from which bit on, describes columns 4q .. 4q + 3 of row r (0..15 of a warp's) of a 16-bit operand 64
 * columns wide: two wgmma, of 32 columns each, with selectors 0 and 1. */
static void metadata_place(int r, int q, int *lane, int *bit)
{
    *lane = r % 8 * 4 + q / 4;
    *bit = r / 8 * 16 + q % 4 * 4;
}

/* ---- the hardware's word on it ---- */

/* A 64 x 64 tile of 16-bit numbers by TMA, then shared memory as it is. */
__global__ void copy_kernel(const __grid_constant__ CUtensorMap map, uint16_t *out)
{
#ifdef HOPPER_CODE
    __shared__ __align__(1024) uint16_t tile[64 * 64];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        mbarrier_init(shared_address(&bar), 1);
        mbarrier_init_fence();
        mbarrier_arrive_expect(shared_address(&bar), sizeof tile);
        tma_load(shared_address(tile), &map, 0, 0, shared_address(&bar));
    }
    __syncthreads();
    mbarrier_wait(shared_address(&bar), 0);
    for (int i = threadIdx.x; i < 64 * 64; i += blockDim.x)
        out[i] = tile[i];
#endif
}

/* Row i of A is (i, 1, 0, ...), row j of B is (1, 64 j, 0, ...): the product at (i, j) is i + 64 j, which says where it
 * is. */
__global__ void multiply_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                                float *out)
{
#ifdef HOPPER_CODE
    __shared__ __align__(1024) uint16_t a[64 * 64];
    __shared__ __align__(1024) uint16_t b[16 * 64];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        mbarrier_init(shared_address(&bar), 1);
        mbarrier_init_fence();
        mbarrier_arrive_expect(shared_address(&bar), sizeof a + sizeof b);
        tma_load(shared_address(a), &map_a, 0, 0, shared_address(&bar));
        tma_load(shared_address(b), &map_b, 0, 0, shared_address(&bar));
    }
    __syncthreads();
    mbarrier_wait(shared_address(&bar), 0);
    float acc[8];
    wgmma_fence();
    Wgmma<Bf16, 16>::run(acc, wgmma_descriptor(shared_address(a), 128), wgmma_descriptor(shared_address(b), 128), 0);
    wgmma_commit();
    wgmma_wait<0>();
    wgmma_pin(acc);
    for (int i = 0; i < 8; i++)
        out[threadIdx.x * 8 + i] = acc[i];
#endif
}

/* Returns how many places the hardware and the formulas disagree on. */
static int disagreements(int *in_swizzle, int *in_accumulators)
{
    static uint16_t h_tile[64 * 64], h_out[64 * 64], h_b[16 * 64];
    static float h_acc[128 * 8];
    uint16_t *tile, *out, *b;
    float *acc;
    CUtensorMap map, map_a, map_b;
    CUDA_CHECK(cudaMalloc((void **)&tile, sizeof h_tile));
    CUDA_CHECK(cudaMalloc((void **)&out, sizeof h_out));
    CUDA_CHECK(cudaMalloc((void **)&b, sizeof h_b));
    CUDA_CHECK(cudaMalloc((void **)&acc, sizeof h_acc));
    for (int i = 0; i < 64 * 64; i++)
        h_tile[i] = (uint16_t)i;
    CUDA_CHECK(cudaMemcpy(tile, h_tile, sizeof h_tile, cudaMemcpyHostToDevice));
    const char *why = tensor_map_2d(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, tile, 64, 64, 64, 64, 64, 128);
    if (why)
        die("%s", why);
    copy_kernel<<<1, 128>>>(map, out);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost));
    *in_swizzle = 0;
    for (int r = 0; r < 64; r++)
        for (int c = 0; c < 64; c++)
            *in_swizzle += h_out[swizzle_128(r, 2 * c) / 2] != r * 64 + c;

    memset(h_tile, 0, sizeof h_tile);
    memset(h_b, 0, sizeof h_b);
    for (int i = 0; i < 64; i++) {
        h_tile[i * 64] = bf16_from_float((float)i);
        h_tile[i * 64 + 1] = bf16_from_float(1);
    }
    for (int j = 0; j < 16; j++) {
        h_b[j * 64] = bf16_from_float(1);
        h_b[j * 64 + 1] = bf16_from_float((float)(64 * j));
    }
    CUDA_CHECK(cudaMemcpy(tile, h_tile, sizeof h_tile, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(b, h_b, sizeof h_b, cudaMemcpyHostToDevice));
    why = tensor_map_2d(&map_a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, tile, 64, 64, 64, 64, 64, 128);
    if (!why)
        why = tensor_map_2d(&map_b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, b, 16, 64, 64, 16, 64, 128);
    if (why)
        die("%s", why);
    multiply_kernel<<<1, 128>>>(map_a, map_b, acc);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(h_acc, acc, sizeof h_acc, cudaMemcpyDeviceToHost));
    *in_accumulators = 0;
    for (int t = 0; t < 128; t++)
        for (int i = 0; i < 8; i++) {
            int row, col;
            accumulator_place(t, i, &row, &col);
            *in_accumulators += h_acc[t * 8 + i] != (float)(row + 64 * col);
        }
    CUDA_CHECK(cudaFree(tile));
    CUDA_CHECK(cudaFree(out));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(acc));
    return *in_swizzle + *in_accumulators;
}

/* ---- the pictures ---- */

/* The largest number of the eight rows' pieces `c` that share a group of four banks; 1 is free of conflicts. */
static int conflicts(int (*place)(int, int), int c)
{
    int in_group[8] = {0}, worst = 0;
    for (int r = 0; r < 8; r++) {
        const int n = ++in_group[place(r, 16 * c) / 16 % 8];
        if (n > worst)
            worst = n;
    }
    return worst;
}
static int plain_128(int r, int b) { return r * 128 + b; }

static int draw_swizzle(void)
{
    printf("\n    1. Eight rows of a tile in shared memory, 128 bytes each; a number is the piece of 16 bytes that "
           "is there.\n"
           "       wgmma and stmatrix go down a column of pieces (piece 3 is marked). Plain, the eight are in the same "
           "banks:\n\n");
    printf("       %-36s%s\n", "plain", "128-byte swizzle: piece c of row r at c ^ (r % 8)");
    for (int r = 0; r < 8; r++) {
        printf("       ");
        for (int c = 0; c < 8; c++)
            printf(c == 3 ? "[%d]" : " %d ", c);
        printf("            ");
        for (int place = 0; place < 8; place++) {
            const int c = place ^ r;
            printf(c == 3 ? "[%d]" : " %d ", c);
        }
        printf("\n");
    }
    int failed = 0;
    for (int c = 0; c < 8; c++)
        failed |= lab_claim(conflicts(swizzle_128, c) == 1 && conflicts(plain_128, c) == 8,
                            "piece %d of eight rows: eight to a bank plain, one swizzled", c);
    for (int c = 0; c < 4; c++)
        failed |= lab_claim(conflicts(swizzle_64, c) == 1, "piece %d of eight 64-byte rows: one to a bank", c);
    printf("\n       To move along K a kernel adds to the address before the swizzle: 32 bytes per wgmma, whatever the "
           "row.\n");
    return failed;
}

static void draw_descriptor(void)
{
    printf(
        "\n    2. The descriptor of an operand in 128-byte rows at shared address 0x8400, its bits from 63 down:\n\n");
    const uint64_t d = (uint64_t)(0x8400 >> 4) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
    const struct {
        int low, bits;
        const char *what;
    } fields[] = {{62, 2, "swizzle: 1 is 128 bytes, 2 is 64, 3 is 32"},
                  {32, 14, "bytes from one group of eight rows to the next, over 16"},
                  {16, 14, "bytes between two such columns, over 16; not used in rows as long as the swizzle"},
                  {0, 14, "address over 16"}};
    for (int f = 0; f < LAB_COUNT(fields); f++) {
        printf("       %2d..%-2d  ", fields[f].low + fields[f].bits - 1, fields[f].low);
        for (int b = fields[f].bits; b-- > 0;)
            printf("%d", (int)(d >> (fields[f].low + b) & 1));
        printf("%*s  %s\n", 14 - fields[f].bits, "", fields[f].what);
    }
}

static int draw_accumulators(void)
{
    printf("\n    3. Warp 0's rows 0..15, columns 0..15 of the result, as lane.register (the next columns: registers 8 "
           "on).\n"
           "       Warp w holds rows 16w .. 16w + 15 likewise.\n\n");
    static int lane[64][16], reg[64][16];
    static int seen[64][16];
    memset(seen, 0, sizeof seen);
    for (int t = 0; t < 128; t++)
        for (int i = 0; i < 8; i++) {
            int row, col;
            accumulator_place(t, i, &row, &col);
            lane[row][col] = t % 32;
            reg[row][col] = i;
            seen[row][col]++;
        }
    int once = 1;
    for (int r = 0; r < 64; r++)
        for (int c = 0; c < 16; c++)
            once &= seen[r][c] == 1;
    for (int r = 0; r < 16; r++) {
        printf("       ");
        for (int c = 0; c < 16; c++)
            printf("%2d.%d ", lane[r][c], reg[r][c]);
        printf(r == 7 ? "\n\n" : "\n");
    }
    return lab_claim(once, "every element of the result is held once");
}

static int draw_stmatrix(void)
{
    printf("\n    4. stmatrix.x4 writes 16 rows x 16 columns of a warp: lane l points at one 16-byte piece. Pieces 2 "
           "and 3 of the\n"
           "       box (columns 16..31); the number is the lane, the place is where in its row the piece goes.\n\n");
    int banks[4][8];
    memset(banks, 0, sizeof banks);
    char picture[16][8][4];
    for (int r = 0; r < 16; r++)
        for (int c = 0; c < 8; c++)
            strcpy(picture[r][c], " . ");
    for (int l = 0; l < 32; l++) {
        const int r = l % 16, piece = 2 + l / 16, place = piece ^ (r & 7);
        snprintf(picture[r][place], sizeof picture[r][place], "%2d ", l);
        banks[l / 8][place]++;
    }
    for (int r = 0; r < 16; r++) {
        printf("       row %2d  ", r);
        for (int c = 0; c < 8; c++)
            printf(" %s", picture[r][c]);
        printf("\n");
    }
    int free_of_conflicts = 1;
    for (int m = 0; m < 4; m++)
        for (int place = 0; place < 8; place++)
            free_of_conflicts &= banks[m][place] == 1;
    return lab_claim(free_of_conflicts, "each of the four 8 x 8 matrices goes to eight different groups of banks");
}

static int draw_metadata(void)
{
    printf("\n    5. 2:4 metadata of a warp's 16 rows x 64 columns of 16-bit elements: lane:first bit of the 4 bits "
           "that describe\n"
           "       each four columns. Columns 0..31 go with selector 0 (lanes 0 and 1 of each four), 32..63 with "
           "selector 1.\n\n");
    static int used[32][32];
    memset(used, 0, sizeof used);
    for (int r = 0; r < 16; r++) {
        if (r < 3 || (r > 7 && r < 10))
            printf("       row %2d  ", r);
        for (int q = 0; q < 16; q++) {
            int lane, bit;
            metadata_place(r, q, &lane, &bit);
            for (int b = 0; b < 4; b++)
                used[lane][bit + b]++;
            if (r < 3 || (r > 7 && r < 10))
                printf("%s%2d:%-2d", q == 8 ? " | " : " ", lane, bit);
        }
        if (r < 3 || (r > 7 && r < 10))
            printf("\n");
        if (r == 3 || r == 10)
            printf("       ...\n");
    }
    int once = 1, stored_so = 1;
    for (int l = 0; l < 32; l++)
        for (int b = 0; b < 32; b++)
            once &= used[l][b] == 1;
    for (int r = 0; r < 16; r++)
        for (int q = 0; q < 16; q++) {
            int lane, bit;
            size_t word;
            unsigned first;
            metadata_place(r, q, &lane, &bit);
            sparse24_place((size_t)r, (size_t)(4 * q), 64, 2, &word, &first);
            stored_so &= word == (size_t)lane && first == (unsigned)bit;
        }
    return lab_claim(stored_so, "sparse.h stores one word per lane, in this order") |
           lab_claim(once, "every bit of every lane describes something, once");
}

static int show(const LabOptions *options)
{
    (void)options;
    int failed = draw_swizzle();
    if (lab_brief())
        return failed;
    draw_descriptor();
    failed |= draw_accumulators();
    failed |= draw_stmatrix();
    failed |= draw_metadata();
    if (!hopper_here()) {
        int in_swizzle, in_accumulators;
        disagreements(&in_swizzle, &in_accumulators);
        printf("\n    On this %s: a tile fetched by TMA is laid out as in picture 1, a product of wgmma as in picture "
               "3.\n",
               device_is_cpu() ? "CPU device" : "GPU");
        failed |=
            lab_claim(in_swizzle == 0, "TMA's swizzle is the formula's: %d of 4096 elements are elsewhere", in_swizzle);
        failed |= lab_claim(in_accumulators == 0, "wgmma's layout is the formula's: %d of 1024 elements are elsewhere",
                            in_accumulators);
        return failed;
    }
    printf("\n    Pictures by formula; on the CPU device and on a Hopper GPU this lab also looks where TMA and wgmma "
           "put things.\n");
    return failed;
}

static const Lab lab = {
    .order = 11,
    .name = "layouts",
    .title = "where each element is: swizzle, descriptor, accumulators, 2:4 metadata",
    .page = "hopper.md",
    .look = "TMA writes, wgmma reads and stmatrix writes the same permuted rows, so that eight rows' pieces never meet "
            "in a\n"
            "bank. Follow one element from global memory to the register it ends in.",
    .show = show,
};

LAB_MAIN(lab)
