/* lecture01.c: what a copy moves; the queue and the host's clock; nine kernels or one. */
#include <stdio.h>
#include <string.h>

#include "pictures.h"

/* The first program: two memories, two copies, one kernel. */
static void copies(const char *file)
{
    enum { N = 10, BLOCK = 4, BLOCKS = (N + BLOCK - 1) / BLOCK, CELL = 30 };
    float h_x[N], d_x[N], before[N];
    Replay r = {0};
    for (int i = 0; i < N; i++)
        h_x[i] = before[i] = (float)i;
    memcpy(d_x, h_x, sizeof h_x);
    replay_watch(&r, d_x, sizeof d_x);
    KernelArguments a = {{d_x}, {N}};
    replay_run(&r, BLOCKS, 1, BLOCK, 1, call_first, &a);
    memcpy(h_x, d_x, sizeof h_x);
    Svg *s = svg_open(file, 400, "One copy in, one kernel, one copy out");
    svg_box(s, 8, 28, 384, 130, SVG_NONE);
    svg_head(s, 50, 48, SVG_LEFT, "host");
    svg_box(s, 8, 232, 384, 136, SVG_NONE);
    svg_head(s, 50, 254, SVG_LEFT, "device");
    const float *rows[4] = {before, h_x, before, d_x};
    const char *names[4] = {"h_x before", "h_x after the copy out", "d_x after the copy in", "d_x after the kernel"};
    const double top[4] = {58, 108, 262, 316};
    for (int k = 0; k < 4; k++) {
        svg_text(s, 350, top[k] + 12, SVG_RIGHT, "%s", names[k]);
        for (int i = 0; i < N; i++)
            svg_cell(s, 50 + i * CELL, top[k] + 17, CELL, 22, k % 2 ? SVG_GREEN : SVG_BLUE, "%g", rows[k][i]);
    }
    svg_arrow(s, 30, 97, 30, 277);
    svg_arrow(s, 372, 333, 372, 150);
    svg_text(s, 40, 184, SVG_LEFT, "① cudaMemcpy, %d bytes", (int)sizeof h_x);
    svg_text(s, 362, 216, SVG_RIGHT, "③ cudaMemcpy, %d bytes", (int)sizeof h_x);
    svg_text(s, 16, 388, SVG_LEFT, "② double_them<<<%d, %d>>>: %d threads, %d elements", BLOCKS, BLOCK, BLOCKS * BLOCK,
             (int)r.count / 2);
    svg_arrow(s, 24, 302, 24, 330);
    svg_claim(s, "bytes", sizeof h_x);
    svg_claim(s, "loads_and_stores", (double)r.count);
    svg_claim(s, "last", h_x[N - 1]);
    replay_free(&r);
    svg_close(s);
}

/* Three launches and a synchronize on two clocks, to scale, from what was measured on an H200. */
static void queue(const char *file)
{
    enum { LAUNCHES = 3 };
    double launch_us =
        csv_number("h200/profiler_overhead", "what", "10000 empty launches (per launch): plain", "value");
    double kernel_us = csv_number("h200/profiler_accuracy", "kernel", "copy(float4*  float4 const*  int)", "mean_us");
    double begin = launch_us, total = begin + LAUNCHES * kernel_us, scale = 366 / total;
    Svg *s = svg_open(file, 232, "Three launches: what the host's clock sees, and when the kernels run");
    svg_text(s, 8, 20, SVG_LEFT, "a launch: %.1f us; a kernel: %.0f us (H200); to scale", launch_us, kernel_us);
    svg_head(s, 8, 50, SVG_LEFT, "host");
    svg_head(s, 8, 130, SVG_LEFT, "device");
    for (int i = 0; i < LAUNCHES; i++) {
        svg_box(s, 14 + i * launch_us * scale, 58, launch_us * scale, 26, SVG_ORANGE);
        svg_cell(s, 14 + (begin + i * kernel_us) * scale, 138, kernel_us * scale, 26, SVG_BLUE, "kernel %d", i + 1);
    }
    double returned = LAUNCHES * launch_us;
    svg_cell(s, 14 + returned * scale, 58, (total - returned) * scale, 26, SVG_PLAIN, "cudaDeviceSynchronize: waits");
    svg_dashed(s, 14 + returned * scale, 84, 14 + returned * scale, 112);
    svg_dashed(s, 14 + total * scale, 84, 14 + total * scale, 196);
    svg_text(s, 20 + returned * scale, 106, SVG_LEFT, "clock without synchronize: %.0f us", returned);
    svg_text(s, 10 + total * scale, 192, SVG_RIGHT, "clock with synchronize: %.0f us", total);
    svg_text(s, 8, 220, SVG_LEFT, "orange: the three launches, queued and returned");
    svg_claim(s, "without_us", returned);
    svg_claim(s, "with_us", total);
    svg_close(s);
}

/* What GELU's nine kernels read and write, an array of x at a time; and the one kernel. */
static void gelu(const char *file)
{
    enum { N = 8 };
    static float x[N], y[N], scratch[2 * N];
    static const char *const names[] = {"h = 0.5 x", "u = 0.044715 x", "u = u x",   "u = u x", "u = x + u",
                                        "u = c u",   "u = tanh u",     "u = 1 + u", "y = h u"};
    Replay r = {0}, one = {0};
    replay_watch(&r, x, sizeof x), replay_watch(&r, y, sizeof y), replay_watch(&r, scratch, sizeof scratch);
    replay_watch(&one, x, sizeof x), replay_watch(&one, y, sizeof y);
    KernelArguments a = {{x, y, scratch}, {N}};
    replay_run(&r, 1, 1, 1, 1, call_gelu_chain, &a);
    replay_run(&one, 1, 1, N, 1, call_gelu_fused, &a);
    int reads[10] = {0}, writes[10] = {0}, all = 0;
    for (size_t i = 0; i < r.count; i++)
        (r.access[i].store ? writes : reads)[r.access[i].barriers]++;
    for (size_t i = 0; i < one.count; i++)
        (one.access[i].store ? writes : reads)[9]++;
    Svg *s = svg_open(file, 356, "GELU as nine kernels and as one: arrays read and written");
    svg_text(s, 8, 20, SVG_LEFT, "one box: the whole array moves once");
    svg_box(s, 210, 28, 14, 14, SVG_BLUE);
    svg_text(s, 230, 40, SVG_LEFT, "read");
    svg_box(s, 290, 28, 14, 14, SVG_ORANGE);
    svg_text(s, 310, 40, SVG_LEFT, "written");
    for (int k = 0; k < 10; k++) {
        double top = 50 + k * 27 + (k == 9 ? 26 : 0);
        svg_text(s, 8, top + 16, SVG_LEFT, "%s", k < 9 ? names[k] : "all of it, fused");
        for (int i = 0; i < (reads[k] + writes[k]) / N; i++)
            svg_box(s, 160 + i * 44, top, 42, 22, i < reads[k] / N ? SVG_BLUE : SVG_ORANGE);
        if (k < 9)
            all += (reads[k] + writes[k]) / N;
    }
    svg_text(s, 160, 50 + 9 * 27 + 15, SVG_LEFT, "= %d arrays moved", all);
    svg_text(s, 252, 50 + 9 * 27 + 42, SVG_LEFT, "= %d arrays", (reads[9] + writes[9]) / N);
    svg_claim(s, "chain", all);
    svg_claim(s, "fused", (reads[9] + writes[9]) / N);
    replay_free(&r), replay_free(&one);
    svg_close(s);
}

const Picture lecture01_pictures[] = {{"copies", copies}, {"queue", queue}, {"gelu", gelu}, {NULL, NULL}};
