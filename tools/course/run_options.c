/* run_options.c: the command line of ./run. */
#include "run.h"
#include "say.h"
#include "../../cpudevice/driver/version.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char run_usage[] =
    "usage: ./run [lectureNN]        walk through a lecture's labs in teaching order (default: the lecture last "
    "built)\n"
    "       ./run LAB [options]      run one lab, by its name or as lectureNN/LAB; options go to it\n"
    "       ./run 3.1                build and grade exercise 1 of lecture 3; with options run it as a lab\n"
    "       ./run pytorch/NAME       a lesson in PyTorch or Triton, after make python; options go to it\n"
    "       ./run --list             the labs of the lecture last built, and its lessons in Python\n"
    "\n";

const char run_own_options[] =
    "  --step              wait between labs: Enter goes on, q leaves\n"
    "  --device cpu|cuda   run on the CPU device, or on the GPU (default: what was built)\n"
    "  --profile           print the profiler's table after the lab\n"
    "  --trace FILE        write a Chrome trace (chrome://tracing, Perfetto)\n"
    "  --sanitize          look for mistakes: cucc --check on the CPU device, compute-sanitizer on a GPU\n"
    "  --counters          memory traffic as Nsight Compute counts it, by source line (on a GPU through ncu)\n"
    "  --model CHIP        a kernel's time on an h100, h200, ..., by a model (CPU device); an exercise beside its "
    "solution\n"
    "  --view [FILE.html]  a page that shows a launch step by step: accesses, sectors, banks, races\n"
    "  --view-launch N     of the N-th; --view-block X,Y,Z  of this block; --view-svg LINE[@STEP]  one picture as SVG\n"
    "  --view-rows A=N,... draws array A with N elements per row\n"
    "  --ptx, --sass       what nvcc makes of the kernels of LAB (of --rung N), by source line; it needs the CUDA "
    "Toolkit\n"
    "  --csv FILE          write the figures to FILE; in a walk-through FILE gets the lab's name before its suffix\n"
    "  --plot              draw the figures with gnuplot (build/plots/), or as text where there is none\n"
    "  --version           the course's version\n"
    "  --help              this text; ./run LAB --help lists a lab's own options too\n";

/* Is there a lab, lecture or exercise of that name? */
static int names_something(const char *word)
{
    List found = {0};
    if (isdigit((unsigned char)word[0]) || starts_with(word, "lecture"))
        return strchr(word, '.') != NULL || starts_with(word, "lecture");
    if (strpbrk(word, "/*?["))
        return 0;
    char *pattern = text("lecture[0-9][0-9]_*/%s.cu", word);
    list_glob(&found, pattern);
    int there = found.count > 0;
    list_free(&found);
    free(pattern);
    return there;
}

/* The value of the runner's option argv[*i]: behind its '=' or the next word. NULL: argv[*i] is not that option. */
static const char *value_of(const char *option, char **argv, int argc, int *i)
{
    size_t n = strlen(option);
    if (strncmp(argv[*i], option, n) != 0 || (argv[*i][n] && argv[*i][n] != '='))
        return NULL;
    if (argv[*i][n] == '=')
        return argv[*i] + n + 1;
    if (*i + 1 >= argc)
        die(2, "run: %s wants a value", option);
    return argv[++*i];
}

void run_parse(Run *r, int argc, char **argv)
{
    const struct {
        const char *name;
        int *flag;
    } flags[] = {{"--list", &r->list},
                 {"--step", &r->step},
                 {"--sanitize", &r->sanitize},
                 {"--counters", &r->counters},
                 {"--plot", &r->plot}};
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *value;
        int known = 0;
        for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++)
            if (strcmp(a, flags[k].name) == 0)
                known = *flags[k].flag = 1;
        if (strcmp(a, "--ptx") == 0 || strcmp(a, "--sass") == 0)
            known = 1, r->listing = a + 2;
        if (known || view_option(&r->view, argv, argc, &i))
            continue;
        if (strcmp(a, "--version") == 0 && !r->lab) {
            printf("CUDA, lecture by lecture " CUCC_VERSION "\n");
            exit(0);
        }
        if ((strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0) && !r->lab) {
            say("%s%s", run_usage, run_own_options);
            exit(fflush(stdout) ? 1 : 0);
        }
        if ((value = value_of("--device", argv, argc, &i)))
            course_use(r->course, value);
        else if ((value = value_of("--csv", argv, argc, &i)))
            r->csv = value;
        else if ((value = value_of("--model", argv, argc, &i)))
            r->model = value;
        else if (a[0] == '-')
            list_add(&r->pass, a);
        else if (!r->lab && (i == 1 || argv[i - 1][0] != '-' || strchr(argv[i - 1], '=') || names_something(a) ||
                             r->pass.count == 0))
            r->lab = copy(a);
        else
            list_add(&r->pass, a);
    }
}

/* What r->lab names: leaves the lecture's folder in r->lecture and the lab's name, or NULL for a walk-through, in
 * r->lab. */
void run_resolve(Run *r)
{
    char *slash = r->lab ? strchr(r->lab, '/') : NULL;
    if (slash) {
        *slash = 0;
        r->lecture = lecture_folder(r->lab);
        if (!r->lecture)
            die(2, "run: there is no such lecture (make help lists them)");
        r->lab = slash + 1;
    } else if (r->lab && starts_with(r->lab, "lecture") && isdigit((unsigned char)r->lab[7])) {
        r->lecture = lecture_folder(r->lab);
        if (!r->lecture)
            die(2, "run: there is no %s (make help lists the lectures)", r->lab);
        r->lab = NULL;
    }
    if (!r->lecture)
        r->lecture = r->course->lecture;
    if (r->lab) {
        char *file = text("%s/%s.cu", r->lecture ? r->lecture : ".", r->lab);
        if (strpbrk(r->lab, "/*?[") || !file_exists(file)) {
            List found = {0};
            char *pattern = text("lecture[0-9][0-9]_*/%s.cu", r->lab);
            if (!strpbrk(r->lab, "/*?["))
                list_glob(&found, pattern);
            if (!found.count)
                die(2, "run: there is no lab '%s' (./run lectureNN --list names a lecture's)", r->lab);
            r->lecture = text("%.*s", (int)strcspn(found.item[0], "/"), found.item[0]);
            list_free(&found);
            free(pattern);
        }
        free(file);
    }
    if (!r->lecture)
        die(2, "run: no lecture has been built yet: make lecture01 (make help lists them)");
}
