/* ranks.cu: an all-reduce with one process per GPU, started by mpirun. MPI starts the processes and carries the handles;
 * the data go from GPU to GPU.
 *
 * One process cannot use another one's pointers. cudaIpcGetMemHandle() makes 64 bytes that name an allocation, MPI sends
 * them, and cudaIpcOpenMemHandle() maps the same memory here. Then each rank's kernel reads all vectors and adds them, in
 * the order of the ranks. MPI_Barrier() is the order between the ranks: before the kernel all vectors are there, and after
 * it nobody reads them any more.
 *
 *   sh lecture11_sparsity/mpi/run.sh 4              on the CPU device, or with nvcc and GPUs on those: 4 ranks
 *
 * It prints one line, and its exit status is 0 if every rank's sum is right. */
#include <cuda_runtime.h>
#include <math.h>
#define OMPI_SKIP_MPICXX 1 /* the C interface alone */
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 16, N = 1000003, RUNS = 20 };

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const cudaError_t e = call;                                                                                    \
        if (e != cudaSuccess) {                                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));                                 \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                              \
        }                                                                                                              \
    } while (0)

typedef struct Vectors {
    int ranks;
    const float *of[RANKS_MAX];
} Vectors;

__global__ void sum_kernel(const Vectors v, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float sum = v.of[0][i];
        for (int r = 1; r < v.ranks; r++)
            sum += v.of[r][i];
        out[i] = sum;
    }
}

/* The same number on every rank that asks for it, in [-1, 1). */
static float element(int rank, int i)
{
    unsigned x = (unsigned)i * 2654435761u + (unsigned)rank * 40503u;
    x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
    return (float)(int)x * 0x1p-31f;
}

static double all_reduce(const Vectors *v, float *out)
{
    const double begin = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD); /* all vectors are there */
    sum_kernel<<<132, 512>>>(*v, out, N);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    MPI_Barrier(MPI_COMM_WORLD); /* all have read them */
    return MPI_Wtime() - begin;
}

int main(int argc, char **argv)
{
    int rank, ranks, local, gpus;
    MPI_Comm host;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &local);
    CHECK(cudaGetDeviceCount(&gpus));
    if (ranks > RANKS_MAX) {
        if (rank == 0)
            fprintf(stderr, "at most %d ranks\n", (int)RANKS_MAX);
        MPI_Finalize();
        return 2;
    }
    CHECK(cudaSetDevice(local % gpus));

    float *h = (float *)malloc(N * sizeof *h), *in, *out;
    CHECK(cudaMalloc((void **)&in, N * sizeof *in));
    CHECK(cudaMalloc((void **)&out, N * sizeof *out));
    for (int i = 0; i < N; i++)
        h[i] = element(rank, i);
    CHECK(cudaMemcpy(in, h, N * sizeof *h, cudaMemcpyHostToDevice));

    cudaIpcMemHandle_t mine, all[RANKS_MAX];
    CHECK(cudaIpcGetMemHandle(&mine, in));
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    Vectors v = {ranks, {}};
    for (int r = 0; r < ranks; r++) {
        void *p = in;
        if (r != rank)
            CHECK(cudaIpcOpenMemHandle(&p, all[r], cudaIpcMemLazyEnablePeerAccess));
        v.of[r] = (const float *)p;
    }

    double best = all_reduce(&v, out);
    for (int k = 1; k < RUNS; k++)
        best = fmin(best, all_reduce(&v, out));

    int wrong = 0, wrong_anywhere;
    CHECK(cudaMemcpy(h, out, N * sizeof *h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int r = 0; r < ranks; r++)
            sum += element(r, i);
        wrong += !(fabs(h[i] - sum) <= (ranks - 1) * ranks * 0x1p-24);
    }
    MPI_Allreduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

    for (int r = 0; r < ranks; r++)
        if (r != rank)
            CHECK(cudaIpcCloseMemHandle((void *)v.of[r]));
    MPI_Barrier(MPI_COMM_WORLD); /* nobody has it mapped any more */
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    free(h);
    if (rank == 0)
        printf("%d ranks, %d floats: %s; %.1f us\n", ranks, (int)N, wrong_anywhere ? "WRONG" : "right on every rank",
               best * 1e6);
    MPI_Finalize();
    return wrong_anywhere != 0;
}
