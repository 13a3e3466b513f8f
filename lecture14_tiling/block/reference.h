/* reference.h: the block in double on the host, forward and backward, from the formulas of problem.cuh: plain loops over
 * tokens, nothing shared with the kernels.
 *
 * With `first` > 0 only the last sequence's tokens from `first` on are computed, and no weights' gradients. With a causal
 * attention that is a complete problem: their gradients come from themselves, and of the tokens before them only keys
 * and values are wanted. So a few tokens of a large problem can be checked. */
#ifndef BLOCK_REFERENCE_H
#define BLOCK_REFERENCE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REF_X, REF_GRAD, REF_NORM1, REF_NORM2, REF_WQKV, REF_WO, REF_W1, REF_W2, REF_TENSORS };
#define REF_EPSILON 1e-5

typedef struct Reference {
    int batch, length, width, head, hidden, first;
    const double *in[REF_TENSORS];
    double *z, *grad[REF_TENSORS]; /* of what in[] has, z in place of the gradient of `grad` */
} Reference;

static double ref_dot(const double *a, const double *b, int count)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void ref_add(double *to, const double *from, double times, int count)
{
#pragma omp simd
    for (int i = 0; i < count; i++)
        to[i] += times * from[i];
}

/* to (rows x outputs) = a wT; and backwards a_grad = c_grad w, w_grad += c_gradT a. */
static void ref_linear(double *to, const double *a, const double *w, int rows, int outputs, int inputs)
{
#pragma omp parallel for collapse(2)
    for (int o = 0; o < outputs; o++)
        for (int r = 0; r < rows; r++)
            to[(size_t)r * outputs + o] = ref_dot(a + (size_t)r * inputs, w + (size_t)o * inputs, inputs);
}
static void ref_linear_grad(double *a_grad, double *w_grad, const double *c_grad, const double *a, const double *w,
                            int rows, int outputs, int inputs)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        memset(a_grad + (size_t)r * inputs, 0, sizeof(double) * (size_t)inputs);
        for (int o = 0; o < outputs; o++)
            ref_add(a_grad + (size_t)r * inputs, w + (size_t)o * inputs, c_grad[(size_t)r * outputs + o], inputs);
    }
    if (w_grad)
#pragma omp parallel for
        for (int o = 0; o < outputs; o++)
            for (int r = 0; r < rows; r++)
                ref_add(w_grad + (size_t)o * inputs, a + (size_t)r * inputs, c_grad[(size_t)r * outputs + o], inputs);
}

static double ref_norm_scale(const double *x, int width)
{
    return 1 / sqrt(ref_dot(x, x, width) / width + REF_EPSILON);
}
static void ref_norm(double *n, const double *x, const double *w, int rows, int width)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        const double scale = ref_norm_scale(x + (size_t)r * width, width);
        for (int i = 0; i < width; i++)
            n[(size_t)r * width + i] = x[(size_t)r * width + i] * scale * w[i];
    }
}
/* x_grad += what comes through the norm. */
static void ref_norm_grad(double *x_grad, double *w_grad, const double *n_grad, const double *x, const double *w,
                          int rows, int width)
{
    for (int r = 0; r < rows; r++, x += width, n_grad += width, x_grad += width) {
        const double scale = ref_norm_scale(x, width);
        double mean = 0;
        for (int i = 0; i < width; i++)
            mean += n_grad[i] * w[i] * x[i] * scale / width;
        for (int i = 0; i < width; i++) {
            x_grad[i] += scale * (n_grad[i] * w[i] - x[i] * scale * mean);
            if (w_grad)
                w_grad[i] += n_grad[i] * x[i] * scale;
        }
    }
}

/* The weights of query i of a head: p[0 .. i]. */
static void ref_weights(double *p, const double *q, const double *k, int i, int head, int step)
{
    double max = -INFINITY, sum = 0;
    for (int j = 0; j <= i; j++)
        max = fmax(max, p[j] = ref_dot(q, k + (size_t)j * step, head) / sqrt(head));
    for (int j = 0; j <= i; j++)
        sum += p[j] = exp(p[j] - max);
    for (int j = 0; j <= i; j++)
        p[j] /= sum;
}

/* One head of one sequence; rows of q, k, v are `step` apart. Queries first .. length - 1; o and its gradient begin at
 * query `first`, q_grad, k_grad and v_grad at token 0. */
static void ref_attention(double *o, const double *q, const double *k, const double *v, int first, int length, int head,
                          int step, int o_step)
{
    double *p = (double *)malloc(sizeof(double) * (size_t)length);
    for (int i = first; i < length; i++) {
        double *row = o + (size_t)(i - first) * o_step;
        ref_weights(p, q + (size_t)i * step, k, i, head, step);
        memset(row, 0, sizeof(double) * (size_t)head);
        for (int j = 0; j <= i; j++)
            ref_add(row, v + (size_t)j * step, p[j], head);
    }
    free(p);
}
static void ref_attention_grad(double *q_grad, double *k_grad, double *v_grad, const double *o_grad, const double *q,
                               const double *k, const double *v, int first, int length, int head, int step, int o_step)
{
    double *p = (double *)malloc(2 * sizeof(double) * (size_t)length), *dp = p + length;
    for (int i = first; i < length; i++) {
        const double *g = o_grad + (size_t)(i - first) * o_step;
        double mean = 0;
        ref_weights(p, q + (size_t)i * step, k, i, head, step);
        for (int j = 0; j <= i; j++)
            mean += p[j] * (dp[j] = ref_dot(g, v + (size_t)j * step, head));
        for (int j = 0; j <= i; j++) {
            const double ds = p[j] * (dp[j] - mean) / sqrt(head);
            ref_add(v_grad + (size_t)j * step, g, p[j], head);
            ref_add(q_grad + (size_t)i * step, k + (size_t)j * step, ds, head);
            ref_add(k_grad + (size_t)j * step, q + (size_t)i * step, ds, head);
        }
    }
    free(p);
}

static double ref_gelu(double x) { return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }
static double ref_gelu_slope(double x)
{
    const double c = sqrt(2 / M_PI), t = tanh(c * (x + 0.044715 * x * x * x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * c * (1 + 3 * 0.044715 * x * x);
}

/* Sequences first_batch .. batch - 1, of each the tokens from `first` on, R in all. Rows of x, z and their gradients are
 * those tokens'. */
static void reference_rows(const Reference *f, const double *x, const double *before, const double *grad, double *z,
                           double *x_grad, int sequences)
{
    const int C = f->width, H = f->hidden, S = f->length, first = f->first, each = S - first, R = sequences * each,
              all = sequences * S;
    const size_t RC = (size_t)R * C, AC = (size_t)all * C;
    double *memory = (double *)calloc(12 * RC + 12 * AC + 3 * (size_t)R * H + 1, sizeof(double)), *at = memory;
    const auto take = [&](size_t count) { return (at += count) - count; };
    double *n1 = take(AC), *qkv = take(3 * AC), *o = take(RC), *y = take(RC), *n2 = take(RC), *h = take((size_t)R * H),
           *g = take((size_t)R * H), *h_grad = take((size_t)R * H), *n_grad = take(AC), *y_grad = take(RC),
           *o_grad = take(RC), *qkv_grad = take(3 * AC), *rows_qkv = take(3 * RC), *rows_n1 = take(RC),
           *rows_n1_grad = take(RC);

    ref_norm(n1, before, f->in[REF_NORM1], all, C);
    ref_linear(qkv, n1, f->in[REF_WQKV], all, 3 * C, C);
#pragma omp parallel for collapse(2)
    for (int b = 0; b < sequences; b++)
        for (int head = 0; head < C; head += f->head) {
            const double *q = qkv + (size_t)b * S * 3 * C + head;
            ref_attention(o + (size_t)b * each * C + head, q, q + C, q + 2 * C, first, S, f->head, 3 * C, C);
        }
    ref_linear(y, o, f->in[REF_WO], R, C, C);
    ref_add(y, x, 1, (int)RC);
    ref_norm(n2, y, f->in[REF_NORM2], R, C);
    ref_linear(h, n2, f->in[REF_W1], R, H, C);
    for (size_t i = 0; i < (size_t)R * H; i++)
        g[i] = ref_gelu(h[i]);
    ref_linear(z, g, f->in[REF_W2], R, C, H);
    ref_add(z, y, 1, (int)RC);

    ref_linear_grad(h_grad, f->grad[REF_W2], grad, g, f->in[REF_W2], R, C, H);
    for (size_t i = 0; i < (size_t)R * H; i++)
        h_grad[i] *= ref_gelu_slope(h[i]);
    ref_linear_grad(n_grad, f->grad[REF_W1], h_grad, n2, f->in[REF_W1], R, H, C);
    memcpy(y_grad, grad, sizeof(double) * RC);
    ref_norm_grad(y_grad, f->grad[REF_NORM2], n_grad, y, f->in[REF_NORM2], R, C);
    ref_linear_grad(o_grad, f->grad[REF_WO], y_grad, o, f->in[REF_WO], R, C, C);
#pragma omp parallel for collapse(2)
    for (int b = 0; b < sequences; b++)
        for (int head = 0; head < C; head += f->head) {
            const size_t row = (size_t)b * S * 3 * C + head;
            const double *q = qkv + row;
            double *dq = qkv_grad + row;
            ref_attention_grad(dq, dq + C, dq + 2 * C, o_grad + (size_t)b * each * C + head, q, q + C, q + 2 * C, first,
                               S, f->head, 3 * C, C);
        }
    for (int b = 0; b < sequences; b++) {
        memcpy(rows_qkv + (size_t)b * each * 3 * C, qkv_grad + ((size_t)b * S + first) * 3 * C,
               sizeof(double) * (size_t)each * 3 * C);
        memcpy(rows_n1 + (size_t)b * each * C, n1 + ((size_t)b * S + first) * C, sizeof(double) * (size_t)each * C);
    }
    ref_linear_grad(rows_n1_grad, f->grad[REF_WQKV], rows_qkv, rows_n1, f->in[REF_WQKV], R, 3 * C, C);
    memcpy(x_grad, y_grad, sizeof(double) * RC);
    ref_norm_grad(x_grad, f->grad[REF_NORM1], rows_n1_grad, x, f->in[REF_NORM1], R, C);
    free(memory);
}

/* Fills z and all gradients that are not NULL; the weights' must be zero before. Where first > 0, of z and x_grad the
 * rows of the last sequence's tokens from `first` on. */
static void reference(const Reference *f)
{
    const int sequences = f->first > 0 ? 1 : f->batch;
    const size_t begin = (size_t)(f->batch - sequences) * f->length, rows = begin + (size_t)f->first;
    const size_t C = (size_t)f->width;
    if (f->batch == 0 || f->length == 0)
        return;
    reference_rows(f, f->in[REF_X] + rows * C, f->in[REF_X] + begin * C, f->in[REF_GRAD] + rows * C, f->z + rows * C,
                   f->grad[REF_X] + rows * C, sequences);
}

#endif
