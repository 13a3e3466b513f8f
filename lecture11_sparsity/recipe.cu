/* The recipe: what each way of training sparse costs in accuracy.
 *
 * A perceptron of 3 layers learns the digits of data/optdigits.csv. Its two hidden layers are sparse, each in its own
 * way; five networks of each way, from the same five seeds, are trained side by side by recipe/net.cuh.
 *
 *   dense                         the yardstick
 *   2:4 after training            the same networks, pruned when they have learned, and not trained on
 *   2:4 from the start            W is pruned anew in every step; gradients go straight through to the dense masters
 *   SR-STE                        the same, and dropped masters decay (Zhou et al., ICLR 2021), as in all that follow
 *   2:4 both ways                 so that the backward product is sparse too (Hu et al., ICML 2024)
 *   16:2:8                        V:N:M: 4 of 8 inputs are kept for 16 outputs together, and 2:4 of those
 *   ... then dense                sparse steps first, and the last sixth of the steps dense
 *   squared ReLU                  dense weights; relu(x)^2
 *   squared ReLU and 2:4 of it    and of four neighbouring activations the two larger
 *   all of it then dense          2:4 both ways and squared ReLU with 2:4 activations
 *
 *   ./run recipe                  5 seeds on a GPU; a small setting on the CPU device
 *   ./run recipe --seeds 5 --epochs 40
 *
 * First the backward pass is checked: the weights that a step uses are those that common/sparse.h decompresses from both
 * compressed forms, bit for bit, and its gradients are differences of the loss, taken in double with those weights.
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ceil_div.cuh"
#include "device.h"
#include "digits.h"
#include "lab.h"
#include "lottery/setting.h"
#include "plot.h"
#include "progress.h"
#include "recipe/net.cuh"
#include "side_csv.h"
#include "sparse.h"
#include "table.h"

enum { MAX_SEEDS = 20, MAX_EPOCHS = 1000, BATCH = 32 };
static const float RATE = 0.1f, MOMENTUM = 0.9f, DECAY = 2e-4f;

typedef struct Named {
    const char *name;
    RecipeWay way;
    int dense_last; /* the last sixth of the steps dense: they begin with the weights that were in use */
    int after;      /* trained dense, used with `way` */
} Named;

static const Named ways[] = {
    {"dense", {WEIGHTS_DENSE, 0, 0, 0}, 0, 0},
    {"2:4 after training", {WEIGHTS_2_OF_4, 0, 0, 0}, 0, 1},
    {"2:4 from the start", {WEIGHTS_2_OF_4, 0, 0, 0}, 0, 0},
    {"SR-STE", {WEIGHTS_2_OF_4, 0, 0, DECAY}, 0, 0},
    {"2:4 both ways", {WEIGHTS_BOTH_WAYS, 0, 0, DECAY}, 0, 0},
    {"2:4 both ways then dense", {WEIGHTS_BOTH_WAYS, 0, 0, DECAY}, 1, 0},
    {"16:2:8", {WEIGHTS_16_2_8, 0, 0, DECAY}, 0, 0},
    {"16:2:8 then dense", {WEIGHTS_16_2_8, 0, 0, DECAY}, 1, 0},
    {"squared ReLU", {WEIGHTS_DENSE, 1, 0, 0}, 0, 0},
    {"squared ReLU and 2:4 of it", {WEIGHTS_DENSE, 1, 1, 0}, 0, 0},
    {"all of it then dense", {WEIGHTS_BOTH_WAYS, 1, 1, DECAY}, 1, 0},
};
enum { WAYS = LAB_COUNT(ways), DENSE = 0, FROM_THE_START = 2, SR_STE = 3 };

static struct {
    int seeds, epochs;
} own;

/* ---- networks on the device */

typedef struct Nets {
    MlpShape shape;
    int count, digits, test;
    float *master, *used, *velocity, *x[MLP_LAYERS + 1], *dx[MLP_LAYERS + 1], *eval[MLP_LAYERS + 1];
    RecipeWay *way;
    int *order, *right;
    float *pixels, *test_pixels;
    unsigned char *label, *test_label;
} Nets;

static void nets_make(Nets *n, MlpShape shape, int count, const Digits *train, const Digits *test)
{
    memset(n, 0, sizeof *n);
    n->shape = shape, n->count = count, n->digits = (int)train->count, n->test = (int)test->count;
    const size_t all = (size_t)count * (size_t)shape.parameters, pixels = (size_t)shape.in[0];
    n->master = device_floats(all), n->used = device_floats(all), n->velocity = device_floats(all);
    for (int l = 0; l <= MLP_LAYERS; l++) {
        const size_t width = l < MLP_LAYERS ? (size_t)shape.in[l] : (size_t)MLP_OUTPUTS;
        n->x[l] = device_floats((size_t)count * BATCH * width);
        n->dx[l] = device_floats((size_t)count * BATCH * width);
        n->eval[l] = l ? device_floats((size_t)count * test->count * width) : NULL;
    }
    CUDA_CHECK(cudaMalloc(&n->way, (size_t)count * sizeof *n->way));
    n->pixels = (float *)device_copy(train->pixels, train->count * pixels * sizeof(float));
    n->label = (unsigned char *)device_copy(train->label, train->count);
    n->test_pixels = (float *)device_copy(test->pixels, test->count * pixels * sizeof(float));
    n->test_label = (unsigned char *)device_copy(test->label, test->count);
    n->order = (int *)device_floats((size_t)count * train->count);
    n->right = (int *)device_floats((size_t)count);
}

static void nets_free(Nets *n)
{
    void *all[] = {n->master, n->used,   n->velocity,    n->way,   n->order,
                   n->right,  n->pixels, n->test_pixels, n->label, n->test_label};
    for (int i = 0; i < LAB_COUNT(all); i++)
        CUDA_CHECK(cudaFree(all[i]));
    for (int l = 0; l <= MLP_LAYERS; l++) {
        CUDA_CHECK(cudaFree(n->x[l]));
        CUDA_CHECK(cudaFree(n->dx[l]));
        CUDA_CHECK(cudaFree(n->eval[l]));
    }
}

static void nets_sparsify(const Nets *n)
{
    const MlpShape *s = &n->shape;
    for (int l = 0; l < MLP_LAYERS; l++)
        recipe_sparsify_kernel<<<dim3(ceil_div((s->in[l] / 8 + 1) * (s->out[l] / 16), 64), 1, (unsigned)n->count),
                                 64>>>(n->master, n->used, n->way, s->parameters, s->at[l], s->in[l], s->out[l],
                                       l == MLP_LAYERS - 1);
}

/* One step of all networks on the digits order[first ...]. */
static void nets_step(const Nets *n, int first, float rate)
{
    const MlpShape *s = &n->shape;
    const int T = 64;
    const unsigned nets = (unsigned)n->count;
    nets_sparsify(n);
    mlp_gather_kernel<<<dim3(ceil_div(BATCH * s->in[0] / 4, T), 1, nets), T>>>(n->pixels, n->order, n->digits, first,
                                                                               n->x[0], BATCH, s->in[0]);
    for (int l = 0; l < MLP_LAYERS; l++)
        recipe_forward_kernel<<<dim3(ceil_div(BATCH * s->out[l] / 8, T), 1, nets), T>>>(
            n->x[l], (size_t)BATCH * s->in[l], n->used, n->way, s->parameters, s->at[l], n->x[l + 1], BATCH, s->in[l],
            s->out[l], l == MLP_LAYERS - 1);
    mlp_loss_kernel<<<dim3(ceil_div(BATCH, T), 1, nets), T>>>(n->x[MLP_LAYERS], n->label, n->order, n->digits, first,
                                                              BATCH);
    for (int l = MLP_LAYERS - 1; l >= 0; l--) {
        const float *dy = l == MLP_LAYERS - 1 ? n->x[MLP_LAYERS] : n->dx[l + 1];
        if (l > 0)
            recipe_backward_kernel<<<dim3(ceil_div(BATCH * s->in[l], T), 1, nets), T>>>(
                dy, n->used, n->way, s->parameters, s->at[l], n->x[l], n->dx[l], BATCH, s->in[l], s->out[l]);
        recipe_step_kernel<<<dim3(ceil_div((s->in[l] + 1) * s->out[l] / 8, T), 1, nets), T>>>(
            n->x[l], dy, n->master, n->used, n->velocity, n->way, s->parameters, s->at[l], BATCH, s->in[l], s->out[l],
            rate, MOMENTUM);
    }
    CUDA_CHECK(cudaGetLastError());
}

static void nets_ways(const Nets *n, const RecipeWay *way)
{
    CUDA_CHECK(cudaMemcpy(n->way, way, (size_t)n->count * sizeof *way, cudaMemcpyHostToDevice));
}

/* The share of the test digits that each network gets right, with the weights as its way makes them. */
static void nets_test(const Nets *n, double *accuracy)
{
    const MlpShape *s = &n->shape;
    int right[WAYS * MAX_SEEDS] = {0};
    CUDA_CHECK(cudaMemset(n->right, 0, (size_t)n->count * sizeof(int)));
    nets_sparsify(n);
    for (int l = 0; l < MLP_LAYERS; l++)
        recipe_forward_kernel<<<dim3(ceil_div(n->test * s->out[l] / 8, 64), 1, (unsigned)n->count), 64>>>(
            l ? n->eval[l] : n->test_pixels, l ? (size_t)n->test * s->in[l] : 0, n->used, n->way, s->parameters,
            s->at[l], n->eval[l + 1], n->test, s->in[l], s->out[l], l == MLP_LAYERS - 1);
    mlp_count_kernel<<<dim3(ceil_div(n->test, 64), 1, (unsigned)n->count), 64>>>(n->eval[MLP_LAYERS], n->test_label,
                                                                                 n->test, n->right);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(right, n->right, (size_t)n->count * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n->count; i++)
        accuracy[i] = (double)right[i] / n->test;
}

/* ---- the check: one step's weights and gradients */

/* Layer l of a network as W (out x in), in bf16. */
static uint16_t *layer_bf16(const MlpShape *s, int l, const float *parameters)
{
    uint16_t *W = (uint16_t *)host_memory((size_t)s->out[l] * (size_t)s->in[l], 2);
    for (int o = 0; o < s->out[l]; o++)
        for (int i = 0; i < s->in[l]; i++)
            W[o * s->in[l] + i] = bf16_from_float(parameters[s->at[l] + i * s->out[l] + o]);
    return W;
}

/* Are the weights that the step used those of the two compressed forms of its masters? How many elements differ; W gets
 * them in double. */
static int compressed_weights(const MlpShape *s, int l, const float *master, const float *used, double *W)
{
    const size_t out = (size_t)s->out[l], in = (size_t)s->in[l];
    uint16_t *from = layer_bf16(s, l, master), *have = layer_bf16(s, l, used);
    uint16_t *values = (uint16_t *)host_memory(sparse24_value_count(out, in), 2);
    uint16_t *values_t = (uint16_t *)host_memory(sparse24_value_count(in, out), 2);
    uint32_t *meta = (uint32_t *)host_memory(sparse24_meta_words(out, in), 4);
    uint32_t *meta_t = (uint32_t *)host_memory(sparse24_meta_words(in, out), 4);
    uint16_t *S = (uint16_t *)host_memory(out * in, 2), *S_t = (uint16_t *)host_memory(in * out, 2);
    sparse24_compress_both_bf16(from, out, in, in, values, meta, values_t, meta_t);
    int differ = sparse24_decompress_bf16(values, meta, out, in, S, in, NULL) != 0;
    differ += sparse24_decompress_bf16(values_t, meta_t, in, out, S_t, out, NULL) != 0;
    for (size_t o = 0; o < out; o++)
        for (size_t i = 0; i < in; i++) {
            differ += S[o * in + i] != have[o * in + i] && (S[o * in + i] | have[o * in + i]) & 0x7fff;
            differ += S_t[i * out + o] != S[o * in + i];
            W[(size_t)s->at[l] + i * out + o] = bf16_to_float(S[o * in + i]);
        }
    free(from), free(have), free(values), free(values_t), free(meta), free(meta_t), free(S), free(S_t);
    return differ;
}

/* The mean loss of a batch in double. */
static double host_loss(const MlpShape *s, const RecipeWay *way, const double *W, const Digits *data, const int *digit)
{
    double x[2][256], loss = 0; /* wider than any layer of the check */
    for (int b = 0; b < BATCH; b++) {
        for (int i = 0; i < s->in[0]; i++)
            x[0][i] = data->pixels[(size_t)digit[b] * (size_t)s->in[0] + (size_t)i];
        for (int l = 0; l < MLP_LAYERS; l++) {
            const double *from = x[l % 2];
            double *to = x[(l + 1) % 2];
            for (int o = 0; o < s->out[l]; o++) {
                double sum = W[s->at[l] + s->in[l] * s->out[l] + o];
                for (int i = 0; i < s->in[l]; i++)
                    sum += from[i] * W[s->at[l] + i * s->out[l] + o];
                to[o] = l == MLP_LAYERS - 1 ? sum : sum < 0 ? 0 : way->squared ? sum * sum : sum;
            }
            for (int o = 0; o < s->out[l] && l < MLP_LAYERS - 1 && way->activations; o += 4) {
                double kept[4];
                for (int j = 0; j < 4; j++) {
                    int larger = 0;
                    for (int k = 0; k < 4; k++)
                        larger += to[o + k] > to[o + j] || (to[o + k] == to[o + j] && k < j);
                    kept[j] = larger < 2 ? to[o + j] : 0;
                }
                memcpy(to + o, kept, sizeof kept);
            }
        }
        const double *y = x[MLP_LAYERS % 2];
        double most = y[0], sum = 0;
        for (int o = 1; o < MLP_CLASSES; o++)
            most = fmax(most, y[o]);
        for (int o = 0; o < MLP_CLASSES; o++)
            sum += exp(y[o] - most);
        loss += (log(sum) + most - y[data->label[digit[b]]]) / BATCH;
    }
    return loss;
}

/* The largest error of the gradients of SAMPLES weights and biases per layer, against the largest gradient. */
static double gradient_error(const MlpShape *s, const RecipeWay *way, double *W, const float *gradient,
                             const Digits *data, const int *digit)
{
    enum { SAMPLES = 60 };
    const double H = 1e-5;
    double worst = 0, largest = 0;
    for (int l = 0; l < MLP_LAYERS; l++)
        for (int k = 0; k < SAMPLES; k++) {
            const size_t range = (size_t)(s->in[l] + 1) * (size_t)s->out[l];
            const size_t w = (size_t)s->at[l] + (size_t)(random_u64(77, (uint64_t)(l * SAMPLES + k)) % range);
            const double before = W[w];
            W[w] = before + H;
            const double above = host_loss(s, way, W, data, digit);
            W[w] = before - H;
            const double below = host_loss(s, way, W, data, digit), slope = (above - below) / (2 * H);
            W[w] = before;
            if (!(fabs(slope - gradient[w]) <= worst))
                worst = fabs(slope - gradient[w]);
            largest = fmax(largest, fabs(slope));
        }
    return worst / largest;
}

/* One step of two networks with both-ways 2:4 weights, one of them with squared ReLU and sparse activations. */
static int check_step(const Digits *data)
{
    static const RecipeWay way[2] = {{WEIGHTS_BOTH_WAYS, 0, 0, 0}, {WEIGHTS_BOTH_WAYS, 1, 1, 0}};
    const MlpShape s = mlp_shape((int)(data->rows * data->columns), 32, 16);
    const size_t P = (size_t)s.parameters;
    Nets n;
    nets_make(&n, s, 2, data, data);
    float *master = (float *)host_memory(2 * P, sizeof *master), *used = (float *)host_memory(2 * P, sizeof *used);
    float *gradient = (float *)host_memory(2 * P, sizeof *gradient);
    double *W = (double *)host_memory(P, sizeof *W);
    int *order = (int *)host_memory(2 * data->count, sizeof *order), failed = 0;
    initialise(&s, 4711, master);
    initialise(&s, 4712, master + P);
    shuffle(order, n.digits, 99);
    memcpy(order + data->count, order, data->count * sizeof *order);
    CUDA_CHECK(cudaMemcpy(n.master, master, 2 * P * sizeof *master, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(n.order, order, 2 * data->count * sizeof *order, cudaMemcpyHostToDevice));
    nets_ways(&n, way);
    nets_step(&n, 0, RATE);
    CUDA_CHECK(cudaMemcpy(used, n.used, 2 * P * sizeof *used, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(gradient, n.velocity, 2 * P * sizeof *gradient, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2; i++) {
        const float *u = used + P * (size_t)i;
        for (size_t w = 0; w < P; w++)
            W[w] = u[w]; /* the last layer and the biases */
        int differ = 0;
        for (int l = 0; l < MLP_LAYERS - 1; l++)
            differ += compressed_weights(&s, l, master + P * (size_t)i, u, W);
        failed += lab_claim(differ == 0, "%d weights are not those of the compressed forms", differ);
        const double error = gradient_error(&s, &way[i], W, gradient + P * (size_t)i, data, order);
        printf(
            "    gradients of a step with compressed weights%s, against differences in double: %.1g of the largest\n",
            way[i].squared ? ", squared ReLU and 2:4 activations" : "", error);
        failed += lab_claim(error < 1e-4, "a gradient is off by %g of the largest", error);
    }
    nets_free(&n);
    free(master), free(used), free(gradient), free(W), free(order);
    return failed;
}

/* ---- the experiment */

typedef struct Experiment {
    const LabOptions *options;
    int seeds, epochs, dense_from; /* the first epoch of the dense steps */
    Digits training, testing;
    Nets nets;
    double tested[MAX_EPOCHS + 1][WAYS * MAX_SEEDS];
} Experiment;

/* The ways of all networks in this epoch, to train or, at the end, to use. */
static void ways_of(const Experiment *e, int epoch, int use, RecipeWay *way)
{
    for (int w = 0; w < WAYS; w++)
        for (int i = 0; i < e->seeds; i++) {
            RecipeWay now = ways[w].way;
            if ((ways[w].dense_last && epoch >= e->dense_from) || (ways[w].after && !use))
                now.weights = WEIGHTS_DENSE, now.activations = 0;
            way[w * e->seeds + i] = now;
        }
}

/* Where the dense steps begin, what was dropped is gone: it never took part, and need not fit. */
static void keep_used(const Experiment *e)
{
    const size_t P = (size_t)e->nets.shape.parameters * (size_t)e->seeds;
    nets_sparsify(&e->nets);
    for (int w = 0; w < WAYS; w++)
        if (ways[w].dense_last)
            CUDA_CHECK(cudaMemcpy(e->nets.master + P * (size_t)w, e->nets.used + P * (size_t)w, P * sizeof(float),
                                  cudaMemcpyDeviceToDevice));
}

static void train(Experiment *e)
{
    const size_t P = (size_t)e->nets.shape.parameters, nets = (size_t)e->nets.count, D = (size_t)e->nets.digits;
    float *master = (float *)host_memory(P * nets, sizeof *master);
    int *order = (int *)host_memory(D * nets, sizeof *order);
    static RecipeWay way[WAYS * MAX_SEEDS];
    for (size_t n = 0; n < nets; n++)
        initialise(&e->nets.shape, e->options->seed * 100 + n % (size_t)e->seeds, master + P * n);
    CUDA_CHECK(cudaMemcpy(e->nets.master, master, P * nets * sizeof *master, cudaMemcpyHostToDevice));
    for (int epoch = 0; epoch < e->epochs; epoch++) {
        for (size_t n = 0; n < nets; n++) {
            const uint64_t seed = e->options->seed * 100 + n % (size_t)e->seeds;
            shuffle(order + D * n, (int)D, seed * 1000 + (uint64_t)epoch);
        }
        CUDA_CHECK(cudaMemcpy(e->nets.order, order, D * nets * sizeof *order, cudaMemcpyHostToDevice));
        if (epoch == e->dense_from)
            keep_used(e);
        ways_of(e, epoch, 0, way);
        nets_ways(&e->nets, way);
        const float rate = RATE * (float)pow(10, -(double)epoch / e->epochs);
        for (int first = 0; first + BATCH <= (int)D; first += BATCH)
            nets_step(&e->nets, first, rate);
        ways_of(e, epoch, 1, way);
        nets_ways(&e->nets, way);
        nets_test(&e->nets, e->tested[epoch]);
        progress("training", epoch + 1, e->epochs);
    }
    free(master), free(order);
}

static void report_curves(const Experiment *e)
{
    static double x[MAX_EPOCHS], y[WAYS][MAX_EPOCHS];
    FILE *csv = side_csv(e->options, "curves", "epoch,way,mean,spread");
    for (int epoch = 0; epoch < e->epochs; epoch++)
        for (int w = 0; w < WAYS; w++) {
            double mean, spread;
            mean_and_spread(e->tested[epoch] + w * e->seeds, e->seeds, &mean, &spread);
            x[epoch] = epoch + 1, y[w][epoch] = 100 * mean;
            if (csv)
                fprintf(csv, "%d,%s,%.3f,%.3f\n", epoch + 1, ways[w].name, 100 * mean, 100 * spread);
        }
    lab_close(csv);
    if (!e->options->plot)
        return;
    PlotSeries series[WAYS];
    for (int w = 0; w < WAYS; w++)
        series[w] = {ways[w].name, x, y[w], e->epochs, 0};
    Plot plot = {};
    plot.title = "digits, sparse in training", plot.xlabel = "epochs", plot.ylabel = "test accuracy (%)";
    plot.series = series, plot.count = WAYS;
    plot_lines(&plot, e->options->plot[0] ? e->options->plot : NULL);
}

/* The table of the last epoch. below[w]: how many points way w is below the dense networks; spread[w]: of its seeds. */
static void report(const Experiment *e, double *below, double *spread)
{
    Table *t = table_new("way|>accuracy, %|>spread|>less than dense, points");
    FILE *csv = side_csv(e->options, "accuracy", "number,way,seeds,mean,spread,below_dense");
    double dense = 0;
    for (int w = 0; w < WAYS; w++) {
        double mean;
        mean_and_spread(e->tested[e->epochs - 1] + w * e->seeds, e->seeds, &mean, &spread[w]);
        dense = w == DENSE ? mean : dense;
        below[w] = 100 * (dense - mean);
        table_cell(t, "%s", ways[w].name);
        table_cell(t, "%.2f", 100 * mean);
        table_cell(t, "%.2f", 100 * spread[w]);
        table_cell(t, "%.2f", below[w]);
        if (csv)
            fprintf(csv, "%d,%s,%d,%.3f,%.3f,%.3f\n", w + 1, ways[w].name, e->seeds, 100 * mean, 100 * spread[w],
                    below[w]);
    }
    printf("    test accuracy, mean of %d seeds and standard deviation, %d epochs\n", e->seeds, e->epochs);
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
}

static int show(const LabOptions *options)
{
    static Experiment e; /* zero */
    e.options = options;
    const int small = device_is_cpu();
    e.seeds = own.seeds ? own.seeds : small ? 2 : 5;
    e.epochs = own.epochs ? own.epochs : small ? 6 : 40;
    e.dense_from = e.epochs - (e.epochs + 5) / 6;
    read_optdigits(&e.training, &e.testing);
    int failed = check_step(&e.training);
    if (!options->verify_only && !options->small && !lab_brief()) {
        double below[WAYS], spread[WAYS];
        nets_make(&e.nets, mlp_shape((int)(e.training.rows * e.training.columns), 96, 48), WAYS * e.seeds, &e.training,
                  &e.testing);
        train(&e);
        progress("training", 1, 1);
        report(&e, below, spread);
        report_curves(&e);
        if (!own.seeds && !own.epochs && !small)
            for (int w = FROM_THE_START; w <= SR_STE; w++)
                failed += lab_claim(below[w] <= 0.5 || below[w] <= 100 * spread[w], "%s is %.2f points below dense",
                                    ways[w].name, below[w]);
        nets_free(&e.nets);
    }
    digits_free(&e.training);
    digits_free(&e.testing);
    return failed;
}

static const struct argp_option own_options[] = {
    {"seeds", 'n', "N", 0, "networks of each way (5; 2 on the CPU device), at most 20", 0},
    {"epochs", 'e', "N", 0, "passes over the digits (40; 6 on the CPU device)", 0},
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
    switch (key) {
    case 'n': own.seeds = number("--seeds", arg, 1, MAX_SEEDS); return 0;
    case 'e': own.epochs = number("--epochs", arg, 1, MAX_EPOCHS); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp own_argp = {own_options, parse, NULL, NULL, NULL, NULL, NULL};

static const Lab lab = {
    .order = 16,
    .name = "recipe",
    .title = "ways to train sparse, and what each costs in accuracy",
    .page = "training.md",
    .look = "Compare each way with the dense networks, and with the spread over seeds: a difference that is smaller\n"
            "than the spread says nothing. Pruning after training costs most; pruning in every step costs little.",
    .show = show,
    .argp = &own_argp,
};
LAB_MAIN(lab)
