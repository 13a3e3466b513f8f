// A test for the CPU device only.
// What there is of cuBLAS beside gemm, and the forms of the runtime API that CUDA 13 has dropped.
#include <check.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include "suite.h"

START_TEST(test_vectors)
{
    const float x[6] = {3, 99, -4, 99, 0, 99}, alpha = 2;
    float got[3], *d, *e, sum;
    cublasHandle_t h;
    cublasCreate(&h);
    cudaMalloc(&d, 3 * sizeof(float));
    cudaMalloc(&e, 3 * sizeof(float));
    ck_assert_int_eq(cublasSetVector(3, sizeof(float), x, 2, d, 1), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasSetVector(3, sizeof(float), x + 1, 2, e, 1), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasSnrm2(h, 3, d, 1, &sum), CUBLAS_STATUS_SUCCESS);
    ck_assert(sum == 5);
    ck_assert_int_eq(cublasSasum(h, 3, d, 1, &sum), CUBLAS_STATUS_SUCCESS);
    ck_assert(sum == 7);
    ck_assert_int_eq(cublasSdot(h, 3, d, 1, e, 1, &sum), CUBLAS_STATUS_SUCCESS);
    ck_assert(sum == -99);
    ck_assert_int_eq(cublasSaxpy(h, 3, &alpha, d, 1, e, 1), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasSscal(h, 2, &alpha, e, 2), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasGetVector(3, sizeof(float), e, 1, got, 1), CUBLAS_STATUS_SUCCESS);
    ck_assert(got[0] == 210 && got[1] == 91 && got[2] == 198);
    // columns of 2 out of columns of 3
    const float matrix[6] = {1, 2, 99, 3, 4, 99};
    float back[4];
    ck_assert_int_eq(cublasSetMatrix(2, 1, sizeof(float), matrix + 3, 3, d, 2), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasGetMatrix(2, 1, sizeof(float), d, 2, back + 2, 2), CUBLAS_STATUS_SUCCESS);
    ck_assert(back[2] == 3 && back[3] == 4);
    cudaFree(d);
    cudaFree(e);
    cublasDestroy(h);
}
END_TEST

// c = 2 a^T + 3 b, and without b, which may then be anything; sums of the older form.
START_TEST(test_matrices)
{
    const float two = 2, three = 3, zero = 0;
    cublasHandle_t h;
    cublasCreate(&h);
    float *a, *b, *c;
    cudaMallocManaged(&a, 12 * sizeof(float));
    cudaMallocManaged(&b, 12 * sizeof(float));
    cudaMallocManaged(&c, 12 * sizeof(float));
    for (int i = 0; i < 12; i++) {
        a[i] = (float)i;
        b[i] = (float)(100 * i);
        c[i] = -1;
    }
    // 2 x 3 in columns of 4; a is 3 x 2 in columns of 5, b 2 x 3 in columns of 3
    ck_assert_int_eq(cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 3, &two, a, 5, &three, b, 3, c, 4), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 4; row++)
            if (4 * column + row < 12)
                ck_assert(c[4 * column + row] == (row < 2 ? 2 * a[5 * row + column] + 3 * b[3 * column + row] : -1));
    ck_assert_int_eq(cublasSgeam(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, &two, a, 2, &zero, NULL, 2, a, 2), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 6; i++)
        ck_assert(a[i] == (float)(i < 4 ? 2 * i : i));
    ck_assert_int_eq(cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &two, a, 2, &zero, b, 2, a, 2), CUBLAS_STATUS_INVALID_VALUE);
    // 2 x 1 times 1 x 2, once as it is and once with b's second column first, into what lies apart; and in half
    float **pointers;
    cudaMallocManaged(&pointers, 6 * sizeof(float *));
    float *const where[6] = {a + 4, a + 4, b + 1, b + 3, c, c + 6};
    for (int i = 0; i < 6; i++)
        pointers[i] = where[i];
    for (int i = 0; i < 12; i++)
        c[i] = (float)i;
    ck_assert_int_eq(cublasSgemmBatched(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 1, &two, pointers, 1, pointers + 2, 1, &three, pointers + 4, 2, 2),
                     CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 12; i++)
        ck_assert(c[i] == (i % 6 < 4 ? 2 * a[4 + i % 2] * b[(i < 6 ? 1 : 3) + i % 6 / 2] + 3 * (float)i : (float)i));
    __half *half;
    const __half one = __float2half(1), none = __float2half(0);
    cudaMallocManaged(&half, 3 * sizeof(__half));
    half[0] = __float2half(3);
    half[1] = __float2half(0.5f);
    ck_assert_int_eq(cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, half, 1, half + 1, 1, &none, half + 2, 1), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert(__half2float(half[2]) == 1.5f);
    cudaFree(half);
    cudaFree(pointers);
    // 1 x 2 times 2 x 1
    ck_assert_int_eq(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &two, a + 1, CUDA_R_32F, 1, b + 1, CUDA_R_32F, 2, &zero, c, CUDA_R_32F, 1,
                                  CUDA_R_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert(c[0] == 2 * (2 * 100 + 4 * 200));
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cublasDestroy(h);
}
END_TEST

__global__ void set(int *x, int value) { *x = value; }

// A node of a graph gets other arguments: in the graph, and in what was made of it before.
START_TEST(test_graph_parameters)
{
    int *x, one = 1, two = 2, three = 3;
    cudaMallocManaged(&x, sizeof *x);
    cudaGraph_t g;
    cudaGraphNode_t node, empty;
    cudaGraphExec_t early, late;
    void *args[3][2] = {{&x, &one}, {&x, &two}, {&x, &three}};
    cudaKernelNodeParams p[3] = {};
    for (int i = 0; i < 3; i++) {
        p[i].func = (void *)set;
        p[i].gridDim = p[i].blockDim = dim3(1);
        p[i].kernelParams = args[i];
    }
    cudaGraphCreate(&g, 0);
    cudaGraphAddEmptyNode(&empty, g, NULL, 0);
    ck_assert_int_eq(cudaGraphAddKernelNode(&node, g, &empty, 1, &p[0]), cudaSuccess);
    ck_assert_int_eq(cudaGraphInstantiate(&early, g, 0), cudaSuccess);
    ck_assert_int_eq(cudaGraphKernelNodeSetParams(node, &p[1]), cudaSuccess);
    ck_assert_int_eq(cudaGraphInstantiate(&late, g, 0), cudaSuccess);
    const cudaGraphExec_t order[3] = {early, late, early};
    for (int i = 0; i < 3; i++) {
        if (i == 2)
            ck_assert_int_eq(cudaGraphExecKernelNodeSetParams(early, node, &p[2]), cudaSuccess);
        ck_assert_int_eq(cudaGraphLaunch(order[i], 0), cudaSuccess);
        ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
        ck_assert_int_eq(*x, i + 1);
    }
    ck_assert_int_eq(cudaGraphExecKernelNodeSetParams(early, empty, &p[2]), cudaErrorInvalidValue);
    cudaGetLastError();
    cudaGraphExecDestroy(early);
    cudaGraphExecDestroy(late);
    cudaGraphDestroy(g);
    cudaFree(x);
}
END_TEST

// x = 10 x + digit: what has run, and in what order, can be read off.
__global__ void append(int *x, int digit) { *x = *x * 10 + digit; }

static cudaGraphNode_t add_append(cudaGraph_t g, const cudaGraphNode_t *after, int *x, int digit)
{
    cudaGraphNode_t node;
    void *args[] = {&x, &digit};
    cudaKernelNodeParams p = {};
    p.func = (void *)append;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = args;
    ck_assert_int_eq(cudaGraphAddKernelNode(&node, g, after, after ? 1 : 0, &p), cudaSuccess);
    return node;
}

// 1, then a child graph (2, then a child of its own (3), then 4), then 5; the graph inside is a copy.
START_TEST(test_child_graphs)
{
    int *x;
    cudaMallocManaged(&x, sizeof *x);
    cudaGraph_t inner, middle, outer, copy, inside;
    cudaGraphNode_t n;
    cudaGraphCreate(&inner, 0);
    cudaGraphCreate(&middle, 0);
    cudaGraphCreate(&outer, 0);
    add_append(inner, NULL, x, 3);
    n = add_append(middle, NULL, x, 2);
    ck_assert_int_eq(cudaGraphAddChildGraphNode(&n, middle, &n, 1, inner), cudaSuccess);
    cudaGraphDestroy(inner);
    add_append(middle, &n, x, 4);
    n = add_append(outer, NULL, x, 1);
    ck_assert_int_eq(cudaGraphAddChildGraphNode(&n, outer, &n, 1, middle), cudaSuccess);
    ck_assert_int_eq(cudaGraphChildGraphNodeGetGraph(n, &inside), cudaSuccess);
    ck_assert_int_eq(cudaGraphDestroy(inside), cudaErrorInvalidValue);
    cudaGraphNodeType type;
    ck_assert_int_eq(cudaGraphNodeGetType(n, &type), cudaSuccess);
    ck_assert_int_eq(type, cudaGraphNodeTypeGraph);
    const cudaGraphNode_t last = add_append(outer, &n, x, 5);
    size_t count;
    cudaGraphGetNodes(outer, NULL, &count);
    ck_assert_int_eq(count, 3);
    cudaGraphDestroy(middle);
    cudaGraphClone(&copy, outer);
    cudaGraphExec_t exec[2];
    ck_assert_int_eq(cudaGraphInstantiate(&exec[0], outer, 0), cudaSuccess);
    ck_assert_int_eq(cudaGraphInstantiate(&exec[1], copy, 0), cudaSuccess);
    for (int i = 0; i < 2; i++) {
        *x = 0;
        ck_assert_int_eq(cudaGraphLaunch(exec[i], 0), cudaSuccess);
        ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
        ck_assert_int_eq(*x, 12345);
    }
    // the last node has another number among those that run
    int six = 6;
    void *args[] = {&x, &six};
    cudaKernelNodeParams p = {};
    p.func = (void *)append;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = args;
    ck_assert_int_eq(cudaGraphExecKernelNodeSetParams(exec[0], last, &p), cudaSuccess);
    // a launch into a stream that is captured is a child too
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    append<<<1, 1, 0, s>>>(x, 7);
    ck_assert_int_eq(cudaGraphLaunch(exec[0], s), cudaSuccess);
    append<<<1, 1, 0, s>>>(x, 8);
    ck_assert_int_eq(cudaStreamEndCapture(s, &middle), cudaSuccess);
    cudaGraphGetNodes(middle, NULL, &count);
    ck_assert_int_eq(count, 3);
    ck_assert_int_eq(cudaGraphExecUpdate(exec[1], middle, (cudaGraphExecUpdateResultInfo *)NULL), cudaErrorGraphExecUpdateFailure);
    cudaGraphExecDestroy(exec[1]);
    cudaGraphInstantiate(&exec[1], middle, 0);
    *x = 0;
    cudaGraphLaunch(exec[1], s);
    ck_assert_int_eq(cudaStreamSynchronize(s), cudaSuccess);
    ck_assert_int_eq(*x, 7123468);
    ck_assert_int_eq(cudaGraphExecUpdate(exec[0], copy, (cudaGraphExecUpdateResultInfo *)NULL), cudaSuccess);
    *x = 0;
    cudaGraphLaunch(exec[0], s);
    ck_assert_int_eq(cudaStreamSynchronize(s), cudaSuccess);
    ck_assert_int_eq(*x, 12345);
    for (int i = 0; i < 2; i++)
        cudaGraphExecDestroy(exec[i]);
    cudaGraphDestroy(outer);
    cudaGraphDestroy(copy);
    cudaGraphDestroy(middle);
    cudaStreamDestroy(s);
    cudaFree(x);
}
END_TEST

// Launched so that it may begin early, and waits for the kernel before it all the same.
__global__ void first(int *x)
{
    cudaTriggerProgrammaticLaunchCompletion();
    for (int i = 0; i < 100000; i++)
        atomicAdd(x, 1);
}
__global__ void second(const int *x, int *seen)
{
    cudaGridDependencySynchronize();
    *seen = *x;
}

START_TEST(test_programmatic_launch)
{
    int *x;
    cudaMallocManaged(&x, 2 * sizeof *x);
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = s;
    config.attrs = &early;
    config.numAttrs = 1;
    first<<<1, 1, 0, s>>>(x);
    ck_assert_int_eq(cudaLaunchKernelEx(&config, second, (const int *)x, x + 1), cudaSuccess);
    ck_assert_int_eq(cudaStreamSynchronize(s), cudaSuccess);
    ck_assert_int_eq(x[1], 100000);
    cudaStreamDestroy(s);
    cudaFree(x);
}
END_TEST

// One device: a pool is its own, and nothing goes to other processes.
START_TEST(test_pools)
{
    cudaMemPool_t pool;
    ck_assert_int_eq(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    cudaMemAccessDesc access[2] = {};
    access[0].location.type = access[1].location.type = cudaMemLocationTypeDevice;
    access[0].flags = access[1].flags = cudaMemAccessFlagsProtReadWrite;
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    ck_assert_int_eq(cudaMemPoolSetAccess(pool, access, 2), cudaSuccess);
    ck_assert_int_eq(cudaMemPoolGetAccess(&flags, pool, &access[0].location), cudaSuccess);
    ck_assert_int_eq(flags, cudaMemAccessFlagsProtReadWrite);
    access[1].flags = cudaMemAccessFlagsProtNone;
    ck_assert_int_eq(cudaMemPoolSetAccess(pool, access, 2), cudaErrorInvalidValue);
    access[1].location.id = 1;
    ck_assert_int_eq(cudaMemPoolSetAccess(pool, access, 2), cudaErrorInvalidDevice);
    ck_assert_int_eq(cudaMemPoolGetAccess(&flags, pool, &access[1].location), cudaErrorInvalidDevice);
    int *x;
    ck_assert_int_eq(cudaMallocAsync(&x, sizeof *x, pool, (cudaStream_t)0), cudaSuccess);
    ck_assert_int_eq(cudaFreeAsync(x, 0), cudaSuccess);
    int file, types = -1;
    cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 0);
    ck_assert_int_eq(types, 0);
    ck_assert_int_eq(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypePosixFileDescriptor, 0), cudaErrorNotSupported);
    ck_assert_int_eq(cudaGetLastError(), cudaErrorNotSupported);
}
END_TEST

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
START_TEST(test_what_cuda_13_dropped)
{
    cudaDeviceProp p;
    ck_assert_int_eq(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    int clock;
    cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
    ck_assert(p.clockRate == clock && p.deviceOverlap == 1);
    float *m;
    cudaMallocManaged(&m, 4096);
    ck_assert_int_eq(cudaMemAdvise(m, 4096, cudaMemAdviseSetPreferredLocation, 0), cudaSuccess);
    ck_assert_int_eq(cudaMemPrefetchAsync(m, 4096, 0), cudaSuccess);
    ck_assert_int_eq(cudaMemPrefetchAsync(m, 4096, cudaCpuDeviceId, (cudaStream_t)0), cudaSuccess);
    ck_assert_int_eq(cudaMemPrefetchAsync(m, 4096, 7), cudaErrorInvalidDevice);
    cudaGetLastError();
    cudaFree(m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpudevice: libraries and older forms");
    TCase *tests = tcase_create("library");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, test_vectors);
    tcase_add_test(tests, test_matrices);
    tcase_add_test(tests, test_graph_parameters);
    tcase_add_test(tests, test_child_graphs);
    tcase_add_test(tests, test_programmatic_launch);
    tcase_add_test(tests, test_pools);
    tcase_add_test(tests, test_what_cuda_13_dropped);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
