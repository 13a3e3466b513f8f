/* late_profiler.cu: a host thread whose first call comes while another thread starts the runtime waits for the whole start,
 * with the profiler that it loads (late_profiler.c). */
#include <stdio.h>
#include <atomic>
#include <thread>

extern "C" {
std::atomic<int> profiler_begun, profiler_done;
}

int main(void)
{
    int device, seen;
    std::thread first([] { cudaFree(NULL); });
    while (!profiler_begun)
        std::this_thread::yield();
    cudaError_t e = cudaGetDevice(&device);
    seen = profiler_done;
    first.join();
    printf("%s; the profiler %s\n", cudaGetErrorName(e), seen ? "had started" : "had not started yet");
    return e || !seen;
}
