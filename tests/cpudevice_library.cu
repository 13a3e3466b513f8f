// A test for the CPU device only.
// What there is of cuBLAS beside gemm, and the forms of the runtime API that CUDA 13 has dropped.
#include <check.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

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
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, test_vectors);
    tcase_add_test(tests, test_graph_parameters);
    tcase_add_test(tests, test_what_cuda_13_dropped);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
