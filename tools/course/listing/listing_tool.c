/* listing_tool.c: tools/course.sh listing: the PTX or the machine code that nvcc makes of a file's kernels. It takes nvcc, and
 * for machine code nvdisasm. */
#include "../commands.h"
#include "listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int listing_can(void)
{
    char *toolkit = output_of("tools/setup/device.sh", "--toolkit");
    int can = *toolkit != 0;
    free(toolkit);
    return can;
}

/* nvdisasm: on PATH, the toolkit's, the one that tools/setup/need.sh fetched, or Triton's own (make python). */
static char *find_nvdisasm(const char *toolkit)
{
    List found = {0};
    for (const char *p = getenv("PATH"); p && *p; p += strcspn(p, ":"), p += *p == ':') {
        char *here = text("%.*s/nvdisasm", (int)strcspn(p, ":"), p);
        if (access(here, X_OK) == 0)
            list_add(&found, here);
        free(here);
    }
    char *own = text("%s/bin/nvdisasm", toolkit);
    list_add(&found, own);
    list_add(&found, "build/nvdisasm/bin/nvdisasm");
    list_glob(&found, "build/python/lib/python3*/site-packages/triton/backends/nvidia/bin/nvdisasm");
    free(own);
    char *nvdisasm = NULL;
    for (int i = 0; i < found.count && !nvdisasm; i++)
        if (access(found.item[i], X_OK) == 0)
            nvdisasm = copy(found.item[i]);
    list_free(&found);
    return nvdisasm;
}

/* The architecture: $ARCH, else the GPU's own, else sm_90a. */
static char *architecture(void)
{
    const char *asked = getenv("ARCH");
    if (asked && *asked)
        return copy(asked);
    char *capability = output_of("tools/setup/device.sh", "--capability"), *arch = NULL;
    if (*capability) {
        char *gpu = output_of("tools/setup/device.sh", "--arch");
        arch = text("sm_%s", gpu);
        free(gpu);
    }
    free(capability);
    return arch ? arch : copy("sm_90a");
}

/* Runs a command with its output in a file; if it fails, prints the output and ends the program. */
static void must_run(Job *job, const char *folder)
{
    if (job_run(job) == 0)
        return;
    char *said = file_read(job->err ? job->err : job->out, NULL);
    fputs(said ? said : "", stderr);
    remove_tree(folder);
    exit(1);
}

/* What nvcc -ptx makes of the file, or nvdisasm of what nvcc makes; *said is what ptxas said. */
static char *compiled(const Listing *l, const char *file, const char *arch, const char *toolkit, char **said)
{
    char folder[] = "/tmp/listing.XXXXXX";
    if (!mkdtemp(folder))
        die(1, "listing: cannot make a folder in /tmp");
    int ptx = l->mode == LISTING_PTX;
    char *made = text("%s/made", folder), *log = text("%s/said", folder), *printed = text("%s/printed", folder);
    char *nvcc = text("%s/bin/nvcc", toolkit), *arch_option = text("-arch=%s", arch);
    char *path = *file == '/' ? copy(file) : text("%s/%s", l->root, file);
    const char *words[] = {nvcc,
                           "-O3",
                           "-std=c++17",
                           "-lineinfo",
                           arch_option,
                           "-DLAB_CUDA",
                           "-Icommon",
                           ptx ? "-ptx" : "-cubin",
                           "--resource-usage",
                           "-o",
                           made,
                           path};
    Job compile = {.out = log, .err = log};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        list_add(&compile.command, words[i]);
    must_run(&compile, folder);
    if (!ptx) {
        Job print = {.out = printed};
        char *nvdisasm = find_nvdisasm(toolkit);
        list_add(&print.command, nvdisasm), list_add(&print.command, "-g"), list_add(&print.command, "-c");
        list_add(&print.command, made);
        must_run(&print, folder);
        job_free(&print);
        free(nvdisasm);
    }
    *said = file_read(log, NULL);
    char *text_of_it = file_read(ptx ? made : printed, NULL);
    job_free(&compile);
    remove_tree(folder);
    free(made), free(log), free(printed), free(nvcc), free(arch_option), free(path);
    return text_of_it ? text_of_it : copy("");
}

int listing_of(Listing *l, const char *file)
{
    char root[4096], *toolkit = output_of("tools/setup/device.sh", "--toolkit"), *said = NULL;
    if (!file_exists(file))
        die(2, "listing: there is no file '%s'", file);
    if (!*toolkit)
        die(2,
            "listing: no nvcc here, and only nvcc makes PTX and SASS (the CPU device runs neither): install the CUDA "
            "Toolkit. Recorded listings: lecture03_cuda_basics/compilation.md");
    char *nvdisasm = l->mode == LISTING_SASS ? find_nvdisasm(toolkit) : copy("");
    if (!nvdisasm)
        die(2, "listing: no nvdisasm here, which prints machine code: it comes with the whole CUDA Toolkit, or "
               "tools/setup/need.sh nvdisasm gets it");
    free(nvdisasm);
    char *arch = architecture();
    l->root = getcwd(root, sizeof root);
    l->arch = atoi(arch + strcspn(arch, "0123456789"));
    char *printed = compiled(l, file, arch, toolkit, &said);
    l->said = said ? said : "";
    int count, status;
    Kernel *kernels = listing_read(l, printed, &count);
    status = listing_print(l, kernels, count);
    listing_free(kernels, count);
    free(arch), free(printed), free(said), free(toolkit);
    return status;
}

int command_listing(Course *c, int argc, char **argv)
{
    (void)c;
    static const char usage[] = "usage: listing.sh [--loop OPCODE] [--fold] ptx|sass FILE.cu [KERNEL...]";
    Listing l = {0};
    int i = 1;
    for (; i < argc && starts_with(argv[i], "--"); i++)
        if (strcmp(argv[i], "--fold") == 0)
            l.fold = 1;
        else if (strcmp(argv[i], "--loop") == 0 && i + 1 < argc)
            l.loop = argv[++i];
        else
            die(2, "%s", usage);
    if (argc - i < 2 || (strcmp(argv[i], "ptx") != 0 && strcmp(argv[i], "sass") != 0))
        die(2, "%s", usage);
    l.mode = strcmp(argv[i], "ptx") == 0 ? LISTING_PTX : LISTING_SASS;
    const char *file = argv[i + 1];
    for (i += 2; i < argc; i++)
        list_add(&l.wanted, argv[i]);
    int status = listing_of(&l, file);
    list_free(&l.wanted);
    return status;
}
