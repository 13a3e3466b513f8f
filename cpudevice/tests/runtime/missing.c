/* missing.c: what the CPU device's runtime and driver interface do not have compiles as CUDA declares it, fails
 * with cudaErrorNotSupported or CUDA_ERROR_NOT_SUPPORTED, which have one number, and says its name once: for the CPU
 * device only. */
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>

#include "said.h"
#include "suite.h"

/* Each name of the lists, called without its arguments, which no such function reads. */
typedef cudaError_t (*Call)(void);
static const struct {
    const char *name;
    void *call;
    const char *error;
} names[] = {
#define CPUDEV_MISSING(name, parameters) {#name, (void *)name, "(cudaErrorNotSupported)"},
#include <cpudev_missing.inc>
#undef CPUDEV_MISSING
#define CPUDEV_MISSING(name, parameters) {#name, (void *)name, "(CUDA_ERROR_NOT_SUPPORTED)"},
#include <cpudev_driver_missing.inc>
#undef CPUDEV_MISSING
};
static cudaError_t of_call[3];
static int which;

static void call_twice(void)
{
    of_call[0] = ((Call)names[which].call)();
    of_call[1] = ((Call)names[which].call)();
    of_call[2] = cudaGetLastError();
    const int driver = strncmp(names[which].name, "cuda", 4); /* whose errors are not the runtime's last */
    for (int i = 0; i < 3; i++)
        if (of_call[i] != (i == 2 && driver ? cudaSuccess : cudaErrorNotSupported))
            _exit(1);
}

START_TEST(says_its_name_once)
{
    char text[4096];
    which = _i;
    ck_assert_int_eq(said(call_twice, text, sizeof text), 0);
    const char *first = strstr(text, names[_i].name);
    ck_assert_msg(first && strstr(text, "not supported") && strstr(text, names[_i].error), "%s: %s", names[_i].name,
                  text);
    ck_assert_msg(!strstr(first + 1, names[_i].name), "%s said twice: %s", names[_i].name, text);
}
END_TEST

/* As a program uses some of them: the types are there. */
START_TEST(a_program_compiles)
{
    cudaExternalMemory_t memory;
    struct cudaExternalMemoryHandleDesc handle = {
        .type = cudaExternalMemoryHandleTypeOpaqueFd, .handle = {.fd = 3}, .size = 64};
    struct cudaExternalMemoryBufferDesc buffer = {.size = 64};
    cudaUserObject_t object;
    cudaLibrary_t library;
    cudaKernel_t kernel;
    struct cudaMemcpy3DPeerParms peers = {.srcDevice = 0, .dstDevice = 0, .extent = {1, 1, 1}};
    struct cudaArraySparseProperties sparse;
    void *p;
    CUtexref texture;
    CUsurfref surface;
    CUmipmappedArray levels;
    CUDA_ARRAY3D_DESCRIPTOR a = {8, 8, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
    ck_assert_int_eq(cuModuleGetTexRef(&texture, NULL, "t"), CUDA_ERROR_NOT_SUPPORTED);
    ck_assert_int_eq(cuModuleGetSurfRef(&surface, NULL, "s"), CUDA_ERROR_NOT_SUPPORTED);
    ck_assert_int_eq(cuParamSetTexRef(NULL, CU_PARAM_TR_DEFAULT, NULL), CUDA_ERROR_NOT_SUPPORTED);
    ck_assert_int_eq(cuTexRefSetArray(NULL, NULL, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_NOT_SUPPORTED);
    ck_assert_int_eq(cuMipmappedArrayCreate(&levels, &a, 3), CUDA_ERROR_NOT_SUPPORTED);
    ck_assert_int_eq(cuProfilerInitialize("config", "output", CU_OUT_CSV), CUDA_ERROR_NOT_SUPPORTED);
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
    ck_assert_int_eq(cudaImportExternalMemory(&memory, &handle), cudaErrorNotSupported);
    ck_assert_int_eq(cudaExternalMemoryGetMappedBuffer(&p, NULL, &buffer), cudaErrorNotSupported);
    ck_assert_int_eq(cudaUserObjectCreate(&object, NULL, free, 1, cudaUserObjectNoDestructorSync),
                     cudaErrorNotSupported);
    ck_assert_int_eq(cudaLibraryLoadData(&library, "", NULL, NULL, 0, NULL, NULL, 0), cudaErrorNotSupported);
    ck_assert_int_eq(cudaLibraryGetKernel(&kernel, NULL, "k"), cudaErrorNotSupported);
    ck_assert_int_eq(cudaMemcpy3DPeer(&peers), cudaErrorNotSupported);
    ck_assert_int_eq(cudaArrayGetSparseProperties(&sparse, NULL), cudaErrorNotSupported);
    ck_assert_int_eq(cudaGetLastError(), cudaErrorNotSupported);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("missing");
    TCase *t = tcase_create("names");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, says_its_name_once, 0, sizeof names / sizeof names[0]);
    tcase_add_test(t, a_program_compiles);
    suite_add_tcase(s, t);
    return run_suite(s);
}
