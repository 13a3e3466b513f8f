/* greyscale.cu: grey = 0.2989 red + 0.5870 green + 0.1140 blue, rounded, for an image of width x height pixels of 8
 * bits per channel. The weights are those of ITU-R BT.601 luma, as PyTorch's and MATLAB's rgb2gray round them.
 *
 * The input is interleaved (RGBRGB..., as in image files) or planar (all red, all green, all blue, as in
 * PyTorch's C x H x W tensors). 4 bytes move per pixel, 3 in and 1 out, so the access pattern is everything.
 *
 *   1 interleaved, 1D       one thread per pixel; its three bytes are 3 apart from its neighbour's
 *   2 interleaved, 2D       16 x 16 blocks: the index map of a picture, the same bytes
 *   3 planar, 1D            each access of a warp is 32 bytes side by side, a quarter of what it could be
 *   4 planar, 2D            the same on a 2D grid
 *   5 planar, 16 per thread  16 bytes per access: three loads and one store for 16 pixels
 *   6 interleaved, 16       48 bytes as three 16-byte loads, picked apart in registers
 *
 * ./run greyscale --image FILE.ppm converts your own picture; build/grey.pgm is the result.
 */
#include <argp.h>

#include "ceil_div.cuh"
#include "device.h"
#include "image.h"
#include "lab.h"

static void grey_cpu(const uint8_t *rgb, double *grey, size_t pixels)
{
    for (size_t i = 0; i < pixels; i++)
        grey[i] = 0.2989 * rgb[3 * i] + 0.5870 * rgb[3 * i + 1] + 0.1140 * rgb[3 * i + 2];
}

static __device__ unsigned grey_of(unsigned red, unsigned green, unsigned blue)
{
    /* 0.2989, not 0.2989f, would be double */
    return (unsigned)(0.2989f * red + 0.5870f * green + 0.1140f * blue + 0.5f);
}

__global__ void grey_kernel1(const uint8_t *rgb, uint8_t *grey, int pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        grey[i] = grey_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}

__global__ void grey_kernel2(const uint8_t *rgb, uint8_t *grey, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int i = y * width + x;
        grey[i] = grey_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    }
}

__global__ void grey_kernel3(const uint8_t *planes, uint8_t *grey, int pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        grey[i] = grey_of(planes[i], planes[pixels + i], planes[2 * pixels + i]);
}

__global__ void grey_kernel4(const uint8_t *planes, uint8_t *grey, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int i = y * width + x, pixels = width * height;
        grey[i] = grey_of(planes[i], planes[pixels + i], planes[2 * pixels + i]);
    }
}

/* Byte k of a word: 0 is the lowest address. */
static __device__ unsigned byte_of(unsigned word, int k) { return word >> (8 * k) & 255; }

static __device__ unsigned grey_word(unsigned red, unsigned green, unsigned blue)
{
    unsigned out = 0;
    for (int k = 0; k < 4; k++)
        out |= grey_of(byte_of(red, k), byte_of(green, k), byte_of(blue, k)) << (8 * k);
    return out;
}

/* `groups` of 16 pixels; a plane is pixels / 16 uint4, so pixels must be a multiple of 16. */
__global__ void grey_kernel5(const uint4 *planes, uint4 *grey, int groups)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < groups) {
        uint4 r = planes[i], g = planes[groups + i], b = planes[2 * groups + i];
        grey[i] = make_uint4(grey_word(r.x, g.x, b.x), grey_word(r.y, g.y, b.y), grey_word(r.z, g.z, b.z),
                             grey_word(r.w, g.w, b.w));
    }
}

/* Three words hold four pixels: R0 G0 B0 R1 | G1 B1 R2 G2 | B2 R3 G3 B3. */
static __device__ unsigned grey_word_interleaved(unsigned a, unsigned b, unsigned c)
{
    return grey_of(byte_of(a, 0), byte_of(a, 1), byte_of(a, 2)) |
           grey_of(byte_of(a, 3), byte_of(b, 0), byte_of(b, 1)) << 8 |
           grey_of(byte_of(b, 2), byte_of(b, 3), byte_of(c, 0)) << 16 |
           grey_of(byte_of(c, 1), byte_of(c, 2), byte_of(c, 3)) << 24;
}

__global__ void grey_kernel6(const uint4 *rgb, uint4 *grey, int groups)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < groups) {
        uint4 u = rgb[3 * i], v = rgb[3 * i + 1], w = rgb[3 * i + 2];
        grey[i] = make_uint4(grey_word_interleaved(u.x, u.y, u.z), grey_word_interleaved(u.w, v.x, v.y),
                             grey_word_interleaved(v.z, v.w, w.x), grey_word_interleaved(w.y, w.z, w.w));
    }
}

typedef void Grey(const uint8_t *in, uint8_t *grey, int width, int height, cudaStream_t stream);

static void grey1(const uint8_t *rgb, uint8_t *grey, int width, int height, cudaStream_t stream)
{
    grey_kernel1<<<ceil_div(width * height, 256), 256, 0, stream>>>(rgb, grey, width * height);
    CUDA_CHECK(cudaGetLastError());
}

static void grey2(const uint8_t *rgb, uint8_t *grey, int width, int height, cudaStream_t stream)
{
    grey_kernel2<<<dim3(ceil_div(width, 16), ceil_div(height, 16)), dim3(16, 16), 0, stream>>>(rgb, grey, width,
                                                                                               height);
    CUDA_CHECK(cudaGetLastError());
}

static void grey3(const uint8_t *planes, uint8_t *grey, int width, int height, cudaStream_t stream)
{
    grey_kernel3<<<ceil_div(width * height, 256), 256, 0, stream>>>(planes, grey, width * height);
    CUDA_CHECK(cudaGetLastError());
}

static void grey4(const uint8_t *planes, uint8_t *grey, int width, int height, cudaStream_t stream)
{
    grey_kernel4<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8), 0, stream>>>(planes, grey, width,
                                                                                             height);
    CUDA_CHECK(cudaGetLastError());
}

static void grey5(const uint8_t *planes, uint8_t *grey, int width, int height, cudaStream_t stream)
{
    int groups = width * height / 16;
    grey_kernel5<<<ceil_div(groups, 256), 256, 0, stream>>>((const uint4 *)planes, (uint4 *)grey, groups);
    CUDA_CHECK(cudaGetLastError());
}

static void grey6(const uint8_t *rgb, uint8_t *grey, int width, int height, cudaStream_t stream)
{
    int groups = width * height / 16;
    grey_kernel6<<<ceil_div(groups, 256), 256, 0, stream>>>((const uint4 *)rgb, (uint4 *)grey, groups);
    CUDA_CHECK(cudaGetLastError());
}

enum { INTERLEAVED, PLANAR };

static const LabRung rungs[] = {
    {1, "interleaved, 1D", LAB_LAUNCH(Grey, grey1), LAB_U8, 0, INTERLEAVED},
    {2, "interleaved, 2D 16 x 16", LAB_LAUNCH(Grey, grey2), LAB_U8, 0, INTERLEAVED},
    {3, "planar, 1D", LAB_LAUNCH(Grey, grey3), LAB_U8, 0, PLANAR},
    {4, "planar, 2D 32 x 8", LAB_LAUNCH(Grey, grey4), LAB_U8, 0, PLANAR},
    {5, "planar, 16 pixels per thread", LAB_LAUNCH(Grey, grey5), LAB_U8, 0, PLANAR},
    {6, "interleaved, 16 per thread", LAB_LAUNCH(Grey, grey6), LAB_U8, 0, INTERLEAVED},
};

static const char *image_file = "data/astronaut.ppm";

static void read_photo(Image *photo)
{
    const char *why = image_read(image_file, photo);
    if (why)
        die_usage("%s: %s", image_file, why);
    if (photo->channels != 3)
        die_usage("%s: a grey image already; give an RGB one (P6)", image_file);
}

/* The photograph at the case's size, by nearest neighbour: in 0 interleaved, in 1 planar. */
static const char *setup(LabCase *c)
{
    size_t width = c->dim[0], height = c->dim[1], pixels = width * height;
    if (width == 0 || height == 0 || width > 65535 * 8 || height > 65535 * 8 || pixels > 700u * 1000 * 1000)
        return "width and height must be at least 1, and the image at most 700 million pixels";
    Image photo;
    read_photo(&photo);
    lab_input(c, 0, 3 * pixels, LAB_U8);
    lab_input(c, 1, 3 * pixels, LAB_U8);
    uint8_t *rgb = lab_h_in_u8(c, 0), *planes = lab_h_in_u8(c, 1);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            for (size_t k = 0; k < 3; k++) {
                uint8_t v = photo.pixel[3 * ((y * photo.height / height) * photo.width + x * photo.width / width) + k];
                rgb[3 * (y * width + x) + k] = v;
                planes[k * pixels + y * width + x] = v;
            }
    image_free(&photo);
    lab_output(c, pixels, LAB_U8);
    c->out_width = width;
    c->atol = 0.5001; /* the expectation is not rounded, the answer is */
    return NULL;
}

static void reference(LabCase *c) { grey_cpu(lab_h_in_u8(c, 0), c->expect, c->out_count); }

static void run(const LabRung *r, LabCase *c)
{
    ((Grey *)r->launch)(lab_in_u8(c, r->variant), lab_out_u8(c), (int)c->dim[0], (int)c->dim[1], c->stream);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    return r->number >= 5 && c->out_count % 16 ? "the number of pixels is not a multiple of 16" : NULL;
}

static double bytes(const LabCase *c) { return 4.0 * (double)c->out_count; }

/* Converts the picture as it is, writes build/grey.pgm, and prints it in letters, small. */
static int show(const LabOptions *o)
{
    Image photo;
    read_photo(&photo);
    int width = (int)photo.width, height = (int)photo.height;
    size_t pixels = photo.width * photo.height;
    uint8_t *d_rgb, *d_grey;
    Image grey = {photo.width, photo.height, 1, (uint8_t *)malloc(pixels)};
    if (!grey.pixel)
        die("not enough memory");
    CUDA_CHECK(cudaMalloc(&d_rgb, 3 * pixels));
    CUDA_CHECK(cudaMalloc(&d_grey, pixels));
    CUDA_CHECK(cudaMemcpy(d_rgb, photo.pixel, 3 * pixels, cudaMemcpyHostToDevice));
    grey2(d_rgb, d_grey, width, height, 0);
    CUDA_CHECK(cudaMemcpy(grey.pixel, d_grey, pixels, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_rgb));
    CUDA_CHECK(cudaFree(d_grey));
    const char *why = o->verify_only ? NULL : image_write("build/grey.pgm", &grey);
    if (why)
        die_usage("build/grey.pgm: %s", why);
    if (!o->verify_only) {
        printf("\n    %s, %d x %d, in grey: build/grey.pgm\n", image_file, width, height);
        for (int r = 0; r < 18; r++) {
            printf("    ");
            for (int col = 0; col < 48; col++)
                putchar(" .:-=+*#%@"[grey.pixel[(size_t)(r * height / 18) * width + col * width / 48] * 10 / 256]);
            putchar('\n');
        }
    }
    size_t wrong = 0;
    for (size_t i = 0; i < pixels; i++) {
        const uint8_t *p = photo.pixel + 3 * i;
        double e = 0.2989 * p[0] + 0.5870 * p[1] + 0.1140 * p[2] - grey.pixel[i];
        wrong += !(e <= 0.5001 && e >= -0.5001);
    }
    image_free(&photo);
    image_free(&grey);
    return lab_claim(wrong == 0, "every pixel of the picture is right (%zu are not)", wrong);
}

static error_t parse(int key, char *arg, struct argp_state *)
{
    if (key != 'i')
        return ARGP_ERR_UNKNOWN;
    image_file = arg;
    return 0;
}

static const struct argp_option own_options[] = {{"image", 'i', "FILE.ppm", 0, "the picture (data/astronaut.ppm)", 0},
                                                 {}};
static const struct argp own_argp = {own_options, parse};

static const Lab greyscale = {
    .order = 4,
    .name = "greyscale",
    .title = "a photograph to grey: three bytes in, one out",
    .look = "Planar or interleaved, in one dimension or two: the arithmetic is the same. What counts is how\n"
            "many bytes each access of a warp brings.",
    .dims = "width height",
    .size = "512x512 1920x1330 16384x12288",
    .cpu_size = "512x512 1920x1330",
    .test_sizes = "1x1 31x33 32x32 33x31 7x257 64x16 512x512",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .show = show,
    .argp = &own_argp,
};
LAB_MAIN(greyscale)
