/* module.c: modules and libraries of the driver interface. A module is a shared library that takes the runtime from the
 * program. It is loaded from a file in memory of its own, so that each load has its own variables, as in CUDA. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "launch/launch.h"
#include "cpudev_must.h"
#include "device/message.h"
#include "driver_api/module.h"
#include "observe/observers.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- loading ---- */

/* The start of text that a GPU's assembler takes. What was not made by cucc is an ELF file, whose first byte is no
 * character, or ends with a 0. */
static bool is_ptx(const char *text)
{
    enum { START = 4096 };
    char start[START + 1];
    size_t n = 0;
    for (; n < START && text[n]; n++)
        if ((start[n] = text[n]) < '\t' || start[n] > '~')
            return false;
    start[n] = 0;
    return strstr(start, ".version") && strstr(start, ".target");
}

/* Why the last image of this thread was refused; NULL if it was not. */
static __thread const char *refusal;

static CUresult refuse(image_status status, const void *image)
{
    static const char *const why[] = {
        [IMAGE_FOREIGN] = "the image was not made by cucc -cubin, -fatbin or -ptx, and a GPU's code does not run here",
        [IMAGE_DAMAGED] = "the image is damaged, or was made by another version of cucc"};
    if (status == IMAGE_NO_MEMORY)
        return CUDA_ERROR_OUT_OF_MEMORY;
    refusal =
        status == IMAGE_FOREIGN && image && is_ptx(image)
            ? "the image is PTX, which the CPU device does not compile: kernels come from CUDA C++, by cucc or NVRTC"
            : why[status];
    message("cuModuleLoad: %s", refusal);
    return status == IMAGE_FOREIGN ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_IMAGE;
}

/* Where a caller wants to read what went wrong. */
typedef struct error_log {
    char *text;
    size_t room;
    void **written; /* receives how many bytes that is, if the caller asks */
} error_log;

static error_log log_of(unsigned n, const CUjit_option *options, void **values)
{
    error_log log = {0};
    for (unsigned i = 0; options && values && i < n; i++) {
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
            log.text = values[i];
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
            log.room = (size_t)(uintptr_t)values[i];
            log.written = &values[i];
        }
    }
    return log;
}

static CUresult logged(CUresult result, const error_log *log)
{
    int n = 0;
    if (log->text && log->room)
        n = snprintf(log->text, log->room, "%s", result && refusal ? refusal : "");
    if (log->written)
        *log->written = (void *)(uintptr_t)((size_t)n < log->room ? (size_t)n : log->room - (log->room > 0));
    return result;
}

/* The runtime's function that a module calls, or another's of that name, or NULL. */
static void *seen_by_modules(const char *name)
{
    void *program = dlopen(NULL, RTLD_LAZY), *function = program ? dlsym(program, name) : NULL;
    if (program)
        dlclose(program);
    return function;
}

/* The library that has this runtime, with these flags; NULL: it is the program. */
static void *own_library(int flags)
{
    Dl_info here;
    const bool known = dladdr((void *)(uintptr_t)own_library, &here) && here.dli_fname;
    return known ? dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | flags) : NULL;
}

/* Python loads an extension for itself alone: the library that has this runtime is shown to the modules. */
static void show_runtime(void) { own_library(RTLD_GLOBAL); }

/* If another library has already made its runtime global, the module's DT_SONAME entry is rewritten as DT_NEEDED and names
 * this runtime's library, so that the loader searches that one first. The path is that of an open descriptor, because the
 * library's own may be too long. */
static bool needs_own_library(const module_image *from, int fd, int own)
{
    size_t entry, name;
    char path[sizeof IMAGE_OWN_NAME] = "";
    const ElfW(Sxword) needed = DT_NEEDED;
    return snprintf(path, sizeof path, "/proc/self/fd/%d", own) < (int)sizeof path &&
           image_own_name(from, &entry, &name) &&
           pwrite(fd, &needed, sizeof needed, (off_t)(entry + offsetof(ElfW(Dyn), d_tag))) == sizeof needed &&
           pwrite(fd, path, sizeof path, (off_t)name) == sizeof path;
}

/* A file of the library that has this runtime, if it is one and the image can be told of it; else -1. It stays open,
 * for to the loader its path is a name of this library from now on. */
static int open_own_library(const module_image *from)
{
    static int file = -1;
    size_t entry, name;
    Dl_info here;
    void *own = image_own_name(from, &entry, &name) ? own_library(0) : NULL;
    if (!own)
        return -1;
    dlclose(own);
    pthread_mutex_lock(&lock);
    if (file < 0 && dladdr((void *)(uintptr_t)own_library, &here))
        file = open(here.dli_fname, O_RDONLY | O_CLOEXEC);
    pthread_mutex_unlock(&lock);
    return file;
}

/* *own: a file of the library that the module has to be told of, or -1. */
static CUresult cannot_run(const module_image *m, int *own)
{
    *own = -1;
    void *enter = seen_by_modules("cpudev_enter");
    if (!enter) {
        show_runtime();
        enter = seen_by_modules("cpudev_enter");
    }
    if (!enter) {
        message(
            "cuModuleLoad: the program does not export its runtime: link it with cucc ... -lcuda (or g++ -rdynamic; a "
            "shared library: with cpudevice/toolkit/lib64 after cucc --build-toolkit)");
        return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
    }
    if (enter != (void *)(uintptr_t)cpudev_enter && (*own = open_own_library(m)) < 0) {
        message("cuModuleLoad: another library of the program has a CPU device of its own, which modules would use");
        return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
    }
    void *where = *own < 0 ? NULL : own_library(0);
    const bool checked = dlsym(where ? where : RTLD_DEFAULT, "cpudev_check_global_var") != NULL;
    if (where)
        dlclose(where);
    if (m->checked == checked)
        return CUDA_SUCCESS;
    message("cuModuleLoad: the module was built %s --check, and the program %s it", m->checked ? "with" : "without",
            m->checked ? "without" : "with");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

/* They are thread-local, as the program's; the checker knows only where the program's own lie. */
static bool has_shared_variables(const module_image *m)
{
    for (size_t i = 0; i < m->symbol_count; i++)
        if (ELF64_ST_TYPE(m->symbols[i].st_info) == STT_TLS && m->symbols[i].st_shndx != SHN_UNDEF)
            return true;
    return false;
}

/* The descriptor stays open: while it is, no other module has this file's name. */
static CUresult load(CUmodule m, const module_image *from, int own)
{
    struct link_map *map;
    int fd = memfd_create("cuda module", MFD_CLOEXEC);
    for (size_t done = 0; fd >= 0 && done < from->size;) {
        ssize_t n = write(fd, from->bytes + done, from->size - done);
        if (n <= 0)
            return close(fd), CUDA_ERROR_OUT_OF_MEMORY;
        done += (size_t)n;
    }
    if (fd < 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    if (own >= 0 && !needs_own_library(from, fd, own))
        return close(fd), CUDA_ERROR_OPERATING_SYSTEM;
    void *bytes = mmap(NULL, from->size, PROT_READ, MAP_PRIVATE, fd, 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), fd);
    m->handle = bytes == MAP_FAILED ? NULL : dlopen(path, RTLD_LAZY | RTLD_LOCAL | (own < 0 ? 0 : RTLD_DEEPBIND));
    if (!m->handle || dlinfo(m->handle, RTLD_DI_LINKMAP, &map)) {
        message("cuModuleLoad: %s", bytes == MAP_FAILED ? "no memory" : dlerror());
        if (bytes != MAP_FAILED)
            munmap(bytes, from->size);
        close(fd);
        return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
    }
    m->base = (char *)map->l_addr;
    m->loaded = true;
    if (image_open(&m->image, bytes))
        return CUDA_ERROR_INVALID_IMAGE;
    if (m->image.checked && has_shared_variables(&m->image))
        message(
            "the module has __shared__ variables: --check does not find races on them, nor what is read before it is "
            "written (only indices beyond their arrays)");
    return CUDA_SUCCESS;
}

static CUresult load_data(CUmodule *module, const void *data)
{
    module_image from;
    refusal = NULL;
    if (!module || !data)
        return CUDA_ERROR_INVALID_VALUE;
    image_status status = image_open(&from, data);
    if (status)
        return refuse(status, data);
    int own;
    CUresult result = cannot_run(&from, &own);
    CUmodule m = result ? NULL : calloc(1, sizeof *m);
    if (!result)
        result = m ? load(m, &from, own) : CUDA_ERROR_OUT_OF_MEMORY;
    image_close(&from);
    if (result)
        free(m);
    else
        *module = m;
    return result;
}

/* With a 0 after its bytes, for text. NULL: it cannot be read. */
static char *read_whole(const char *file, size_t *bytes)
{
    FILE *f = fopen(file, "rb");
    char *text = NULL;
    size_t room = 0, n = 0;
    while (f && !ferror(f) && !feof(f)) {
        char *more = realloc(text, room = room * 2 + 65536);
        if (!more)
            break;
        n += fread((text = more) + n, 1, room - n - 1, f);
    }
    bool good = f && feof(f);
    if (f)
        fclose(f);
    if (!good)
        return free(text), NULL;
    text[n] = 0;
    *bytes = n;
    return text;
}

static CUresult load_file(CUmodule *module, const char *file)
{
    size_t n = 0;
    refusal = NULL;
    if (!module || !file)
        return CUDA_ERROR_INVALID_VALUE;
    char *text = read_whole(file, &n);
    if (!text)
        return CUDA_ERROR_FILE_NOT_FOUND;
    CUresult result = n < sizeof(ElfW(Ehdr)) ? refuse(IMAGE_FOREIGN, text) : load_data(module, text);
    free(text);
    return result;
}

CUresult cuModuleLoad(CUmodule *module, const char *file)
{
    DRIVER;
    RESULT(load_file(module, file));
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    DRIVER;
    RESULT(load_data(module, image));
}

/* The options are about a GPU's code; of what is asked for only the error log is written. */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, CUjit_option *options, void **values)
{
    DRIVER;
    const error_log log = log_of(n, options, values);
    RESULT(logged(load_data(module, image), &log));
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    DRIVER;
    RESULT(load_data(module, image));
}

CUresult cuModuleUnload(CUmodule module)
{
    DRIVER;
    if (!module)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    if (!module->loaded)
        RESULT(CUDA_ERROR_INVALID_HANDLE);
    CUresult result = (CUresult)cudaDeviceSynchronize();
    module->loaded = false;
    RESULT(result);
}

/* ---- what is in them ---- */

static CUresult function_of(CUfunction *function, CUmodule m, const char *name)
{
    if (!function || !m || !name)
        return CUDA_ERROR_INVALID_VALUE;
    if (!m->loaded)
        return CUDA_ERROR_INVALID_HANDLE;
    pthread_mutex_lock(&lock);
    CUfunction f = m->functions;
    while (f && strcmp(f->name, name))
        f = f->next;
    const ElfW(Sym) *s = f || !image_is_kernel(&m->image, name) ? NULL : image_symbol(&m->image, name);
    if (s && (f = calloc(1, sizeof *f))) {
        *f = (struct CUfunc_st){m->functions, m->base + s->st_value, must(strdup(name)), m, NULL};
        m->functions = f;
    }
    pthread_mutex_unlock(&lock);
    *function = f;
    return f ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    DRIVER;
    RESULT(function_of(function, module, name));
}

/* A static variable has a name of the file's own: of x, _ZL1x. */
static const ElfW(Sym) * symbol_of(const module_image *m, const char *name)
{
    char own[512];
    const ElfW(Sym) *s = image_symbol(m, name);
    if (s || snprintf(own, sizeof own, "_ZL%zu%s", strlen(name), name) >= (int)sizeof own)
        return s;
    return image_symbol(m, own);
}

static CUresult variable_of(CUdeviceptr *p, size_t *bytes, CUmodule m, const char *name)
{
    if (!m || !name || (!p && !bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (!m->loaded)
        return CUDA_ERROR_INVALID_HANDLE;
    const ElfW(Sym) *s = symbol_of(&m->image, name);
    if (!s || ELF64_ST_TYPE(s->st_info) != STT_OBJECT)
        return CUDA_ERROR_NOT_FOUND;
    if (p) {
        *p = (CUdeviceptr)(uintptr_t)(m->base + s->st_value);
        TELL(symbol_address, m->base + s->st_value);
    }
    if (bytes)
        *bytes = s->st_size;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *p, size_t *bytes, CUmodule module, const char *name)
{
    DRIVER;
    RESULT(variable_of(p, bytes, module, name));
}

/* ---- libraries: modules by another name ---- */

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *jit, void **jit_values, unsigned jit_n,
                           CUlibraryOption *options, void **values, unsigned n)
{
    DRIVER;
    (void)options, (void)values, (void)n;
    const error_log log = log_of(jit_n, jit, jit_values);
    RESULT(logged(load_data(library, image), &log));
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *jit, void **jit_values,
                               unsigned jit_n, CUlibraryOption *options, void **values, unsigned n)
{
    DRIVER;
    (void)options, (void)values, (void)n;
    const error_log log = log_of(jit_n, jit, jit_values);
    RESULT(logged(load_file(library, file), &log));
}

CUresult cuLibraryUnload(CUlibrary library) { return cuModuleUnload(library); }

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    DRIVER;
    RESULT(function_of(kernel, library, name));
}

CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *bytes, CUlibrary library, const char *name)
{
    DRIVER;
    RESULT(variable_of(p, bytes, library, name));
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    DRIVER;
    if (!module || !library)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    *module = library;
    RESULT(CUDA_SUCCESS);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    DRIVER;
    if (!function || !kernel)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    *function = kernel;
    RESULT(CUDA_SUCCESS);
}

/* ---- the linker: of one image, which it gives back as it is ---- */

struct CUlinkState_st {
    module_image image; /* its bytes are the state's own */
    error_log log;      /* the caller's, as cuLinkCreate was given it */
    bool there;
};

CUresult cuLinkCreate(unsigned n, CUjit_option *options, void **values, CUlinkState *state)
{
    DRIVER;
    if (!state || (n && (!options || !values)))
        RESULT(CUDA_ERROR_INVALID_VALUE);
    if (!(*state = calloc(1, sizeof **state)))
        RESULT(CUDA_ERROR_OUT_OF_MEMORY);
    (*state)->log = log_of(n, options, values);
    for (unsigned i = 0; i < n; i++) { /* linking takes no time */
        if ((options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER) && values[i])
            *(char *)values[i] = 0;
        if (options[i] == CU_JIT_WALL_TIME && values[i])
            *(float *)values[i] = 0;
    }
    RESULT(CUDA_SUCCESS);
}

static CUresult link_add(CUlinkState state, const void *data)
{
    refusal = NULL;
    if (!state || !data)
        return CUDA_ERROR_INVALID_VALUE;
    if (state->there) {
        message("cuLinkAdd: the CPU device links one image, not several");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    image_status status = image_open(&state->image, data);
    if (status)
        return logged(refuse(status, data), &state->log);
    state->there = true;
    if (state->image.owned)
        return CUDA_SUCCESS;
    void *copy = malloc(state->image.size); /* the caller's bytes may go */
    if (!copy)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(copy, state->image.bytes, state->image.size);
    state->image.bytes = state->image.owned = copy;
    return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned n,
                       CUjit_option *options, void **values)
{
    DRIVER;
    (void)type, (void)bytes, (void)name, (void)n, (void)options, (void)values;
    RESULT(link_add(state, data));
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *file, unsigned n, CUjit_option *options,
                       void **values)
{
    DRIVER;
    size_t bytes = 0;
    (void)type, (void)n, (void)options, (void)values;
    if (!state || !file)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    char *text = read_whole(file, &bytes);
    if (!text)
        RESULT(CUDA_ERROR_FILE_NOT_FOUND);
    CUresult result = bytes < sizeof(ElfW(Ehdr)) ? refuse(IMAGE_FOREIGN, text) : link_add(state, text);
    free(text);
    RESULT(result);
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
    DRIVER;
    if (!state || !image || !state->there)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    *image = state->image.bytes;
    if (bytes)
        *bytes = state->image.size;
    RESULT(CUDA_SUCCESS);
}

CUresult cuLinkDestroy(CUlinkState state)
{
    DRIVER;
    if (!state)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    image_close(&state->image);
    free(state);
    RESULT(CUDA_SUCCESS);
}
