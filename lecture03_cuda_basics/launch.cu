/* launch.cu: what kernel<<<grid, block, bytes, stream>>>(...) means.
 *
 *   grid    how many blocks, in x, y and z                 bytes   of dynamic shared memory for each block (0)
 *   block   how many threads in a block, in x, y and z     stream  the queue it goes to (0: the default stream)
 *
 * Three parts: the index map of a 1D and a 2D launch as a picture, written by the threads themselves; the limits of
 * this device; and each illegal launch with the error it returns. A launch returns nothing: the error waits in
 * cudaGetLastError(), so check it after each launch.
 */
#include <string.h>

#ifdef __CUCC__
#include "cpudevice.h"
#endif
#include "lab.h"
#include "table.h"

/* Which block and thread came here? One byte each. */
typedef struct Cell {
    unsigned char block_x, block_y, thread_x, thread_y;
} Cell;

__global__ void map_kernel(Cell *cells, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        Cell c = {(unsigned char)blockIdx.x, (unsigned char)blockIdx.y, (unsigned char)threadIdx.x,
                  (unsigned char)threadIdx.y};
        cells[y * width + x] = c;
    }
}

__global__ void empty_kernel(int *p)
{
    if (p && threadIdx.x == 0)
        *p = 1;
}

/* Launches the map over width x height and prints it. Returns how many cells are not as the formula says. */
static int print_map(dim3 grid, dim3 block, int width, int height)
{
    Cell cells[256], *d_cells;
    int wrong = 0;
    CUDA_CHECK(cudaMalloc(&d_cells, sizeof cells));
    CUDA_CHECK(cudaMemset(d_cells, 0xff, sizeof cells));
    map_kernel<<<grid, block>>>(d_cells, width, height);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(cells, d_cells, sizeof cells, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_cells));
    int two = block.y > 1 || grid.y > 1;
    for (int y = 0; y < height; y++) {
        printf("   %s", two ? "" : " block ");
        for (int x = 0; x < width; x++) {
            Cell c = cells[y * width + x];
            wrong += c.block_x != x / block.x || c.block_y != y / block.y || c.thread_x != x % block.x ||
                     c.thread_y != y % block.y;
            printf(" %s", x && x % block.x == 0 ? "| " : "");
            if (two)
                printf("b%d,%d t%d,%d", c.block_x, c.block_y, c.thread_x, c.thread_y);
            else
                printf("%2d", c.block_x);
        }
        if (!two) {
            printf("\n    thread");
            for (int x = 0; x < width; x++)
                printf(" %s%2d", x && x % block.x == 0 ? "| " : "", cells[x].thread_x);
            printf("\n    index ");
            for (int x = 0; x < width; x++)
                printf(" %s%2d", x && x % block.x == 0 ? "| " : "", x);
        }
        putchar('\n');
        if (two && (y + 1) % block.y == 0 && y + 1 < height)
            puts("    - - -");
    }
    return wrong;
}

static void limits(void)
{
    cudaDeviceProp p;
    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    Table *t = table_new("limit|>here|where it bites");
    table_row(t, "threads per block|%d|blockDim.x * y * z", p.maxThreadsPerBlock);
    table_row(t, "block, each dimension|%d x %d x %d|z is short", p.maxThreadsDim[0], p.maxThreadsDim[1],
              p.maxThreadsDim[2]);
    table_row(t, "grid, each dimension|%d x %d x %d|y and z are short: put the long one along x", p.maxGridSize[0],
              p.maxGridSize[1], p.maxGridSize[2]);
    table_row(t, "shared memory per block|%zu bytes|more only by cudaFuncSetAttribute", p.sharedMemPerBlock);
    table_row(t, "  after opting in|%zu bytes|dynamic shared memory", p.sharedMemPerBlockOptin);
    table_row(t, "registers per block|%d|1024 threads of 64 registers fill it", p.regsPerBlock);
    table_row(t, "warp|%d lanes|a block of 33 threads takes two", p.warpSize);
    table_row(t, "multiprocessors|%d|fewer blocks than this leave some idle", p.multiProcessorCount);
    table_row(t, "threads per multiprocessor|%d|all resident at once", p.maxThreadsPerMultiProcessor);
    table_print(t, stdout, 4);
    table_free(t);
}

typedef struct Attempt {
    const char *what;
    dim3 grid, block;
    size_t shared;
    int legal;
} Attempt;

/* Launches what is illegal on purpose, and prints what CUDA says to each: CUDA 13 says "invalid argument" to all of
 * them, CUDA 12 "invalid configuration argument" to most. Returns how many were not refused (or refused wrongly). */
static int illegal_launches(void)
{
    const Attempt attempts[] = {
        {"legal: <<<2, 64>>>", dim3(2), dim3(64), 0, 1},
        {"1025 threads per block", dim3(1), dim3(1025), 0, 0},
        {"64 x 32 threads (2048)", dim3(1), dim3(64, 32), 0, 0},
        {"block.z = 65", dim3(1), dim3(1, 1, 65), 0, 0},
        {"no blocks: <<<0, 64>>>", dim3(0), dim3(64), 0, 0},
        {"no threads: <<<1, 0>>>", dim3(1), dim3(0), 0, 0},
        {"grid.y = 65536", dim3(1, 65536), dim3(1), 0, 0},
        {"1 MB of shared memory", dim3(1), dim3(1), 1 << 20, 0},
    };
    int wrong = 0;
    Table *t = table_new("launch|cudaGetLastError()|in words");
#ifdef __CUCC__
    cpudev_expect_errors(1); /* cucc --check: these are meant to fail */
#endif
    // notes: illegal
    for (const Attempt &a : attempts) {
        empty_kernel<<<a.grid, a.block, a.shared>>>(NULL);
        cudaError_t error = cudaGetLastError();
        wrong += (error == cudaSuccess) != a.legal;
        table_cell(t, "%s", a.what);
        table_cell(t, "%s", cudaGetErrorName(error));
        table_cell(t, "%s", cudaGetErrorString(error));
    }
    // notes end
#ifdef __CUCC__
    cpudev_expect_errors(0);
#endif
    table_print(t, stdout, 4);
    table_free(t);
    CUDA_CHECK(cudaDeviceSynchronize()); /* a launch that was refused leaves the device as it was */
    return wrong;
}

static int show(const LabOptions *)
{
    int failed = 0;
    puts("\n    <<<4, 4>>> over 14 elements: index = blockIdx.x * blockDim.x + threadIdx.x\n"
         "    (the last two threads have no element)");
    failed += print_map(dim3(4), dim3(4), 14, 1);
    puts("\n    <<<dim3(3, 2), dim3(2, 2)>>> over 5 x 3 elements\n"
         "    (b is the block and t the thread, each as x,y)");
    failed += print_map(dim3(3, 2), dim3(2, 2), 5, 3);
    if (!lab_brief()) {
        puts("\n    The limits of this device:");
        limits();
    }
    puts("\n    Illegal launches, and what CUDA says about each:");
    int surprises = illegal_launches();
    return lab_claim(failed == 0, "every thread is where the formula says (%d are not)", failed) +
           lab_claim(surprises == 0, "each illegal launch is refused, and the legal one is not (%d differ)", surprises);
}

static const Lab launch = {
    .order = 1,
    .name = "launch",
    .title = "what <<<grid, block, bytes, stream>>> means",
    .look = "The threads write down who they are: compare the picture with the formula. Then look at what\n"
            "CUDA says about launches that it cannot make: nothing, until you ask.",
    .show = show,
};
LAB_MAIN(launch)
