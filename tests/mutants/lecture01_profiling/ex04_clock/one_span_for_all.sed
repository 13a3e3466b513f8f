/^    for (int i = 0; i < warmups; i++)$/,/^    median = samples/c\
    for (int i = 0; i < warmups; i++)\
        launch();\
    CUDA_CHECK(cudaEventRecord(start));\
    for (int i = 0; i < runs; i++)\
        launch();\
    CUDA_CHECK(cudaEventRecord(stop));\
    CUDA_CHECK(cudaEventSynchronize(stop));\
    CUDA_CHECK(cudaEventElapsedTime(&median, start, stop));\
    median /= (float)runs;\
    (void)ascending;
