/* differences.h: is the reference right? Its gradients against central differences of its forward pass, in double, and
 * its few last tokens against the same tokens of the whole. */
#ifndef BLOCK_DIFFERENCES_H
#define BLOCK_DIFFERENCES_H

#include "lab.h"
#include "reference.h"

enum { TINY_BATCH = 2, TINY_LENGTH = 7, TINY_WIDTH = 8, TINY_HEAD = 4, TINY_HIDDEN = 32, TINY_MAX = 1024 };

typedef struct Tiny {
    Reference f;
    int size[REF_TENSORS];
    double in[REF_TENSORS][TINY_MAX], grad[REF_TENSORS][TINY_MAX], z[TINY_MAX];
} Tiny;

static void tiny_run(Tiny *t, int first)
{
    memset(t->grad, 0, sizeof t->grad);
    for (int i = 0; i < REF_TENSORS; i++) {
        t->f.in[i] = t->in[i];
        t->f.grad[i] = first == 0 || i == REF_X ? t->grad[i] : NULL;
    }
    t->f.z = t->z;
    t->f.first = first;
    reference(&t->f);
}

/* What the gradients are of: the sum of z times `grad`. */
static double tiny_loss(Tiny *t)
{
    tiny_run(t, 0);
    return ref_dot(t->z, t->in[REF_GRAD], t->size[REF_GRAD]);
}

/* The largest relative difference, over the tensors, between the derivative along a random direction by central
 * differences and by the gradient; and how far the tokens from `first` on, alone, are from those of the whole. */
static double tiny_differences(Tiny *t, uint64_t seed, double *apart)
{
    static const char *const name[REF_TENSORS] = {"x", "", "norm1", "norm2", "wqkv", "wo", "w1", "w2"};
    const int all = TINY_BATCH * TINY_LENGTH * TINY_WIDTH, CC = TINY_WIDTH * TINY_WIDTH;
    const int size[REF_TENSORS] = {all, all, TINY_WIDTH, TINY_WIDTH, 3 * CC, CC, 4 * CC, 4 * CC};
    const double step = 1e-5;
    double worst = 0;
    t->f = Reference{TINY_BATCH, TINY_LENGTH, TINY_WIDTH, TINY_HEAD, TINY_HIDDEN, 0, {0}, NULL, {0}};
    for (int i = 0; i < REF_TENSORS; i++) {
        t->size[i] = size[i];
        for (int e = 0; e < size[i]; e++)
            t->in[i][e] =
                random_uniform(seed + (uint64_t)i, (uint64_t)e) * 2 - (i == REF_NORM1 || i == REF_NORM2 ? 0.5 : 1);
    }
    for (int i = 0; i < REF_TENSORS; i++) {
        if (i == REF_GRAD)
            continue;
        double direction[TINY_MAX], kept[TINY_MAX], ends[2];
        for (int e = 0; e < size[i]; e++)
            direction[e] = random_uniform(seed + 100 + (uint64_t)i, (uint64_t)e) * 2 - 1;
        tiny_run(t, 0);
        const double along = ref_dot(t->grad[i], direction, size[i]);
        memcpy(kept, t->in[i], sizeof kept);
        for (int side = 0; side < 2; side++) {
            ref_add(t->in[i], direction, side ? -step : step, size[i]);
            ends[side] = tiny_loss(t);
            memcpy(t->in[i], kept, sizeof kept);
        }
        const double difference = (ends[0] - ends[1]) / (2 * step), off = fabs(difference - along) / fabs(along);
        if (!(off <= 1e-6))
            printf("    gradient of %s: %.10g by differences, %.10g by the reference\n", name[i], difference, along);
        worst = off > worst || off != off ? off : worst;
    }
    double z[TINY_MAX], x_grad[TINY_MAX];
    const int first = 4;
    tiny_run(t, 0);
    memcpy(z, t->z, sizeof z);
    memcpy(x_grad, t->grad[REF_X], sizeof x_grad);
    tiny_run(t, first);
    *apart = 0;
    for (int e = all - (TINY_LENGTH - first) * TINY_WIDTH; e < all; e++)
        *apart = fmax(*apart, fmax(fabs(t->z[e] - z[e]), fabs(t->grad[REF_X][e] - x_grad[e])));
    return worst;
}

#endif
