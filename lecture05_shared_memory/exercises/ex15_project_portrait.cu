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

/* All pointers are on the device. `grey` has room for width * height bytes between your kernels; range[0] is 255 and
 * range[1] is 0 when this begins. Launch everything on `stream`. */
static void portrait(const unsigned char *rgb, unsigned char *grey, unsigned *range, float *out, int width, int height,
                     cudaStream_t stream)
{
    // TODO(ex15): launch them (about 5 lines)
    (void)rgb, (void)grey, (void)range, (void)out, (void)width, (void)height, (void)stream;
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
