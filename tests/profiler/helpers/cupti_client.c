/* cupti_client.c: a program that profiles what fake_cupti.so pretends; prints the table as CSV, then the trace's path.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "profiler.h"

void prof_warm_launch(void); /* its kernel is the library's: there is no GPU here */
void prof_warm_launch(void) {}

int main(int argc, char **argv)
{
    int error = profiler_start(NULL);
    printf("start %d %s\n", error, profiler_backend());
    if (error)
        return 3;
    void *fake = dlopen(getenv("PROFILER_CUPTI_LIBRARY"), RTLD_NOW);
    void (*work)(void) = NULL;
    if (fake)
        *(void **)&work = dlsym(fake, "fake_work");
    if (argc > 2)
        profiler_toggle_collection(argv[2][0] == 'u' ? PROFILER_CUDA : PROFILER_CPU, 0);
    profiler_record_function("range")
    {
        if (work)
            work();
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
    profiler_stop();
    profiler_key_averages_csv(stdout);
    return argc > 1 ? profiler_export_chrome_trace(argv[1]) : 0;
}
