#include "device.h"

#include <cuda_runtime.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "error.h"
#include "vendor.h"

int device_is_cpu(void)
{
#ifdef LAB_CPU
    return 1;
#else
    return 0;
#endif
}

static const struct cudaDeviceProp *properties(void)
{
    static struct cudaDeviceProp p;
    static int known;
    if (!known) {
        int count = 0;
        cudaError_t error = cudaGetDeviceCount(&count);
        if (error != cudaSuccess || count == 0)
            die("no CUDA device answers (%s); `make DEVICE=cpu` builds for the CPU device", cudaGetErrorString(error));
        CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
        known = 1;
    }
    return &p;
}

#ifdef LAB_CPU
/* The processor's own name, for the head of a result. */
static const char *cpu_name(void)
{
    static char name[128] = "unknown processor";
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            snprintf(name, sizeof name, "%s", strchr(line, ':') + 2);
            name[strcspn(name, "\n")] = 0;
            break;
        }
    if (f)
        fclose(f);
    return name;
}
#endif

const char *device_line(void)
{
    static char line[sizeof properties()->name + 96];
#ifdef LAB_CPU
    properties();
    snprintf(line, sizeof line, "CPU device (no GPU%s: results and counts are exact, times are this CPU's)",
             access("/dev/nvidiactl", F_OK) == 0 ? " used" : " found");
#else
    const struct cudaDeviceProp *p = properties();
    snprintf(line, sizeof line, "%s (compute capability %d.%d, %d SMs, %.0f GiB)", p->name, p->major, p->minor,
             p->multiProcessorCount, (double)p->totalGlobalMem / (1 << 30));
#endif
    return line;
}

const char *device_name(void) { return device_is_cpu() ? "CPU device" : properties()->name; }

int device_capability(void) { return 10 * properties()->major + properties()->minor; }

int device_multiprocessors(void) { return properties()->multiProcessorCount; }

size_t device_free_bytes(void)
{
    size_t free_bytes = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
    return free_bytes;
}

void *device_alloc_nan(size_t bytes)
{
    void *p;
    CUDA_CHECK(cudaMalloc(&p, bytes));
    if (!device_is_cpu())
        CUDA_CHECK(cudaMemset(p, 0xff, bytes));
    return p;
}

void device_provenance(FILE *to, int argc, char **argv)
{
    char date[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &utc));
#ifdef LAB_CPU
    fprintf(to, "# device: CPU device on %s, %ld cores\n", cpu_name(), sysconf(_SC_NPROCESSORS_ONLN));
#else
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    fprintf(to, "# device: %s\n# versions: driver API %d.%d, CUDA runtime %d.%d, %s\n", properties()->name,
            driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10, vendor_versions());
#endif
    fprintf(to, "# date: %s\n# command:", date);
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i], *slash = strrchr(word, '/');
        if (i == 0)
            fprintf(to, " ./run %s", slash ? slash + 1 : word);
        else if (strcmp(argv[i - 1], "--csv") == 0)
            fputs(" FILE", to);       /* the file name is private */
        else if (strpbrk(word, " *")) /* so that the line can be typed as it is */
            fprintf(to, " '%s'", word);
        else
            fprintf(to, " %s", word);
    }
    fputc('\n', to);
}
