/* The lottery-ticket experiment: can a sparse network learn as well as the dense one it was pruned from?
 *
 * The procedure is Frankle and Carbin's ("The Lottery Ticket Hypothesis", 2019): train; prune the smallest weights of
 * each layer; reset the others to their initial values; train again; and so on, here to 10^(-r/5) of the weights
 * after round r. Two controls have as many weights: the same mask with new random initial values, and a random mask
 * with the original initial values. If the winning ticket learns better than both, it is the pairing of mask and
 * initial values that matters. Then 2:4, as one would use it: train, prune two of every four along the inputs, train
 * on.
 *
 * A perceptron of 3 layers, trained from scratch on the digits of data/optdigits.csv (or MNIST's files with --mnist
 * DIR). All seeds and all three kinds of network of a round are trained side by side by lottery/mlp.cuh.
 *
 *   ./run lottery                   5 seeds on a GPU; a small setting, well under a minute, on the CPU device
 *   ./run lottery --seeds 5 --epochs 40 --rounds 8
 *   ./run lottery --mnist DIR       DIR holds train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-...
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ceil_div.cuh"
#include "device.h"
#include "digits.h"
#include "lab.h"
#include "lottery/mlp.cuh"
#include "lottery/setting.h"
#include "plot.h"
#include "progress.h"
#include "side_csv.h"
#include "sparse.h"
#include "table.h"

enum { MAX_ROUNDS = 10, MAX_SEEDS = 20, KINDS = 3, WIN = 0, REINIT = 1, RANDOM = 2 };
static const char *const kind_name[KINDS] = {"winning tickets", "random re-initialisation", "random pruning"};

static struct {
    int seeds, epochs, rounds, step, hidden1, hidden2, batch; /* 0: the device's default */
    const char *mnist;
} own;
static const float RATE = 0.1f, MOMENTUM = 0.9f;

/* ---- networks on the device, and their copies here */

typedef struct Nets {
    MlpShape shape;
    int count, batch, digits; /* digits: how many to train on */
    float *d_parameters, *d_velocity, *d_mask, *d_x[MLP_LAYERS + 1], *d_dx[MLP_LAYERS + 1];
    float *d_eval[MLP_LAYERS + 1];
    int *d_order, *d_right;
    float *d_pixels, *d_test;
    unsigned char *d_label, *d_test_label;
    int test, chunk; /* digits to test on, at most so many at a time */
} Nets;

static void nets_make(Nets *n, MlpShape shape, int most, int batch, const Digits *train, const Digits *test)
{
    memset(n, 0, sizeof *n);
    n->shape = shape, n->count = most, n->batch = batch;
    n->digits = (int)train->count, n->test = (int)test->count;
    n->chunk = n->test < 1000 ? n->test : 1000;
    size_t all = (size_t)most * shape.parameters;
    n->d_parameters = device_floats(all), n->d_velocity = device_floats(all), n->d_mask = device_floats(all);
    for (int l = 0; l <= MLP_LAYERS; l++) {
        size_t width = l < MLP_LAYERS ? (size_t)shape.in[l] : (size_t)MLP_OUTPUTS;
        n->d_x[l] = device_floats((size_t)most * batch * width);
        n->d_dx[l] = device_floats((size_t)most * batch * width);
        n->d_eval[l] = l ? device_floats((size_t)most * n->chunk * width) : NULL;
    }
    size_t pixels = (size_t)shape.in[0];
    n->d_pixels = (float *)device_copy(train->pixels, train->count * pixels * sizeof(float));
    n->d_label = (unsigned char *)device_copy(train->label, train->count);
    n->d_test = (float *)device_copy(test->pixels, test->count * pixels * sizeof(float));
    n->d_test_label = (unsigned char *)device_copy(test->label, test->count);
    n->d_order = (int *)device_floats((size_t)most * train->count);
    n->d_right = (int *)device_floats(most);
}

static void nets_free(Nets *n)
{
    void *all[] = {n->d_parameters, n->d_velocity, n->d_mask,  n->d_order,     n->d_right,
                   n->d_pixels,     n->d_test,     n->d_label, n->d_test_label};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        CUDA_CHECK(cudaFree(all[i]));
    for (int l = 0; l <= MLP_LAYERS; l++) {
        CUDA_CHECK(cudaFree(n->d_x[l]));
        CUDA_CHECK(cudaFree(n->d_dx[l]));
        CUDA_CHECK(cudaFree(n->d_eval[l]));
    }
}

/* One step of all networks on the digits order[first ...]. */
static void nets_step(const Nets *n, int first, float rate)
{
    const MlpShape *s = &n->shape;
    const int B = n->batch, T = 64;
    const unsigned nets = (unsigned)n->count;
    mlp_gather_kernel<<<dim3(ceil_div(B * s->in[0] / 4, T), 1, nets), T>>>(n->d_pixels, n->d_order, n->digits, first,
                                                                           n->d_x[0], B, s->in[0]);
    for (int l = 0; l < MLP_LAYERS; l++)
        mlp_forward_kernel<<<dim3(ceil_div(B * s->out[l] / 8, T), 1, nets), T>>>(
            n->d_x[l], (size_t)B * s->in[l], n->d_parameters, s->parameters, s->at[l], n->d_x[l + 1], B, s->in[l],
            s->out[l], l < MLP_LAYERS - 1);
    mlp_loss_kernel<<<dim3(ceil_div(B, T), 1, nets), T>>>(n->d_x[MLP_LAYERS], n->d_label, n->d_order, n->digits, first,
                                                          B);
    for (int l = MLP_LAYERS - 1; l >= 0; l--) {
        const float *dy = l == MLP_LAYERS - 1 ? n->d_x[MLP_LAYERS] : n->d_dx[l + 1];
        if (l > 0) /* before the weights change */
            mlp_backward_kernel<<<dim3(ceil_div(B * s->in[l], T), 1, nets), T>>>(
                dy, n->d_parameters, s->parameters, s->at[l], n->d_x[l], n->d_dx[l], B, s->in[l], s->out[l]);
        mlp_step_kernel<<<dim3(ceil_div((s->in[l] + 1) * s->out[l] / 8, T), 1, nets), T>>>(
            n->d_x[l], dy, n->d_parameters, n->d_velocity, n->d_mask, s->parameters, s->at[l], B, s->in[l], s->out[l],
            rate, MOMENTUM);
    }
    CUDA_CHECK(cudaGetLastError());
}

/* The share of the test digits that each network gets right. */
static void nets_test(const Nets *n, double *accuracy)
{
    const MlpShape *s = &n->shape;
    const int T = 64;
    int right[KINDS * MAX_SEEDS] = {0};
    CUDA_CHECK(cudaMemset(n->d_right, 0, (size_t)n->count * sizeof(int)));
    for (int first = 0; first < n->test; first += n->chunk) {
        const int B = n->test - first < n->chunk ? n->test - first : n->chunk;
        for (int l = 0; l < MLP_LAYERS; l++)
            mlp_forward_kernel<<<dim3(ceil_div(B * s->out[l] / 8, T), 1, (unsigned)n->count), T>>>(
                l ? n->d_eval[l] : n->d_test + (size_t)first * s->in[0], l ? (size_t)B * s->in[l] : 0, n->d_parameters,
                s->parameters, s->at[l], n->d_eval[l + 1], B, s->in[l], s->out[l], l < MLP_LAYERS - 1);
        mlp_count_kernel<<<dim3(ceil_div(B, T), 1, (unsigned)n->count), T>>>(n->d_eval[MLP_LAYERS],
                                                                             n->d_test_label + first, B, n->d_right);
    }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(right, n->d_right, (size_t)n->count * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n->count; i++)
        accuracy[i] = (double)right[i] / n->test;
}

static void full_mask(const MlpShape *s, float *mask)
{
    for (int l = 0; l < MLP_LAYERS; l++)
        for (int i = 0; i <= s->in[l]; i++)
            for (int o = 0; o < s->out[l]; o++)
                mask[(size_t)s->at[l] + (size_t)i * s->out[l] + o] = !(l == MLP_LAYERS - 1 && o >= MLP_CLASSES);
}

typedef struct Ranked {
    float key;
    int at;
} Ranked;

static int by_key(const void *x, const void *y)
{
    const Ranked *a = (const Ranked *)x, *b = (const Ranked *)y;
    return a->key != b->key ? (a->key < b->key ? -1 : 1) : a->at - b->at;
}

/* Keeps, in each layer, the share `keep` of the layer's weights (of all, not of those left): those with the largest
 * key(w) among the ones the mask still has. Biases stay. */
static void prune(const MlpShape *s, float *mask, const float *key, double keep)
{
    for (int l = 0; l < MLP_LAYERS; l++) {
        int columns = l == MLP_LAYERS - 1 ? MLP_CLASSES : s->out[l], total = s->in[l] * columns, left = 0;
        Ranked *r = (Ranked *)host_memory((size_t)total, sizeof *r);
        for (int i = 0; i < s->in[l]; i++)
            for (int o = 0; o < columns; o++) {
                int w = s->at[l] + i * s->out[l] + o;
                if (mask[w] != 0) {
                    r[left].key = fabsf(key[w]);
                    r[left++].at = w;
                }
            }
        qsort(r, (size_t)left, sizeof *r, by_key);
        int wanted = (int)(keep * total + 0.5);
        for (int i = 0; i < left - wanted; i++)
            mask[r[i].at] = 0;
        free(r);
    }
}

/* 2:4 along the inputs: of four neighbouring inputs each output keeps the two of larger weight. The order of the inputs
 * in memory is that of the rows, so the four are a row apart; they go through a transposed copy. */
static void prune_2_of_4(const MlpShape *s, float *mask, const float *parameters)
{
    for (int l = 0; l < MLP_LAYERS; l++)
        for (int o = 0; o < s->out[l]; o++)
            for (int i = 0; i < s->in[l]; i += 4) {
                float four[4];
                uint8_t kept[4];
                for (int j = 0; j < 4; j++)
                    four[j] = parameters[s->at[l] + (i + j) * s->out[l] + o];
                if (mask_n_of_m(four, 1, 4, 2, 4, kept))
                    die("out of memory");
                for (int j = 0; j < 4; j++)
                    if (!kept[j])
                        mask[s->at[l] + (i + j) * s->out[l] + o] = 0;
            }
}

/* Trains all networks from `parameters` (both ways: comes back trained). The rate falls to a tenth over the epochs. */
static void train(const Nets *n, float *parameters, const float *mask, int epochs, const uint64_t *seed_of, long *done,
                  long total)
{
    size_t bytes = (size_t)n->count * (size_t)n->shape.parameters * sizeof(float);
    for (size_t i = 0; i < bytes / sizeof(float); i++)
        if (mask[i] == 0)
            parameters[i] = 0;
    CUDA_CHECK(cudaMemcpy(n->d_parameters, parameters, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(n->d_mask, mask, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(n->d_velocity, 0, bytes));
    int *order = (int *)host_memory((size_t)n->count * (size_t)n->digits, sizeof *order);
    for (int e = 0; e < epochs; e++) {
        for (int i = 0; i < n->count; i++)
            shuffle(order + (size_t)i * (size_t)n->digits, n->digits, seed_of[i] * 1000 + (uint64_t)e);
        CUDA_CHECK(cudaMemcpy(n->d_order, order, (size_t)n->count * (size_t)n->digits * sizeof *order,
                              cudaMemcpyHostToDevice));
        const float rate = RATE * (float)pow(10, -(double)e / epochs);
        for (int first = 0; first + n->batch <= n->digits; first += n->batch)
            nets_step(n, first, rate);
        CUDA_CHECK(cudaDeviceSynchronize());
        *done += n->count;
        progress("training", *done, total);
    }
    free(order);
    CUDA_CHECK(cudaMemcpy(parameters, n->d_parameters, bytes, cudaMemcpyDeviceToHost));
}

/* ---- the check: three steps of one network, against the same in double on the host */

/* A network in double on the host: weights, momentum and gradients, and one example's activations and derivatives. */
typedef struct HostNet {
    MlpShape s;
    double *W, *V, *G, *x[MLP_LAYERS + 1], *dx[MLP_LAYERS + 1];
} HostNet;

static void host_net_make(HostNet *h, MlpShape s)
{
    const size_t P = (size_t)s.parameters;
    h->s = s;
    h->W = (double *)host_memory(P, sizeof(double));
    h->V = (double *)host_memory(P, sizeof(double));
    h->G = (double *)host_memory(P, sizeof(double));
    for (int l = 0; l <= MLP_LAYERS; l++) {
        size_t width = l < MLP_LAYERS ? (size_t)s.in[l] : (size_t)MLP_OUTPUTS;
        h->x[l] = (double *)host_memory(width, sizeof(double));
        h->dx[l] = (double *)host_memory(width, sizeof(double));
    }
}

static void host_net_free(HostNet *h)
{
    for (int l = 0; l <= MLP_LAYERS; l++)
        free(h->x[l]), free(h->dx[l]);
    free(h->W), free(h->V), free(h->G);
}

static void host_forward(HostNet *h)
{
    const MlpShape *s = &h->s;
    for (int l = 0; l < MLP_LAYERS; l++)
        for (int o = 0; o < s->out[l]; o++) {
            double sum = h->W[s->at[l] + s->in[l] * s->out[l] + o];
            for (int i = 0; i < s->in[l]; i++)
                sum += h->x[l][i] * h->W[s->at[l] + i * s->out[l] + o];
            h->x[l + 1][o] = l < MLP_LAYERS - 1 && sum < 0 ? 0 : sum;
        }
}

/* The derivative of the loss by the last layer's outputs: softmax minus the label, of a batch's mean. */
static void host_loss(HostNet *h, int label, int batch)
{
    const double *x = h->x[MLP_LAYERS];
    double most = x[0], sum = 0;
    for (int o = 1; o < MLP_CLASSES; o++)
        most = fmax(most, x[o]);
    for (int o = 0; o < MLP_CLASSES; o++)
        sum += exp(x[o] - most);
    for (int o = 0; o < MLP_OUTPUTS; o++)
        h->dx[MLP_LAYERS][o] = o < MLP_CLASSES ? (exp(x[o] - most) / sum - (o == label)) / batch : 0;
}

static void host_backward(HostNet *h)
{
    const MlpShape *s = &h->s;
    for (int l = MLP_LAYERS - 1; l >= 0; l--)
        for (int i = 0; i <= s->in[l]; i++) {
            double back = 0;
            for (int o = 0; o < s->out[l]; o++) {
                h->G[s->at[l] + i * s->out[l] + o] += (i < s->in[l] ? h->x[l][i] : 1) * h->dx[l + 1][o];
                back += i < s->in[l] ? h->dx[l + 1][o] * h->W[s->at[l] + i * s->out[l] + o] : 0;
            }
            if (i < s->in[l])
                h->dx[l][i] = h->x[l][i] > 0 ? back : 0;
        }
}

/* One step of training on a batch of digits. */
static void host_step(HostNet *h, const Digits *data, const int *digit, int batch, const float *mask)
{
    const size_t P = (size_t)h->s.parameters, pixels = (size_t)h->s.in[0];
    memset(h->G, 0, P * sizeof *h->G);
    for (int b = 0; b < batch; b++) {
        for (size_t i = 0; i < pixels; i++)
            h->x[0][i] = data->pixels[(size_t)digit[b] * pixels + i];
        host_forward(h);
        host_loss(h, data->label[digit[b]], batch);
        host_backward(h);
    }
    for (size_t i = 0; i < P; i++) {
        h->V[i] = mask[i] != 0 ? MOMENTUM * h->V[i] + h->G[i] : 0;
        h->W[i] = mask[i] != 0 ? h->W[i] - RATE * h->V[i] : 0;
    }
}

static double check_steps(const Digits *data, MlpShape s, int batch)
{
    Nets n;
    HostNet host;
    nets_make(&n, s, 1, batch, data, data);
    host_net_make(&host, s);
    size_t P = (size_t)s.parameters;
    float *w = (float *)host_memory(P, sizeof *w), *mask = (float *)host_memory(P, sizeof *mask);
    initialise(&s, 4711, w);
    full_mask(&s, mask);
    prune(&s, mask, w, 0.5);
    for (size_t i = 0; i < P; i++)
        host.W[i] = w[i] = mask[i] != 0 ? w[i] : 0;
    int *order = (int *)host_memory(data->count, sizeof *order);
    shuffle(order, n.digits, 99);
    CUDA_CHECK(cudaMemcpy(n.d_parameters, w, P * sizeof *w, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(n.d_mask, mask, P * sizeof *w, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(n.d_order, order, data->count * sizeof *order, cudaMemcpyHostToDevice));
    for (int step = 0; step < 3; step++) {
        nets_step(&n, step * batch, RATE);
        host_step(&host, data, order + step * batch, batch, mask);
    }
    CUDA_CHECK(cudaMemcpy(w, n.d_parameters, P * sizeof *w, cudaMemcpyDeviceToHost));
    double worst = 0;
    for (size_t i = 0; i < P; i++)
        if (!(fabs(w[i] - host.W[i]) <= worst))
            worst = fabs(w[i] - host.W[i]);
    nets_free(&n);
    host_net_free(&host);
    free(w), free(mask), free(order);
    return worst;
}

/* ---- the experiment */

static void read_digits(Digits *train, Digits *test)
{
    char why[512], path[4][1024];
    if (own.mnist) {
        static const char *const name[4] = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                            "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};
        for (int i = 0; i < 4; i++)
            snprintf(path[i], sizeof path[i], "%s/%s", own.mnist, name[i]);
        if (digits_read_idx(path[0], path[1], train, why, sizeof why) ||
            digits_read_idx(path[2], path[3], test, why, sizeof why))
            die_usage("%s", why);
        if (train->rows != test->rows || train->columns != test->columns)
            die_usage("%s: images of %zu x %zu to train on, of %zu x %zu to test on", own.mnist, train->rows,
                      train->columns, test->rows, test->columns);
        if (train->rows * train->columns % 8)
            die_usage("%s: the number of pixels must be a multiple of 8", own.mnist);
        return;
    }
    read_optdigits(train, test);
}

/* All that the experiment holds: its settings, the networks, and what each level of pruning came to. */
typedef struct Experiment {
    const LabOptions *options;
    int seeds, epochs, batch, weights;
    int levels, level_round[MAX_ROUNDS + 1]; /* level i keeps 10^(-level_round[i] / 5) of the weights */
    Digits training, testing;
    MlpShape s;
    Nets nets;
    float *initial, *trained, *winning; /* of each seed: weights before and after training, and the ticket's mask */
    float *fresh;                       /* of one network */
    float *parameters, *mask;           /* of all networks that train together */
    uint64_t seed_of[KINDS * MAX_SEEDS];
    double tested[KINDS * MAX_SEEDS], accuracy[MAX_ROUNDS + 1][KINDS][MAX_SEEDS];
    long done, total; /* epochs of networks */
} Experiment;

static double kept_at(const Experiment *e, int level) { return pow(10, -e->level_round[level] / 5.0); }

static void read_settings(Experiment *e)
{
    const int small = device_is_cpu();
    e->seeds = own.seeds ? own.seeds : small ? 3 : 5;
    e->epochs = own.epochs ? own.epochs : small ? 12 : 40;
    e->batch = own.batch ? own.batch : 32;
    const int rounds = own.rounds ? own.rounds : small ? 7 : 8, step = own.step ? own.step : small ? 2 : 1;
    for (int r = 0; r <= rounds; r = r == 0 && step > 1 && (rounds - step) % step ? r + rounds % step : r + step)
        e->level_round[e->levels++] = r;
    e->total = (long)e->epochs * e->seeds * (1 + KINDS * (e->levels - 1)) + 2L * e->seeds * e->epochs / 2;
    read_digits(&e->training, &e->testing);
    if ((size_t)e->batch * 3 > e->training.count)
        die_usage("--batch %d: there are only %zu digits to train on", e->batch, e->training.count);
    const int hidden1 = own.hidden1 ? own.hidden1 : own.mnist ? 304 : 96;
    const int hidden2 = own.hidden2 ? own.hidden2 : own.mnist ? 104 : 48;
    e->s = mlp_shape((int)(e->training.rows * e->training.columns), hidden1, hidden2);
    e->weights = e->s.in[0] * e->s.out[0] + e->s.in[1] * e->s.out[1] + e->s.in[2] * MLP_CLASSES;
}

static void experiment_make(Experiment *e)
{
    const size_t P = (size_t)e->s.parameters, seeds = (size_t)e->seeds;
    nets_make(&e->nets, e->s, e->seeds * KINDS, e->batch, &e->training, &e->testing);
    e->initial = (float *)host_memory(P * seeds, sizeof(float));
    e->trained = (float *)host_memory(P * seeds, sizeof(float));
    e->winning = (float *)host_memory(P * seeds, sizeof(float));
    e->fresh = (float *)host_memory(P, sizeof(float));
    e->parameters = (float *)host_memory(P * seeds * KINDS, sizeof(float));
    e->mask = (float *)host_memory(P * seeds * KINDS, sizeof(float));
}

static void experiment_free(Experiment *e)
{
    nets_free(&e->nets);
    free(e->initial), free(e->trained), free(e->winning), free(e->fresh), free(e->parameters), free(e->mask);
}

/* One network of a level: which weights it begins with, and which of them it keeps. */
static void begin_network(Experiment *e, int level, int kind, int i)
{
    const size_t P = (size_t)e->s.parameters, net = (size_t)(kind * e->seeds + i);
    const uint64_t seed = e->options->seed * 100 + (uint64_t)i;
    e->seed_of[net] = seed;
    memcpy(e->parameters + P * net, e->initial + P * (size_t)i, P * sizeof(float));
    memcpy(e->mask + P * net, e->winning + P * (size_t)i, P * sizeof(float));
    if (kind == REINIT)
        initialise(&e->s, seed + 5000 + (uint64_t)level, e->parameters + P * net);
    if (kind == RANDOM) {
        for (size_t w = 0; w < P; w++)
            e->fresh[w] = (float)random_uniform(seed + 9000 + (uint64_t)level, w);
        full_mask(&e->s, e->mask + P * net);
        prune(&e->s, e->mask + P * net, e->fresh, kept_at(e, level));
    }
}

/* Prunes the tickets to this level's share, and trains and tests all networks of it. */
static void run_level(Experiment *e, int level)
{
    const size_t P = (size_t)e->s.parameters;
    e->nets.count = level == 0 ? e->seeds : e->seeds * KINDS;
    for (int i = 0; i < e->seeds; i++) {
        float *ticket = e->winning + P * (size_t)i;
        if (level == 0) {
            initialise(&e->s, e->options->seed * 100 + (uint64_t)i, e->initial + P * (size_t)i);
            full_mask(&e->s, ticket);
        } else {
            prune(&e->s, ticket, e->trained + P * (size_t)i, kept_at(e, level));
        }
        for (int k = 0; k < (level == 0 ? 1 : KINDS); k++)
            begin_network(e, level, k, i);
    }
    train(&e->nets, e->parameters, e->mask, e->epochs, e->seed_of, &e->done, e->total);
    nets_test(&e->nets, e->tested);
    memcpy(e->trained, e->parameters, P * (size_t)e->seeds * sizeof(float)); /* the winning tickets come first */
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < e->seeds; i++)
            e->accuracy[level][k][i] = level == 0 ? e->tested[i] : e->tested[k * e->seeds + i];
}

/* 2:4 of the dense networks, which `parameters` holds after level 0: before, just pruned, and trained on. */
static void finetune_2_of_4(Experiment *e)
{
    static const char *const what[3] = {"dense", "2:4 pruned", "2:4 fine-tuned"};
    const size_t P = (size_t)e->s.parameters;
    double stage[3][MAX_SEEDS], mean, spread;
    for (int i = 0; i < e->seeds; i++) {
        full_mask(&e->s, e->mask + P * (size_t)i);
        prune_2_of_4(&e->s, e->mask + P * (size_t)i, e->parameters + P * (size_t)i);
        stage[0][i] = e->tested[i];
    }
    train(&e->nets, e->parameters, e->mask, 0, e->seed_of, &e->done, e->total);
    nets_test(&e->nets, stage[1]);
    train(&e->nets, e->parameters, e->mask, e->epochs / 2, e->seed_of, &e->done, e->total);
    nets_test(&e->nets, stage[2]);
    FILE *csv = side_csv(e->options, "finetune24", "network,seeds,mean,spread");
    progress("training", 1, 1);
    if (!lab_brief())
        printf("\n    2:4 along the inputs, %d more epochs        test accuracy, mean of %d seeds and standard "
               "deviation\n",
               e->epochs / 2, e->seeds);
    for (int j = 0; j < 3; j++) {
        mean_and_spread(stage[j], e->seeds, &mean, &spread);
        if (!lab_brief())
            printf("      %-20s %6.2f %% +- %.2f\n", what[j], 100 * mean, 100 * spread);
        if (csv)
            fprintf(csv, "%s,%d,%.4f,%.4f\n", what[j], e->seeds, 100 * mean, 100 * spread);
    }
    lab_close(csv);
}

/* The curves that are printed, written and drawn. */
typedef struct Curves {
    double x[MAX_ROUNDS + 1], y[KINDS][MAX_ROUNDS + 1];
} Curves;

/* One row of the table and of the CSV. Returns the mean accuracy of the winning tickets. */
static double report_level(const Experiment *e, int level, Table *t, FILE *csv, Curves *curves)
{
    const double keep = kept_at(e, level);
    double mean[KINDS], spread[KINDS];
    curves->x[level] = 100 * (1 - keep);
    table_cell(t, "%d", (int)(keep * e->weights + 0.5));
    table_cell(t, "%.1f %%", 100 * (1 - keep));
    for (int k = 0; k < KINDS; k++) {
        mean_and_spread(e->accuracy[level][k], e->seeds, &mean[k], &spread[k]);
        curves->y[k][level] = 100 * mean[k];
        table_cell(t, "%.2f ± %.2f", 100 * mean[k], 100 * spread[k]);
    }
    const double ahead = mean[WIN] - mean[REINIT];
    table_cell(t, "%s",
               level == 0                             ? ""
               : e->seeds < 2                         ? "one seed"
               : ahead > spread[WIN] + spread[REINIT] ? "beyond spread"
               : ahead > 0                            ? "within spread"
                                                      : "not better");
    if (csv)
        fprintf(csv, "%d,%.4f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%d\n", (int)(keep * e->weights + 0.5), 1 - keep,
                100 * mean[0], 100 * spread[0], 100 * mean[1], 100 * spread[1], 100 * mean[2], 100 * spread[2],
                e->seeds);
    return mean[WIN];
}

/* Prints, writes and draws the curves. Returns the mean accuracy of the dense networks in *dense, and 1 if it cannot
 * draw. */
static int report(const Experiment *e, double *dense)
{
    static Curves curves;
    Table *t = table_new(">weights|>zeros|>winning ticket|>other weights|>random mask|ticket ahead");
    FILE *csv = side_csv(e->options, "curves",
                         "weights,sparsity,winning,winning_spread,reinit,reinit_spread,random,random_spread,seeds");
    for (int level = 0; level < e->levels; level++) {
        const double mean = report_level(e, level, t, csv, &curves);
        if (level == 0)
            *dense = mean;
    }
    printf("    test accuracy in %%, mean of %d seeds and standard deviation, %d epochs\n", e->seeds, e->epochs);
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
    if (!e->options->plot)
        return 0;
    PlotSeries series[KINDS];
    for (int k = 0; k < KINDS; k++)
        series[k] = {kind_name[k], curves.x, curves.y[k], e->levels, 0};
    Plot plot = {};
    plot.title = "lottery tickets", plot.xlabel = "sparsity (%)", plot.ylabel = "test accuracy (%)";
    plot.series = series, plot.count = KINDS;
    return plot_lines(&plot, e->options->plot[0] ? e->options->plot : NULL) != 0;
}

static int show(const LabOptions *options)
{
    static Experiment e; /* zero */
    e.options = options;
    read_settings(&e);
    printf("\n    %d-%d-%d-%d perceptron, %d weights; %zu digits to train, %zu to test\n", e.s.in[0], e.s.out[0],
           e.s.out[1], MLP_CLASSES, e.weights, e.training.count, e.testing.count);
    double error = check_steps(&e.training, mlp_shape(e.s.in[0], 24, 16), 32), dense = 0;
    printf("    three training steps here and in double on the host: weights differ by %.1g\n", error);
    int failed = lab_claim(error < 1e-5, "forward, backward and step differ from the reference by %g", error);
    if (!options->verify_only && !options->small) {
        experiment_make(&e);
        for (int level = 0; level < e.levels; level++) {
            run_level(&e, level);
            if (level == 0)
                finetune_2_of_4(&e);
        }
        progress("training", 1, 1);
        failed += report(&e, &dense);
        if (!own.mnist && !own.epochs && !own.hidden1 && !own.hidden2 && !own.batch)
            failed += lab_claim(dense >= 0.97, "dense networks reach only %.2f %%", 100 * dense);
        experiment_free(&e);
    }
    digits_free(&e.training);
    digits_free(&e.testing);
    return failed;
}

static const struct argp_option own_options[] = {
    {"mnist", 'm', "DIR", 0, "MNIST's four IDX files, uncompressed, instead of data/optdigits.csv", 0},
    {"seeds", 'n', "N", 0, "networks of each kind (5; 3 on the CPU device), at most 20", 0},
    {"epochs", 'e', "N", 0, "passes over the digits (40; 12 on the CPU device)", 0},
    {"rounds", 'r', "N", 0, "round r leaves 10^(-r/5) of the weights (8), at most 10", 0},
    {"hidden", 'w', "A,B", 0, "hidden units, multiples of 8 (96,48; MNIST 304,104)", 0},
    {"batch", 'b', "N", 0, "digits per step (32)", 0},
    {0},
};

static int number(const char *what, const char *text, int least, int most)
{
    char *end;
    long v = strtol(text, &end, 10);
    if (end == text || *end || v < least || v > most)
        die_usage("%s wants a whole number from %d to %d, not '%s'", what, least, most, text);
    return (int)v;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)state;
    char comma;
    switch (key) {
    case 'm': own.mnist = arg; return 0;
    case 'n': own.seeds = number("--seeds", arg, 1, MAX_SEEDS); return 0;
    case 'e': own.epochs = number("--epochs", arg, 1, 10000); return 0;
    case 'r': own.rounds = number("--rounds", arg, 1, MAX_ROUNDS), own.step = 1; return 0;
    case 'b': own.batch = number("--batch", arg, 1, 4096); return 0;
    case 'w':
        if (sscanf(arg, "%d,%d%c", &own.hidden1, &own.hidden2, &comma) != 2 || own.hidden1 < 8 || own.hidden2 < 8 ||
            own.hidden1 % 8 || own.hidden2 % 8 || own.hidden1 > 4096 || own.hidden2 > 4096)
            die_usage("--hidden wants two multiples of 8 from 8 to 4096 with a comma between, not '%s'", arg);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp own_argp = {own_options, parse, NULL, NULL, NULL, NULL, NULL};

static const Lab lab = {
    .order = 8,
    .name = "lottery",
    .title = "sparse networks that learn, if they are the right ones",
    .look = "Look at high sparsity: the winning ticket against the same mask with other initial values, and\n"
            "against another mask with the same values. Is the difference more than the spread over seeds?",
    .show = show,
    .argp = &own_argp,
};
LAB_MAIN(lab)
