# caught by: nothing
# all runs are queued, each with its own two events, and read at the end
/^    for (int i = 0; i < runs; i++) {$/,/^    }$/c\
    cudaEvent_t *of_run = (cudaEvent_t *)malloc(2 * (size_t)runs * sizeof(cudaEvent_t));\
    for (int i = 0; i < 2 * runs; i++)\
        CUDA_CHECK(cudaEventCreate(&of_run[i]));\
    for (int i = 0; i < runs; i++) {\
        CUDA_CHECK(cudaEventRecord(of_run[2 * i]));\
        launch();\
        CUDA_CHECK(cudaEventRecord(of_run[2 * i + 1]));\
    }\
    CUDA_CHECK(cudaDeviceSynchronize());\
    for (int i = 0; i < runs; i++)\
        CUDA_CHECK(cudaEventElapsedTime(&samples[i], of_run[2 * i], of_run[2 * i + 1]));\
    for (int i = 0; i < 2 * runs; i++)\
        CUDA_CHECK(cudaEventDestroy(of_run[i]));\
    free(of_run);
