/* Exercise 5.15 project: a portrait from a camera that lies on its side (12 points)
 *
 * A camera delivers rows of pixels, three bytes each: red, green, blue. Make the portrait from them, in as many kernels
 * as you like, of any shape. There are four steps:
 *   1. grey: grey_of(red, green, blue), a number from 0 to 255;
 *   2. contrast: range[0] and range[1], the smallest and the largest grey of the whole picture;
 *   3. blur: 5 x 5 pixels weighted by tap(i) * tap(j) / 256; beyond an edge, the pixel at the edge counts (inside());
 *   4. stretch and rotate: pixel (x, y) becomes (blurred - smallest) / (largest - smallest), or 0 if these two are
 *      equal, in row x, column height - 1 - y of the output.
 * This is a project: ./run 5.15 judges one stage after the other, and says which is next.
 *
 * Limits at 256x128:
 *   stage 2, whole sectors (2 points):
 *     sectors of global loads <= 11000
 *     sectors / possible sectors of global stores <= 1.5
 *     global atomics <= 200
 *   stage 3, no bank conflicts (2 points):
 *     bank conflicts <= 200
 *   stage 4, few memory turns (3 points):
 *     memory turns <= 31000
 *
 * Hint 1: begin with one thread per pixel, four small kernels and `grey` between them. Stage 1 asks for right numbers
 * only, so find out what is right before you make it fast.
 *
 * Hint 2: stage 2. Neighbouring threads that load the red values use only every third byte. Let a block copy its bytes
 * into shared memory as they are, in consecutive words, and take the pixels apart there. Rotate tile by tile, as in
 * 5.4. Find the smallest and largest grey of a block first, as in 5.6, then use one atomic for each of the two.
 *
 * Hint 3: stage 3. A thread that takes apart 4 pixels reads 3 consecutive words, and 3 and 32 have no common divisor.
 * The rotated tile needs rows of 33 words.
 *
 * Hint 4: stage 4. tap(i) * tap(j) is a product, so blur along the rows first, then along the columns: 5 + 5 reads
 * instead of 25. Each of these reads costs a turn; a thread that makes several neighbouring outputs can keep in
 * registers what they share.
 *
 * After a pass:
 * One kernel reads whole words, takes the pixels apart in shared memory, and reduces the range within warps and blocks.
 * A second one blurs a tile in shared memory along rows, then columns, and writes it rotated, through rows of 33 words.
 * Next: a lower number of turns, for the leaderboard (tools/course.sh leaderboard); most of the turns are the blur's
 * reads.
 */
#include "lab.h"

__host__ __device__ static int grey_of(int red, int green, int blue)
{
    return (77 * red + 150 * green + 29 * blue) >> 8;
}

/* The blur's weights, 1 4 6 4 1, for i from 0 to 4; their sum is 16. */
__host__ __device__ static int tap(int i) { return i == 2 ? 6 : i == 1 || i == 3 ? 4 : 1; }

/* i, or the nearest index of 0 to n - 1. */
__host__ __device__ static int inside(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }

// TODO(ex15): your kernels (about 70 lines)
// >>> answer
enum { THREADS = 256, TILE = 32, ROWS = 8, TALL = TILE + 4 };

/* 4 pixels per thread. A block copies its 3 * 256 words first, then takes them apart. */
__global__ void grey_kernel(const unsigned char *rgb, unsigned char *grey, unsigned *range, int n)
{
    __shared__ unsigned word[3 * THREADS], low[THREADS / 32], high[THREADS / 32];
    const int t = threadIdx.x, first = blockIdx.x * 4 * THREADS;
    for (int k = t; k < 3 * THREADS; k += THREADS) {
        const int byte = 3 * first + 4 * k;
        if (byte + 3 < 3 * n) {
            word[k] = *(const unsigned *)(rgb + byte);
        } else {
            unsigned last = 0;
            for (int b = 0; byte + b < 3 * n; b++)
                last |= (unsigned)rgb[byte + b] << 8 * b;
            word[k] = last;
        }
    }
    __syncthreads();
    const unsigned a = word[3 * t], b = word[3 * t + 1], c = word[3 * t + 2];
    const int g[4] = {grey_of(a & 255, a >> 8 & 255, a >> 16 & 255), grey_of(a >> 24, b & 255, b >> 8 & 255),
                      grey_of(b >> 16 & 255, b >> 24, c & 255), grey_of(c >> 8 & 255, c >> 16 & 255, c >> 24)};
    const int pixel = first + 4 * t;
    unsigned smallest = 255, largest = 0;
    for (int i = 0; i < 4 && pixel + i < n; i++) {
        smallest = min(smallest, (unsigned)g[i]);
        largest = max(largest, (unsigned)g[i]);
    }
    if (pixel + 3 < n)
        *(uchar4 *)(grey + pixel) = make_uchar4(g[0], g[1], g[2], g[3]);
    else
        for (int i = 0; pixel + i < n; i++)
            grey[pixel + i] = (unsigned char)g[i];
    for (int step = 16; step > 0; step /= 2) {
        smallest = min(smallest, __shfl_down_sync(0xffffffffu, smallest, step));
        largest = max(largest, __shfl_down_sync(0xffffffffu, largest, step));
    }
    if (t % 32 == 0)
        low[t / 32] = smallest, high[t / 32] = largest;
    __syncthreads();
    if (t > 0)
        return;
    for (int w = 1; w < THREADS / 32; w++)
        smallest = min(smallest, low[w]), largest = max(largest, high[w]);
    atomicMin(&range[0], smallest);
    atomicMax(&range[1], largest);
}

/* A tile of 32 x 32 outputs per block of 32 x 8 threads. */
__global__ void turn_kernel(const unsigned char *grey, const unsigned *range, float *out, int width, int height)
{
    __shared__ unsigned char pixel[TALL][TALL];
    __shared__ int across[TALL][TILE];
    __shared__ float turned[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE;
    for (int row = ty; row < TALL; row += ROWS)
        for (int column = tx; column < TALL; column += TILE)
            pixel[row][column] = grey[(size_t)inside(y0 + row - 2, height) * width + inside(x0 + column - 2, width)];
    __syncthreads();
    for (int row = ty; row < TALL; row += ROWS) {
        int sum = 0;
        for (int i = 0; i < 5; i++)
            sum += tap(i) * pixel[row][tx + i];
        across[row][tx] = sum;
    }
    __syncthreads();
    const float smallest = (float)range[0], span = (float)range[1] - smallest;
    for (int row = ty; row < TILE; row += ROWS) {
        int sum = 0;
        for (int i = 0; i < 5; i++)
            sum += tap(i) * across[row + i][tx];
        turned[tx][row] = span > 0 ? ((float)sum / 256 - smallest) / span : 0;
    }
    __syncthreads();
    for (int row = ty; row < TILE; row += ROWS)
        if (x0 + row < width && y0 + tx < height)
            out[(size_t)(x0 + row) * height + (height - 1 - (y0 + tx))] = turned[row][tx];
}
// <<< answer

/* All pointers are on the device. `grey` has room for width * height bytes between your kernels; range[0] is 255 and
 * range[1] is 0 when this begins. Launch everything on `stream`. */
static void portrait(const unsigned char *rgb, unsigned char *grey, unsigned *range, float *out, int width, int height,
                     cudaStream_t stream)
{
    // TODO(ex15): launch them (about 5 lines)
    // >>> answer
    // stub: (void)rgb, (void)grey, (void)range, (void)out, (void)width, (void)height, (void)stream;
    const int n = width * height;
    const dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), block(TILE, ROWS);
    grey_kernel<<<(n + 4 * THREADS - 1) / (4 * THREADS), THREADS, 0, stream>>>(rgb, grey, range, n);
    turn_kernel<<<grid, block, 0, stream>>>(grey, range, out, width, height);
    // <<< answer
}

typedef void Portrait(const unsigned char *, unsigned char *, unsigned *, float *, int, int, cudaStream_t);
static const LabRung rungs[] = {{1, "portrait", LAB_LAUNCH(Portrait, portrait)}};

/* Soft shapes, and noise on them. */
static const char *setup(LabCase *c)
{
    const size_t width = c->dim[0], height = c->dim[1];
    if (width == 0 || height == 0 || width > 1 << 14 || height > 1 << 14)
        return "width and height are from 1 to 16384";
    unsigned char *rgb = (unsigned char *)lab_input(c, 0, 3 * width * height, LAB_U8);
    uint64_t state = c->seed;
    const size_t slope = 1 + c->seed % 3;
    for (size_t i = 0; i < 3 * width * height; i++) {
        const size_t x = i / 3 % width, y = i / 3 / width;
        state = state * 6364136223846793005u + 1442695040888963407u;
        rgb[i] = (unsigned char)(20 + (slope * x + y * y / 64 + 40 * (i % 3)) % 160 + (state >> 59));
    }
    lab_output(c, width * height, LAB_F32);
    c->out_width = height;
    c->atol = 1e-5;
    c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    const int width = (int)c->dim[0], height = (int)c->dim[1];
    const unsigned char *rgb = lab_h_in_u8(c, 0);
    int low = 255, high = 0;
    for (size_t i = 0; i < (size_t)width * height; i++) {
        const int grey = grey_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        low = grey < low ? grey : low, high = grey > high ? grey : high;
    }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double sum = 0;
            for (int j = 0; j < 5; j++)
                for (int i = 0; i < 5; i++) {
                    const unsigned char *p =
                        rgb + 3 * ((size_t)inside(y + j - 2, height) * width + inside(x + i - 2, width));
                    sum += tap(i) * tap(j) / 256.0 * grey_of(p[0], p[1], p[2]);
                }
            c->expect[(size_t)x * height + height - 1 - y] = high > low ? (sum - low) / (high - low) : 0;
        }
}

static void run(const LabRung *r, LabCase *c)
{
    const size_t pixels = c->dim[0] * c->dim[1];
    unsigned *range = (unsigned *)lab_scratch(c, 256 + pixels);
    CUDA_CHECK(cudaMemsetAsync(range, 0, 2 * sizeof *range, c->stream));
    CUDA_CHECK(cudaMemsetAsync(range, 255, 1, c->stream));
    ((Portrait *)r->launch)(lab_in_u8(c, 0), (unsigned char *)range + 256, range, lab_out_f32(c), (int)c->dim[0],
                            (int)c->dim[1], c->stream);
}

static double bytes(const LabCase *c) { return 7.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 15,
    .name = "ex15_project_portrait",
    .title = "a portrait from a camera that lies on its side",
    .dims = "width height",
    .size = "8192x6144",
    .cpu_size = "1024x768",
    .test_sizes = "64x48 1x1 3x5 1x40 33x31 100x70",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
