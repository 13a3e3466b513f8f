/* ptx_async.cu: mbarriers, bulk copies, tensor copies and copies between blocks against a GPU. Each case is made from its number, run, and the
 * hash of what it left in shared or global memory is compared with what an H200 gave (cpudevice/tests/records/h200/ptx_async.csv).
 *
 *   build/cuda/cpudevice/tests/ptx/ptx_async --record >cpudevice/tests/records/h200/ptx_async.csv       on a GPU, built by nvcc for sm_90a */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cuda.h>
#include <cuda_runtime.h>

#include "suite.h"

enum { ROOM = 1 << 20 /* bytes of global memory */, BOX = 32768 /* of shared memory */, LINE = 1024 };
enum { TENSORS = 1200, REDUCTIONS = 160, BULKS = 120, BARRIERS = 200, ENCODINGS = 1500, FILLS = 24, IM2COLS = 120 };
enum { REMOTES = 124, GROUPS = 40, DROPS = 16 };

static __host__ __device__ uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull; /* splitmix64 */
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

typedef struct Random {
    uint64_t state;
} Random;
static __host__ __device__ unsigned below(Random *r, unsigned n)
{
    r->state = mix(r->state);
    return (unsigned)(r->state % n);
}

/* ---- what the kernels share ---- */

static __device__ uint32_t address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

static __device__ int wait_for(uint32_t bar, uint32_t parity)
{
    for (int tries = 0; tries < 2000; tries++) {
        uint32_t done;
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, 100000;\nselp.u32 %0, 1, "
                     "0, p;\n}"
                     : "=r"(done)
                     : "r"(bar), "r"(parity)
                     : "memory");
        if (done)
            return 1;
    }
    return 0;
}

static __device__ void barrier_init(uint32_t bar, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ void expect(uint32_t bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes)
                 : "memory");
}

static __device__ void group_end(void)
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

extern __shared__ unsigned char raw[];
static __device__ unsigned char *room(void) { return raw + ((1024 - address(raw) % 1024) % 1024); }

/* Copies shared memory out, behind everything. */
static __device__ void show(const unsigned char *from, unsigned char *out)
{
    __syncthreads();
    for (int i = (int)threadIdx.x; i < BOX; i += (int)blockDim.x)
        out[i] = from[i];
}

#include "copies.h"

#include "bulk.h"

#include "barriers.h"

#include "remote.h"

/* ---- the host's side ---- */

typedef CUresult Tiled(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                       const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                       CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef CUresult Columns(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                         const int *, const int *, cuuint32_t, cuuint32_t, const cuuint32_t *, CUtensorMapInterleave,
                         CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static struct {
    unsigned char *global, *out, *host, *pattern;
    int *status, pattern_made;
    Tiled *tiled;
    Columns *columns;
} device;

static void *driver(const char *name)
{
    void *entry = NULL;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion(name, &entry, 12000, cudaEnableDefault, &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess) {
        fprintf(stderr, "the driver has no %s\n", name);
        exit(2);
    }
    return entry;
}

static void prepare(void)
{
    if (device.global)
        return;
    cudaMalloc((void **)&device.global, ROOM);
    cudaMalloc((void **)&device.out, BOX);
    cudaMalloc((void **)&device.status, sizeof *device.status);
    device.host = (unsigned char *)malloc(ROOM);
    device.pattern = (unsigned char *)malloc(ROOM);
    device.tiled = (Tiled *)driver("cuTensorMapEncodeTiled");
    device.columns = (Columns *)driver("cuTensorMapEncodeIm2col");
    cudaFuncSetAttribute(copy_box, cudaFuncAttributeMaxDynamicSharedMemorySize, BOX + 1024);
    cudaFuncSetAttribute(bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, BOX + 1024);
    cudaFuncSetAttribute(remote, cudaFuncAttributeMaxDynamicSharedMemorySize, BOX + 1024);
    cudaFuncSetAttribute(groups, cudaFuncAttributeMaxDynamicSharedMemorySize, BOX + 1024);
}

/* Global memory as each case finds it: floats of moderate size among others, no NaN in halves or words. */
static void fill_global(void)
{
    for (int i = 0; i < ROOM && !device.pattern_made; i += 4) {
        const uint32_t word = (uint32_t)mix((uint64_t)i + 1) & 0x3fffffff;
        memcpy(device.pattern + i, &word, sizeof word);
    }
    device.pattern_made = 1;
    cudaMemcpy(device.global, device.pattern, ROOM, cudaMemcpyHostToDevice);
}

static uint64_t hash_of(const unsigned char *p, size_t bytes)
{
    uint64_t hash = bytes;
    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        uint64_t word;
        memcpy(&word, p + i, sizeof word);
        hash = mix(hash ^ word);
    }
    return hash;
}

static int encode(CUtensorMap *map, const Copy *c)
{
    if (c->im2col)
        return (int)device.columns(map, c->type, c->rank, device.global, c->size, c->stride, c->lower, c->upper,
                                   c->channels, c->pixels, c->step, c->interleave, c->swizzle,
                                   CU_TENSOR_MAP_L2_PROMOTION_NONE, c->fill);
    return (int)device.tiled(map, c->type, c->rank, device.global, c->size, c->stride, c->box, c->step, c->interleave,
                             c->swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, c->fill);
}

static void hexadecimal(char *line, const unsigned char *p, int bytes)
{
    for (int i = 0; i < bytes; i++)
        sprintf(line + strlen(line), "%02x", p[i]);
}

/* What happened to the copy, as the record has it; with the first `shown` bytes of the box. */
static void copy_result(const Copy *c, char *line, int shown)
{
    CUtensorMap map;
    const int refused = encode(&map, c);
    int status = 0;
    if (refused) {
        sprintf(line, "refused %d", refused);
        return;
    }
    fill_global();
    cudaMemset(device.status, 0, sizeof(int));
    copy_box<<<1, 128, BOX + 1024>>>(map, *c, device.out, device.status);
    const cudaError_t e = cudaMemcpy(&status, device.status, sizeof status, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess || !status) {
        sprintf(line, "%s", e == cudaSuccess ? "the phase never ended" : cudaGetErrorName(e));
        return;
    }
    const size_t bytes = c->operation == LOAD ? BOX : ROOM;
    cudaMemcpy(device.host, c->operation == LOAD ? device.out : device.global, bytes, cudaMemcpyDeviceToHost);
    sprintf(line, "%016llx", (unsigned long long)hash_of(device.host, bytes));
    if (shown) {
        strcat(line, " ");
        hexadecimal(line, device.host, shown);
    }
}

static void bulk_result(int number, char *line)
{
    Bulk b;
    int status = 0;
    make_bulk(&b, number);
    fill_global();
    bulk<<<1, 128, BOX + 1024>>>(device.global, b, device.out, device.status);
    const cudaError_t e = cudaMemcpy(&status, device.status, sizeof status, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess || !status) {
        sprintf(line, "%s", e == cudaSuccess ? "the phase never ended" : cudaGetErrorName(e));
        return;
    }
    cudaMemcpy(device.host, device.global, ROOM, cudaMemcpyDeviceToHost);
    uint64_t hash = hash_of(device.host, ROOM);
    cudaMemcpy(device.host, device.out, BOX, cudaMemcpyDeviceToHost);
    sprintf(line, "%016llx", (unsigned long long)(hash ^ hash_of(device.host, BOX)));
}

/* What the last kernel left in `out`, or why it left nothing. */
static void box_result(char *line)
{
    int status = 0;
    const cudaError_t e = cudaMemcpy(&status, device.status, sizeof status, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess || !status) {
        sprintf(line, "%s", e == cudaSuccess ? "the phase never ended" : cudaGetErrorName(e));
        return;
    }
    cudaMemcpy(device.host, device.out, BOX, cudaMemcpyDeviceToHost);
    sprintf(line, "%016llx", (unsigned long long)hash_of(device.host, BOX));
}

static void remote_result(int number, char *line)
{
    Remote r;
    make_remote(&r, number);
    cudaMemset(device.status, 0, sizeof(int));
    remote<<<2, 128, BOX + 1024>>>(number, r, device.out, device.status);
    box_result(line);
}

static void groups_result(int number, char *line)
{
    fill_global();
    cudaMemset(device.status, 0, sizeof(int));
    groups<<<1, 128, BOX + 1024>>>(device.global, number, device.out, device.status);
    box_result(line);
}

typedef void Sequence(int number, uint64_t *out);
static void barrier_result(Sequence *kernel, int number, char *line)
{
    uint64_t hash = 0;
    kernel<<<1, 1>>>(number, (uint64_t *)device.out);
    const cudaError_t e = cudaMemcpy(&hash, device.out, sizeof hash, cudaMemcpyDeviceToHost);
    sprintf(line, e == cudaSuccess ? "%016llx" : "failed", (unsigned long long)hash);
}

/* Arguments at and beyond their limits: which are refused. Many cases make one hash. */
static void encoding_result(int number, char *line)
{
    uint64_t refused = 0;
    for (int i = 0; i < 50; i++) {
        Copy c;
        CUtensorMap map;
        Random r = {mix((uint64_t)number * 50 + (uint64_t)i) + 11};
        make_copy(&c, (int)below(&r, 100000), 0);
        const unsigned k = below(&r, c.rank);
        switch (below(&r, 12)) {
        case 0: c.box[k] = 0; break;
        case 1: c.box[k] = 255 + below(&r, 3); break;
        case 2: c.step[k] = below(&r, 10); break;
        case 3: c.stride[k] += 8; break;
        case 4: c.stride[k] = (1ull << 40) - 16 * below(&r, 2); break;
        case 5: c.size[k] = below(&r, 2) ? 0 : (1ull << 32) + below(&r, 2); break;
        case 6: c.rank = 6 * below(&r, 2); break;
        case 7: c.box[0] += 1; break;
        case 8: c.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; break;
        case 9: c.interleave = (CUtensorMapInterleave)(1 + below(&r, 2)); break;
        case 10: c.swizzle = (CUtensorMapSwizzle)below(&r, 4); break;
        default: c.box[0] = 512u / (unsigned)element[c.type]; break;
        }
        refused |= (uint64_t)(encode(&map, &c) != 0) << i;
    }
    sprintf(line, "%016llx", (unsigned long long)refused);
}

/* One element outside, of each floating type; numbers as tf32; rows shorter than the swizzle: all with their bytes. */
static void fill_result(int number, char *line)
{
    Copy c;
    make_copy(&c, 0, 0);
    c.operation = LOAD;
    c.rank = 2;
    c.step[1] = 1;
    c.size[1] = 64;
    c.stride[0] = 512;
    c.at[1] = 0;
    if (number < 14) { /* two of each type from 16-bit floats on: the left element outside */
        c.type = (CUtensorMapDataType)(6 + number / 2);
        c.fill = (CUtensorMapFloatOOBfill)(number % 2);
        c.size[0] = 512u / (unsigned)element[c.type];
        c.box[0] = 32u / (unsigned)element[c.type];
        c.box[1] = 1;
        c.swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        c.at[0] = -16 / element[c.type];
    } else { /* rows of 16, 32, 48 ... bytes under each swizzle */
        c.type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        c.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
        c.swizzle = (CUtensorMapSwizzle)(number == 14 ? 1 : number < 18 ? 2 : 3);
        c.box[0] = number == 14 ? 16 : number < 18 ? 16u * (unsigned)(number - 14) : 16u * (unsigned)(number - 17);
        c.box[1] = 9;
        c.size[0] = 512;
        c.at[0] = 0;
    }
    c.bytes = c.box[0] * c.box[1] * (unsigned)element[c.type];
    copy_result(&c, line, 288);
}

/* Of the reductions 16 are none that the GPU has: they fail there, and are not on record. */
static const struct {
    const char *name;
    int count, recorded;
} families[] = {{"tensor", TENSORS, TENSORS},
                {"reduction", REDUCTIONS, REDUCTIONS - 16},
                {"bulk", BULKS, BULKS},
                {"mbarrier", BARRIERS, BARRIERS},
                {"encoding", ENCODINGS / 50, ENCODINGS / 50},
                {"fill", FILLS, FILLS},
                {"im2col", IM2COLS, IM2COLS},
                {"remote", REMOTES, REMOTES},
                {"groups", GROUPS, GROUPS},
                {"drop", DROPS, DROPS}};
enum { FAMILIES = sizeof families / sizeof *families };

static void result(int family, int number, char *line)
{
    Copy c;
    prepare();
    switch (family) {
    case 0:
    case 1:
        make_copy(&c, number, family);
        copy_result(&c, line, 0);
        break;
    case 2: bulk_result(number, line); break;
    case 3: barrier_result(barrier, number, line); break;
    case 4: encoding_result(number, line); break;
    case 5: fill_result(number, line); break;
    case 6:
        make_im2col(&c, number);
        copy_result(&c, line, 0);
        break;
    case 7: remote_result(number, line); break;
    case 8: groups_result(number, line); break;
    default: barrier_result(drop, number, line); break;
    }
}

/* From a case on. A kernel that fails takes the process's device with it: the next case runs in a new process. */
static void record(char **argv, int family, int from)
{
    cudaDeviceProp properties;
    int version = 0;
    cudaGetDeviceProperties(&properties, 0);
    cudaDriverGetVersion(&version);
    if (!family && !from)
        printf("# %s, CUDA %d.%d; build/cuda/cpudevice/tests/ptx/ptx_async --record\ncase,results\n", properties.name, version / 1000,
               version % 1000 / 10);
    for (int f = family; f < FAMILIES; f++, from = 0)
        for (int i = from; i < families[f].count; i++) {
            char line[LINE], next[2][16];
            result(f, i, line);
            printf("%s %d,%s\n", families[f].name, i, line);
            fflush(stdout);
            if (cudaDeviceSynchronize() != cudaSuccess) {
                snprintf(next[0], sizeof next[0], "%d", f);
                snprintf(next[1], sizeof next[1], "%d", i + 1);
                execl(argv[0], argv[0], "--record", next[0], next[1], (char *)NULL);
                exit(2);
            }
        }
}

/* Every case of one family, as the record has it. */
START_TEST(as_on_a_gpu)
{
    char want[LINE + 64], line[LINE], name[32];
    int number, wrong = 0, tried = 0;
    FILE *f = fopen("cpudevice/tests/records/h200/ptx_async.csv", "r");
    ck_assert_msg(f != NULL, "cpudevice/tests/records/h200/ptx_async.csv cannot be read");
    while (fgets(want, sizeof want, f)) {
        want[strcspn(want, "\n")] = 0;
        if (sscanf(want, "%31s %d,", name, &number) != 2 || strcmp(name, families[_i].name))
            continue;
        result(_i, number, line);
        tried++;
        if (strcmp(line, strchr(want, ',') + 1) && wrong++ < 5)
            fprintf(stderr, "%s here, on an H200 %s\n", line, want);
    }
    fclose(f);
    ck_assert_msg(tried == families[_i].recorded, "cpudevice/tests/records/h200/ptx_async.csv has %d cases of %s, not %d", tried,
                  families[_i].name, families[_i].recorded);
    ck_assert_msg(!wrong, "%s: %d of %d cases differ", families[_i].name, wrong, tried);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--record")) {
        record(argv, argc > 3 ? atoi(argv[2]) : 0, argc > 3 ? atoi(argv[3]) : 0);
        return 0;
    }
    Suite *suite = suite_create("mbarriers and bulk copies");
    TCase *tests = tcase_create("as on a GPU");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_loop_test(tests, as_on_a_gpu, 0, FAMILIES);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
