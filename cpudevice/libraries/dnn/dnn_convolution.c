/* dnn_convolution.c: convolutions as products of matrices that are never stored: a block of the grid computes a tile
 * of the result, and gathers parts of both factors, in double, as it goes. A tap is an element of the filter's
 * window.
 *
 *   direction   result           rows  columns                      sum over
 *   forward     y                K     N and places of y            C and taps
 *   by data     gradient by x    C     N and places of x            K and taps
 *   by filter   gradient by w    K     C and taps                   N and places of y
 *
 * each for every group, which has its own K and C. */
#define _GNU_SOURCE
#pragma GCC optimize("O3")
#include <stdlib.h>
#include <string.h>

#include "dnn/dnn_convolution.h"

enum { ROWS = 128, COLUMNS = 128, DEPTH = 128 }; /* of a tile, and of the parts that are gathered at a time */

/* ---- places ---- */

/* Positions in N and the spatial dimensions that lie side by side along the last. */
typedef struct stretch {
    int n, at[DNN_SPATIAL], count;
} stretch;
static stretch stretch_at(const dnn_view *v, int64_t position, int most)
{
    stretch s;
    for (int i = DNN_SPATIAL - 1; i >= 0; i--) {
        s.at[i] = (int)(position % v->size[2 + i]);
        position /= v->size[2 + i];
    }
    s.n = (int)position;
    const int left = v->size[4] - s.at[2];
    s.count = left < most ? left : most;
    return s;
}
static int64_t place_of(const dnn_view *v, int n, int channel, const int *at)
{
    return (int64_t)n * v->stride[0] + (int64_t)channel * v->stride[1] + (int64_t)at[0] * v->stride[2] +
           (int64_t)at[1] * v->stride[3] + (int64_t)at[2] * v->stride[4];
}

static int taps_of(const dnn_convolution *c) { return c->w.size[2] * c->w.size[3] * c->w.size[4]; }

/* The channel and the tap of element q of C and taps, or of K and taps. */
typedef struct tap {
    int channel, flat, at[DNN_SPATIAL];
} tap;
static tap tap_of(const dnn_convolution *c, int64_t q)
{
    const int taps = taps_of(c), flat = (int)(q % taps), width = c->w.size[4], height = c->w.size[3];
    return (tap){(int)(q / taps), flat, {flat / width / height, flat / width % height, flat % width}};
}

/* ---- gathering: each writes `to`, where element (i, j) lies at i by_i + j by_j ---- */

static void spread(int n, const double *row, double *to, int64_t by)
{
    for (int i = 0; i < n; i++)
        to[i * by] = row[i];
}

/* For taps q ... (i) and positions of y (j): the elements of x that meet there, or 0. */
static void gather_x(const dnn_convolution *c, int group, int64_t q, int taps, int64_t position, int count, double *to,
                     int64_t by_i, int64_t by_j)
{
    const int channels = c->x.size[1] / c->groups;
    for (int j = 0; j < count;) {
        const stretch s = stretch_at(&c->y, position + j, count - j);
        for (int i = 0; i < taps; i++) {
            const tap t = tap_of(c, q + i);
            double aside[COLUMNS > DEPTH ? COLUMNS : DEPTH], *const result = to + i * by_i + j * by_j;
            double *const row = by_j == 1 ? result : aside;
            int at[DNN_SPATIAL];
            bool inside = true;
            for (int k = 0; k < DNN_SPATIAL; k++) {
                at[k] = s.at[k] * c->stride[k] - c->pad[k] + t.at[k] * c->dilation[k];
                inside &= k == 2 || (at[k] >= 0 && at[k] < c->x.size[2 + k]);
            }
            const int step = c->stride[2], room = c->x.size[4] - at[2];
            const int first = at[2] < 0 ? (-at[2] + step - 1) / step : 0, end = room > 0 ? (room + step - 1) / step : 0;
            const int last = end < s.count ? end : s.count;
            at[2] += first * step;
            memset(row, 0, (size_t)s.count * sizeof *row);
            if (inside && first < last)
                dnn_fetch(&c->x, place_of(&c->x, s.n, group * channels + t.channel, at), (int64_t)step * c->x.stride[4],
                          last - first, row + first);
            if (row != result)
                spread(s.count, row, result, by_j);
        }
        j += s.count;
    }
}

/* For channels and taps q ... of y (i) and positions of x (j): the elements of dy that x met there, or 0. */
static void gather_dy(const dnn_convolution *c, int group, int64_t q, int taps, int64_t position, int count, double *to,
                      int64_t by_i)
{
    const int channels = c->y.size[1] / c->groups, step = c->stride[2];
    for (int j = 0; j < count;) {
        const stretch s = stretch_at(&c->x, position + j, count - j);
        for (int i = 0; i < taps; i++) {
            const tap t = tap_of(c, q + i);
            double row[COLUMNS], *const result = to + i * by_i + j;
            int at[DNN_SPATIAL];
            bool inside = true;
            for (int k = 0; k < DNN_SPATIAL; k++) {
                at[k] = s.at[k] + c->pad[k] - t.at[k] * c->dilation[k];
                if (k == 2)
                    break;
                inside &= at[k] >= 0 && at[k] % c->stride[k] == 0;
                at[k] /= c->stride[k];
                inside &= at[k] < c->y.size[2 + k];
            }
            const int first = at[2] < 0 ? -at[2] : (step - at[2] % step) % step;
            memset(result, 0, (size_t)s.count * sizeof *result);
            at[2] = (at[2] + first) / step;
            int n = (s.count - first + step - 1) / step;
            n = n > c->y.size[4] - at[2] ? c->y.size[4] - at[2] : n;
            if (inside && first < s.count && n > 0) {
                dnn_fetch(&c->y, place_of(&c->y, s.n, group * channels + t.channel, at), c->y.stride[4], n, row);
                spread(n, row, result + first, step);
            }
        }
        j += s.count;
    }
}

/* For channels of y (i) and positions of y (j): dy. */
static void gather_plain(const dnn_convolution *c, int group, int first, int channels, int64_t position, int count,
                         double *to)
{
    for (int j = 0; j < count;) {
        const stretch s = stretch_at(&c->y, position + j, count - j);
        for (int i = 0; i < channels; i++)
            dnn_fetch(&c->y, place_of(&c->y, s.n, group * (c->y.size[1] / c->groups) + first + i, s.at), c->y.stride[4],
                      s.count, to + i * DEPTH + j);
        j += s.count;
    }
}

/* Taps t ... of the filter for one K and C; where the filter is turned, the last comes first. */
static int64_t place_in_filter(const dnn_convolution *c, int k, int channel, int flat)
{
    const int64_t step = c->w.stride[4];
    return (int64_t)k * c->w.stride[0] + (int64_t)channel * c->w.stride[1] +
           (c->turned ? taps_of(c) - 1 - flat : flat) * step;
}
static int64_t filter_step(const dnn_convolution *c) { return c->turned ? -c->w.stride[4] : c->w.stride[4]; }

/* For rows (i) and elements q ... of the sum (j): the filter's. Forward rows are K and sums run over C, by data in
 * turn. */
static void gather_w(const dnn_convolution *c, int group, int first, int rows, int64_t q, int count, double *to)
{
    const int taps = taps_of(c), outputs = c->w.size[0] / c->groups;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < count;) {
            const tap t = tap_of(c, q + j);
            const int n = taps - t.flat < count - j ? taps - t.flat : count - j;
            const bool forward = c->direction == DNN_FORWARD;
            const int k = forward ? first + i : t.channel, channel = forward ? t.channel : first + i;
            dnn_fetch(&c->w, place_in_filter(c, group * outputs + k, channel, t.flat), filter_step(c), n,
                      to + i * DEPTH + j);
            j += n;
        }
}

/* ---- the product of a tile ---- */

typedef double four __attribute__((vector_size(32), aligned(8)));

/* C (4 x 8) += A (4 x depth) B (depth x 8), in registers. */
static void multiply_4x8(int depth, const double *a, const double *b, double *c)
{
    four sum[4][2];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            sum[i][j] = *(const four *)(c + i * COLUMNS + 4 * j);
    for (int k = 0; k < depth; k++) {
        const four b0 = *(const four *)(b + k * COLUMNS), b1 = *(const four *)(b + k * COLUMNS + 4);
        for (int i = 0; i < 4; i++) {
            sum[i][0] += a[i * DEPTH + k] * b0;
            sum[i][1] += a[i * DEPTH + k] * b1;
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            *(four *)(c + i * COLUMNS + 4 * j) = sum[i][j];
}

typedef struct tile {
    int group, row, rows;  /* the first, and how many */
    int64_t column, depth; /* the first; and the length of the sums */
    int columns;
    double *a, *b, *c; /* of ROWS x DEPTH, DEPTH x COLUMNS and ROWS x COLUMNS */
} tile;

static void multiply(const tile *t, int depth)
{
    for (int i = 0; i < t->rows; i += 4)
        for (int j = 0; j < t->columns; j += 8)
            multiply_4x8(depth, t->a + i * DEPTH, t->b + j, t->c + i * COLUMNS + j);
}

static void gather(const dnn_convolution *c, const tile *t, int64_t from, int depth)
{
    switch (c->direction) {
    case DNN_FORWARD:
        gather_w(c, t->group, t->row, t->rows, from, depth, t->a);
        gather_x(c, t->group, from, depth, t->column, t->columns, t->b, COLUMNS, 1);
        break;
    case DNN_BY_DATA:
        gather_w(c, t->group, t->row, t->rows, from, depth, t->a);
        gather_dy(c, t->group, from, depth, t->column, t->columns, t->b, COLUMNS);
        break;
    default:
        gather_plain(c, t->group, t->row, t->rows, from, depth, t->a);
        gather_x(c, t->group, t->column, t->columns, from, depth, t->b, 1, COLUMNS);
    }
}

/* ---- results ---- */

static void store_fused(const dnn_convolution *c, int64_t place, int64_t place_z, int channel, int n, double *row)
{
    const dnn_view bias = {.p = (void *)c->bias, .type = c->bias_type};
    double z[COLUMNS], b;
    dnn_fetch(&bias, channel * c->bias_step, 1, 1, &b);
    if (c->beta != 0)
        dnn_fetch(&c->z, place_z, c->z.stride[4], n, z);
    for (int i = 0; i < n; i++)
        /* cppcheck-suppress uninitvar ; z is read only where it was fetched */
        row[i] = c->alpha * row[i] + (c->beta != 0 ? c->beta * z[i] : 0) + b;
    dnn_activate(&c->activation, n, row);
    dnn_store(&c->y, place, c->y.stride[4], n, row);
}

static void store_places(const dnn_convolution *c, const tile *t)
{
    const dnn_view *const v = c->direction == DNN_FORWARD ? &c->y : &c->x;
    const int channel = t->group * (v->size[1] / c->groups) + t->row;
    for (int j = 0; j < t->columns;) {
        const stretch s = stretch_at(v, t->column + j, t->columns - j);
        for (int i = 0; i < t->rows; i++) {
            double *const row = t->c + i * COLUMNS + j;
            const int64_t place = place_of(v, s.n, channel + i, s.at);
            if (c->fused)
                store_fused(c, place, place_of(&c->z, s.n, channel + i, s.at), channel + i, s.count, row);
            else
                dnn_blend(v, place, v->stride[4], s.count, row, c->alpha, c->beta);
        }
        j += s.count;
    }
}

static void store_filter(const dnn_convolution *c, const tile *t)
{
    const int taps = taps_of(c), first = t->group * (c->w.size[0] / c->groups) + t->row;
    for (int i = 0; i < t->rows; i++)
        for (int j = 0; j < t->columns;) {
            const tap at = tap_of(c, t->column + j);
            const int n = taps - at.flat < t->columns - j ? taps - at.flat : t->columns - j;
            dnn_blend(&c->w, place_in_filter(c, first + i, at.channel, at.flat), filter_step(c), n,
                      t->c + i * COLUMNS + j, c->alpha, c->beta);
            j += n;
        }
}

/* ---- the kernel ---- */

/* The result's rows and columns, and the length of its sums, of one group. */
typedef struct shape {
    int rows;
    int64_t columns, depth;
} shape;
static shape shape_of(const dnn_convolution *c)
{
    const int k = c->w.size[0] / c->groups, channels = c->w.size[1];
    const int64_t x = dnn_count(&c->x, 2, 5) * c->x.size[0], y = dnn_count(&c->y, 2, 5) * c->y.size[0], t = taps_of(c);
    switch (c->direction) {
    case DNN_FORWARD: return (shape){k, y, channels * t};
    case DNN_BY_DATA: return (shape){channels, x, k * t};
    default: return (shape){k, channels * t, y};
    }
}

static void convolve_tile(const dnn_convolution *c, tile *t)
{
    memset(t->c, 0, sizeof(double) * COLUMNS * (size_t)((t->rows + 3) / 4 * 4));
    for (int64_t from = 0; from < t->depth; from += DEPTH) {
        const int depth = t->depth - from < DEPTH ? (int)(t->depth - from) : DEPTH;
        gather(c, t, from, depth);
        multiply(t, depth);
    }
    if (c->direction == DNN_BY_FILTER)
        store_filter(c, t);
    else
        store_places(c, t);
}

static void convolve(const void *arguments)
{
    const dnn_convolution *c = arguments;
    const shape s = shape_of(c);
    const int64_t down = (s.rows + ROWS - 1) / ROWS, across = (s.columns + COLUMNS - 1) / COLUMNS;
    const size_t sizes = (size_t)ROWS * DEPTH + (size_t)DEPTH * COLUMNS + (size_t)ROWS * COLUMNS;
    tile t = {.depth = s.depth, .a = dnn_buffer(sizes * sizeof(double))}; /* beyond rows and columns nothing is used */
    t.b = t.a + ROWS * DEPTH, t.c = t.b + DEPTH * COLUMNS;
    for (int64_t item = dnn_first(&c->work); item < dnn_last(&c->work); item++) {
        t.group = (int)(item / (down * across));
        t.row = (int)(item / across % down) * ROWS;
        t.column = item % across * COLUMNS;
        t.rows = s.rows - t.row < ROWS ? s.rows - t.row : ROWS;
        t.columns = s.columns - t.column < COLUMNS ? (int)(s.columns - t.column) : COLUMNS;
        convolve_tile(c, &t);
    }
    free(t.a);
}

cudnnStatus_t dnn_convolve(cudnnHandle_t handle, const char *name, dnn_convolution *c)
{
    const shape s = shape_of(c);
    const int64_t tiles = ((s.rows + ROWS - 1) / ROWS) * ((s.columns + COLUMNS - 1) / COLUMNS);
    const double rows = s.rows < ROWS ? s.rows : ROWS, columns = s.columns < COLUMNS ? (double)s.columns : COLUMNS;
    return dnn_run(handle, name, convolve, &c->work, sizeof *c, c->groups * tiles,
                   (rows + 4) * columns * (double)s.depth);
}
