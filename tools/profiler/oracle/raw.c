/* raw.c: an oracle for cuprof that shares nothing with it: CUPTI's kernel records as they come. Injected by
 * CUDA_INJECTION64_PATH; writes "mangled name,nanoseconds" to $RAW_OUT, one line a kernel. */
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *out;

static void CUPTIAPI requested(uint8_t **buffer, size_t *size, size_t *most)
{
    *size = 8 << 20;
    *buffer = aligned_alloc(8, *size);
    *most = 0;
}

static void CUPTIAPI completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    CUpti_Activity *record = NULL;
    (void)context, (void)stream, (void)size;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        const CUpti_ActivityKernel10 *k = (const CUpti_ActivityKernel10 *)record;
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            fprintf(out, "%s,%llu\n", k->name, (unsigned long long)(k->end - k->start));
    }
    free(buffer);
}

static void finish(void)
{
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    fclose(out);
}

int InitializeInjection(void);
int InitializeInjection(void)
{
    const char *path = getenv("RAW_OUT");
    if (!path || !(out = fopen(path, "w")))
        return 1;
    cuptiActivityRegisterCallbacks(requested, completed);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    atexit(finish);
    return 1;
}
