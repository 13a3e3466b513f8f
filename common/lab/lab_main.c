/* lab_main.c: a lab's whole program. */
#include "lab_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "profiler.h"
#include "vendor.h"

/* Prose, each line behind four blanks. */
static void print_look(const char *text)
{
    while (*text) {
        int n = (int)strcspn(text, "\n");
        printf("    %.*s\n", n, text);
        text += n + (text[n] == '\n');
    }
}

/* A full disk or a closed pipe is a failure too, on every way out of the program. */
static void output_is_complete(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    fprintf(stderr, "%s: cannot write the output%s%s\n", program_invocation_short_name, errno ? ": " : "",
            errno ? strerror(errno) : "");
    _exit(1);
}

int lab_main(const Lab *lab, int argc, char **argv)
{
    atexit(output_is_complete);
    vendor_fastest_by(lab_fastest);
    LabOptions *options = lab_options_parse(lab, argc, argv);
    if (options->answer)
        return lab_answer(lab, options->answer, options);
    if (options->judge)
        return lab_judge(lab, options->judge, options);

    if (options->heading)
        printf("%s %s: %s\n", options->heading, lab->name, lab->title);
    else
        printf("%s: %s · %s\n", lab->name, lab->title, device_line());
    if (lab->look)
        print_look(lab->look);
    fflush(stdout);

    FILE *csv = NULL;
    if (options->csv && lab->rungs) {
        if (!(csv = fopen(options->csv, "w")))
            die_usage("cannot write %s: %s", options->csv, strerror(errno));
        device_provenance(csv, argc, argv);
        fputs("lab,rung,name,type,size,mode,runs,time_ms,q1_ms,q3_ms,gbps,tflops,of_copy,vs_vendor,vs_before,check\n",
              csv);
    }
    profiler_table_fit(options->wide ? 0 : 100);
    int profiling = options->profile || options->trace;
    int refused = profiling ? profiler_main_begin(options->profile, options->trace) : 0;
    if (refused)
        return refused;

    int failed = lab->rungs ? lab_ladder(lab, csv) : 0;
    if (lab->show && !options->ladder_only)
        failed += lab->show(options) != 0;

    if (profiling && profiler_main_end(stdout))
        return 1;
    if (csv && fclose(csv))
        die("cannot write %s: %s", options->csv, strerror(errno));
    bench_flush_free();
    bench_copy_free();
    vendor_close();
    if (failed)
        printf("\n    %d wrong\n", failed);
    fflush(stdout);
    return failed ? 1 : 0;
}
