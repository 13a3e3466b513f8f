/* lab_main.c: a lab's whole program. */
#include "lab_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"
#include "profiler.h"
#include "terminal.h"
#include "vendor.h"
#include "words.h"

#include "../../cpudevice/include/cpudev_written.h"

/* Prose that is wider than the terminal, broken anew at its blanks. */
static void print_narrow(const char *text, int width)
{
    int column = 0;
    while (*(text += strspn(text, " \n"))) {
        const int n = (int)strcspn(text, " \n");
        if (column && column + 1 + n > width)
            putchar('\n'), column = 0;
        printf("%s%.*s", column ? " " : "    ", n, text);
        column += (column ? 1 : 4) + n;
        text += n;
    }
    putchar('\n');
}

/* Prose, each line behind four blanks. */
static void print_look(const char *text)
{
    if (lab_columns() < LAB_COLUMNS) {
        print_narrow(text, lab_columns());
        return;
    }
    while (*text) {
        int n = (int)strcspn(text, "\n");
        printf("    %.*s\n", n, text);
        text += n + (text[n] == '\n');
    }
}

enum { MOST_WRITTEN = 32 };
static char *written[MOST_WRITTEN];
static int files_written;

/* A pipe or a terminal is not named, and no file twice. */
void lab_written(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || files_written == MOST_WRITTEN)
        return;
    for (int i = 0; i < files_written; i++)
        if (strcmp(written[i], path) == 0)
            return;
    written[files_written++] = strdup(path);
}

void lab_close(FILE *file)
{
    char link[64], path[4096] = "";
    if (!file)
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(file));
    if (readlink(link, path, sizeof path - 1) < 0)
        *path = 0;
    if (written_close(file))
        die_usage("cannot write %s: %s", *path ? path : "a table", strerror(errno));
}

static void say_written(void)
{
    for (int i = 0; i < files_written; i++)
        printf("%s%s", i ? ", " : "\n    written: ", written[i]);
    if (files_written)
        putchar('\n');
}

/* A full disk or a closed pipe is a failure too, on every way out of the program. */
static void output_is_complete(void)
{
    errno = 0;
    words_end();
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    fprintf(stderr, "%s: cannot write the output%s%s\n", program_invocation_short_name, errno ? ": " : "",
            errno ? strerror(errno) : "");
    _exit(1);
}

/* The lab's name and title in the reader's language, and what to look at: as ./run has broken its lines. */
static void print_words(const Lab *lab, const LabOptions *options)
{
    const char *look = options->words + strcspn(options->words, "\n");
    printf("%s%s", options->heading ? options->heading : "", options->heading ? " " : "");
    terminal_heading(stdout, lab->name);
    printf("：%.*s\n", (int)(look - options->words), options->words);
    if (!options->heading)
        printf("    %s\n", device_line());
    for (look += *look == '\n'; *look; look += *look == '\n') {
        printf("    %.*s\n", (int)strcspn(look, "\n"), look);
        look += strcspn(look, "\n");
    }
}

/* The lab's name and title, and the device; with a heading of ./run's in place of the device, an exercise's. */
static void print_heading(const Lab *lab, const char *heading)
{
    if (heading)
        printf("%s ", heading);
    terminal_heading(stdout, lab->name);
    const size_t columns = (size_t)lab_columns(),
                 width = (heading ? strlen(heading) + 1 : 0) + strlen(lab->name) + 2 + strlen(lab->title);
    if (width > columns)
        puts(":"), print_narrow(lab->title, lab_columns());
    else if (heading || columns < LAB_COLUMNS)
        printf(": %s\n", lab->title);
    else
        printf(": %s · %s\n", lab->title, device_line());
    if (!heading && (width > columns || columns < LAB_COLUMNS))
        print_narrow(device_line(), lab_columns());
}

/* How many claims do not hold; 1 for a show() that fails without one. */
static int show(const Lab *lab, const LabOptions *options)
{
    uint64_t made, held;
    lab_claims_reset();
    const int failed = lab->show(options) != 0;
    lab_claims_made(&made, &held);
    return made > held ? (int)(made - held) : failed;
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

    if (options->words)
        print_words(lab, options);
    else
        print_heading(lab, options->heading);
    if (lab->look && !options->words)
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
    profiler_table_fit(options->wide ? 0 : lab_columns());
    int profiling = options->profile || options->trace;
    int refused = profiling ? profiler_main_begin(options->profile, options->trace) : 0;
    if (refused)
        return refused;

    int failed = lab->rungs ? lab_ladder(lab, csv) : 0;
    if (lab->show && !options->ladder_only)
        failed += show(lab, options);

    if (profiling && profiler_main_end(stdout))
        return 2;
    lab_close(csv);
    if (csv)
        lab_written(options->csv);
    if (options->trace)
        lab_written(options->trace);
    say_written();
    bench_flush_free();
    bench_copy_free();
    vendor_close();
    if (failed)
        printf("\n    %d wrong\n", failed);
    fflush(stdout);
    return failed ? 1 : 0;
}
