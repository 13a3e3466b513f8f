/* command_line.c: what people type, and what they are told. Bad input: one line on stderr and exit status 2; --help
 * everywhere. The commands see: $lab and $grey, two labs; $device; $out, an empty folder. */
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "suite.h"

#ifdef LAB_CPU
#define DEVICE "cpu"
#else
#define DEVICE "cuda"
#endif

static const CommandCase lab_cases[] = {
    {0, "Usage", "$lab --help"},
    {2, "no-such", "$lab --no-such-option"},
    {2, "whole number", "$lab --size many"},
    {2, "whole number", "$lab --size -5"},
    {2, "whole number", "$lab --size 12x12"},
    {2, "whole number", "$lab --size 99999999999999999999999"},
    {2, "at least 1", "$lab --size 0"},
    {2, "memory", "$lab --size 100000000000000"},
    {2, "runs", "$lab --runs 0"},
    {2, "repeat", "$lab --repeat many"},
    {0, "same bits 3 times more", "$lab --small --verify --repeat 3"},
    {2, "rung", "$lab --rung one"},
    {2, "rungs 1 to 5", "$lab --rung 9"},
    {0, "drawn: .*sweep.svg|1024", "$lab --size 1024:3072:1024 --rung 3,4 --plot=$out/plot"},
    {2, "width height as 2 whole numbers", "$grey --size 12"},
    {2, "run add --help", "$lab --no-such-option"},
    {2, "unexpected", "$lab something"},
#ifdef LAB_CPU
    /* the CPU's times are no lesson: what is drawn is recorded or counted, and says so */
    {0, "times as fast as the slowest", "$lab --plot"},
    {0, "recorded on an H200", "$lab --plot"},
    {1, "", "$lab --plot | grep 'GB/s$'"},
#endif
    {0, "", "COLUMNS=80 $lab | awk 'length($0) > 80 {exit 1}'"},
    {2, "cannot write", "$lab --size 4 --csv /nonexistent/file.csv"},
    {0, "of copy|H200", "$lab --size 100 --rung 3"},
    {2, "No such file", "$grey --image /nonexistent.ppm --small"},
    {2, "truncated", "printf 'P6\\n9 9\\n255\\nshort' >$out/bad.ppm; $grey --image $out/bad.ppm --small"},
    /* what a lab tells of itself, for ./run */
    {0, "^lab\t[0-9]+\tadd\t\tz = x", "$lab --about"},
    {0, "^option\tsize\ts\tSHAPE\tneeded$", "$lab --about"},
    {0, "^option\tverify\t\t\tnone$", "$lab --about"},
    {0, "^option\timage\ti\tFILE.ppm\tneeded$", "$grey --about"},
};

/* Colours on a terminal, but not with NO_COLOR, and not in a pipe. */
static const CommandCase colours[] = {
    {0, "\033\\[1;36madd\033\\[0m: z = x", "TERM=xterm script -qec \"$lab --size 4\" /dev/null"},
    {1, "", "TERM=xterm NO_COLOR=1 script -qec \"$lab --size 4\" /dev/null | grep '\033\\[[0-9;]*m'"},
    {1, "", "TERM=dumb script -qec \"$lab --size 4\" /dev/null | grep '\033\\[[0-9;]*m'"},
    {1, "", "TERM=xterm $lab --size 4 | grep '\033\\[[0-9;]*m'"},
    /* no progress line where there is no terminal */
    {0, "^0$", "$lab --size 1000 2>&1 >/dev/null | wc -c"},
};

static const CommandCase runner[] = {
    {0, "usage", "./run --help"},
    {0, "^CUDA, lecture by lecture [0-9]+\\.[0-9]+\\.[0-9]+$", "./run --version"},
    {2, "no lab", "./run lecture03/no_such_lab"},
    {2, "no lab", "./run no_such_lab"},
    {2, "no such lecture", "./run ../Makefile"},
    {2, "no lecture77", "./run lecture77"},
    {2, "device is cpu or cuda", "./run lecture03/add --device tpu"},
    {2, "wants a value", "./run add --csv"},
    {0, "Max error: 0", "./run lecture03/add --device $device --verify --small"},
    /* a name of wide characters ends where its column ends */
    {0, "\n {7}一个 256 线程的线程块 +[0-9.]+[um]s  ",
     "COURSE_LANG=zh ./run add --device $device --size 4096 --profile"},
    {0, "Max error: 0", "./run --device=$device --verify --small add"},
    {0, "N = 100", "./run --device $device --size 100 --verify add"},
    {2, "is not a ladder", "./run lecture03/launch --device $device --rung 3"},
    {2, "no exercise", "./run 99.9"},
    {2, "no lab of lecture03_cuda_basics has the option .*no-such",
     "./run lecture03 --device $device --no-such-option"},
    {0, "^ *[0-9]+  add  *z = x", "./run lecture03 --device $device --list"},
    {0, "usage", "./run lecture03 --device $device --help"},
    /* a lab's own options, and the runner's */
    {0, "only these rungs", "./run add --device $device --help"},
    {0, "--counters", "./run add --device $device --help"},
    /* an option that one lab of the lecture has goes to that lab alone */
    {2, "No such file", "./run lecture03 --device $device --verify --small --image /nonexistent.ppm"},
    {0, "/[0-9]+ greyscale", "./run lecture03 --device $device --verify --small --image data/astronaut.ppm"},
    {0, "^add,3,", "./run lecture03 --device $device --size 64 --csv $out/walk.csv >$out/log; cat $out/walk-add.csv"},
    {2, "no command", "tools/course.sh nothing"},
};

/* What make says, and what values of its variables it takes: they are not run, and a folder of somebody else's is not
 * built in. */
static const CommandCase made[] = {
    {0, "make", "make help"},
    {0, "nvcc", "make -s doctor"},
    {2, "DEVICE is auto", "make DEVICE=tpu help"},
    {2, "DEVICE is auto", "make DEVICE='$(shell touch $(out)/was_run)' help"},
    {2, "cannot be written", "make O='/proc/$(shell touch $(out)/was_run)' help"},
    {0, "/\\$\\(shell touch was_run\\)/bin/cucc",
     "make -n -C cpudevice install PREBUILT=no PREFIX='/$(shell touch was_run)' >/dev/null && "
     "make -s -C cpudevice install PREBUILT=no DESTDIR=\"$out\" PREFIX='/$(shell touch was_run)' && find \"$out\" "
     "-name cucc -type l"},
    {1, "", "find \"$out\" cpudevice . -maxdepth 1 -name was_run | grep ."},
    {2, "name a folder outside the checkout", "make O=\"$PWD/inside\" help"},
    {2, "has files that make did not put there",
     "mkdir -p \"$out/theirs\" && echo mine >\"$out/theirs/mine.txt\" && make O=\"$out/theirs\" help"},
    {0, "^mine$", "ls -A \"$out/theirs\" | grep -v mine.txt; cat \"$out/theirs/mine.txt\""},
    {0, "lecture03", "make O=\"$out/ours\" help && make O=\"$out/ours\" help"},
    {2, "there are: lecture01", "make lecture02"},
};

static const CommandCase steps[] = {
    /* q leaves a walk-through that waits: the first lab has run, and no other */
    {0, "^1$", "printf 'q\\n' | ./run lecture03 --device $device --verify --small --step | grep -cE '^[0-9]+/[0-9]+ '"},
#ifdef LAB_CPU
    /* the model's times: at the lessons' shape, and without the list of kernels in a walk-through */
    {0, "N = 1048576, fp32, by the model of the chip h200", "./run --device cpu add --model h200 --rung 5 2>$out/list"},
    {0, "<<<.*occupancy", "cat $out/list"},
    {0, "The times of the tables' rungs are by the model of the chip h100",
     "./run --device cpu lecture03 --model h100 --small --step 2>$out/list </dev/null | head -n 5; cat $out/list"},
#endif
};

/* Few lines, and each fits a terminal of 80 columns; a line that does not is printed. */
#define FOLLOWED(lecture)                                                                                              \
    "COLUMNS=80 ./run " lecture " --device $device --runs 1 >$out/walk && test $(wc -l <$out/walk) -le 160 && "        \
    "! LC_ALL=C.UTF-8 grep -E '^.{81}' $out/walk"

/* What builds and runs more than two labs. */
static const CommandCase walks[] = {
#ifdef LAB_CPU
    /* clusters of two blocks on a machine of one core or three */
    {0, "multicast *ok", "CUDA_CPU_WORKERS=1 ./run hopper --device $device --rung 8 --verify --size 128x256x64"},
    {0, "multicast *ok", "CUDA_CPU_WORKERS=3 ./run hopper --device $device --rung 8 --verify --size 128x256x64"},
    /* a class can follow it */
    {0, "", FOLLOWED("lecture01")},
    {0, "", FOLLOWED("lecture03")},
    {0, "", FOLLOWED("lecture05")},
    {0, "", FOLLOWED("lecture11")},
    {0, "", FOLLOWED("lecture14")},
    /* the labs of a further page are named, and shown where all is asked for */
    {0, "^    norms  *LayerNorm", "./run lecture05 --device $device --verify --small"},
    {0, "^[0-9]+/[0-9]+ norms: ", "./run lecture05 --device $device --verify --small --verbose"},
#endif
    /* a table without the columns that are drawn */
    {0, "",
     "mkdir -p \"$out/tables\" && printf 'name,tflops,of_copy\\na,1,1\\n' >\"$out/tables/a.csv\" && "
     "make -s DEVICE=$device build/$device/lecture14_tiling/roofline && build/$device/lecture14_tiling/roofline "
     "--small --results \"$out/tables\""},
    /* broken off in its midst, a walk-through leaves nothing behind */
    {0, "", "timeout -s KILL 1 ./run lecture03 --device $device >$out/log; ! ls build/walk.* 2>/dev/null"},
};

static const CommandCase files[] = {
    /* the CSV holds what the table says, with its provenance */
    {0, "^# device: ", "$lab --size 1000 --rung 3 --csv $out/x.csv >/dev/null; cat $out/x.csv"},
    {0, "written: .*/x.csv", "$lab --size 1000 --rung 3 --csv $out/x.csv"},
    {0, "written: .*/x.json", "$lab --size 1000 --rung 3 --trace $out/x.json | tail -n 1"},
    {1, "", "grep ',0[.]0000' $out/x.csv"}, /* what is not known is empty */
    {0, "^# date: 20", "cat $out/x.csv"},
    {0, "^# command: ./run add ", "cat $out/x.csv"},
    {0, "", "awk -F, '/^lab,/ {n = NF} /^add,3,/ {ok = NF == n && $8 > 0 && $16 == \"ok\"} END {exit !ok}' $out/x.csv"},
    /* and its command can be typed as it stands */
    {0, "^# command: ./run add --size '8 16' --rung 3 --csv FILE$",
     "$lab --size '8 16' --rung 3 --csv $out/x.csv >/dev/null; cat $out/x.csv"},
    /* counters on a GPU: the table out of what ncu prints; here a stand-in prints it, for a machine without */
    {0, "turn  *32768  *32 ", "PATH=$out/bin:$PATH tools/profiler/counters.sh true"},
    {2, "ncu is not installed",
     "command -v ncu >/dev/null && { echo 'ncu is not installed' >&2; exit 2; }; tools/profiler/counters.sh true"},
};

#ifdef LAB_CPU
/* cucc where it may not write beside itself (here a file is in the way): a cache of the user's, or one line */
static const CommandCase installed[] = {
    {1, "CUCC_BUILD",
     "env -u HOME -u XDG_CACHE_HOME \"$out/installed here/cpudevice/cucc\" -o $out/hello $out/hello.cu"},
    {0, "it runs",
     "XDG_CACHE_HOME=$out/cache \"$out/installed here/cpudevice/cucc\" -o $out/hello $out/hello.cu && $out/hello"},
};
#endif

static const char ncu[] =
    "#!/bin/sh\n"
    "while [ \"$1\" != --log-file ]; do shift; done\n"
    "cat >\"$2\" <<'CSV'\n"
    "==PROF== Connected to process 1\n"
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid "
    "Size\","
    "\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
    "\"0\",\"1\",\"add\",\"127.0.0.1\",\"turn(const float *, float *)\",\"1\",\"7\",\"(32, 8, 1)\",\"(32, 32, "
    "1)\",\"0\",\"9.0\","
    "\"Command line profiler metrics\",\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\",\"\",\"32,768\"\n"
    "\"0\",\"1\",\"add\",\"127.0.0.1\",\"turn(const float *, float *)\",\"1\",\"7\",\"(32, 8, 1)\",\"(32, 32, "
    "1)\",\"0\",\"9.0\","
    "\"Command line profiler metrics\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"sector\",\"1,048,576\"\n"
    "CSV\n";

static char out[32];

static void write_file(const char *name, const char *content)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", out, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(content, f);
    fclose(f);
}

/* Each test case has a folder of its own, so that it can run alone (COURSE_CASE). */
static void set_up(void)
{
    strcpy(out, "/tmp/command_lineXXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(out));
    setenv("out", out, 1);
    setenv("device", DEVICE, 1);
    setenv("lab", "build/" DEVICE "/lecture03_cuda_basics/add", 1);
    setenv("grey", "build/" DEVICE "/lecture03_cuda_basics/greyscale", 1);
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    ck_assert_int_eq(system("make -s DEVICE=$device $lab $grey && mkdir \"$out/bin\""), 0);
    write_file("bin/ncu", ncu);
    write_file("hello.cu", "#include <cstdio>\n__global__ void k() { printf(\"it runs\"); }\n"
                           "int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n");
    ck_assert_int_eq(system("chmod +x $out/bin/ncu"), 0);
}

#ifdef LAB_CPU
/* The objects of this checkout count there too: cucc has the runtime and its compiler to link, not to compile anew. */
static void set_up_installed(void)
{
    set_up();
    ck_assert_int_eq(system("set -e; there=\"$out/installed here\"; mkdir \"$there\"; cp -rp cpudevice \"$there/\"\n"
                            ": >\"$there/build\"; place=$(cd \"$there/cpudevice\" && pwd -P)\n"
                            "built=$out/cache/cucc/$(printf %s \"$place\" | cksum | cut -d ' ' -f 1)/objects\n"
                            "mkdir -p \"$built\"; \"$place/built_for.sh\" >\"$built/../built_for\"\n"
                            "cp -rp build/cpu/objects/cucc-compile build/cpu/objects/libcudacpu.a \"$built/\""),
                     0);
}
#endif

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st, (void)type, (void)where;
    return remove(path);
}

static void tear_down(void) { nftw(out, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

START_TEST(of_labs) { command_holds(&lab_cases[_i]); }
END_TEST
START_TEST(of_colours) { command_holds(&colours[_i]); }
END_TEST
START_TEST(of_the_runner) { command_holds(&runner[_i]); }
END_TEST
START_TEST(of_make) { command_holds(&made[_i]); }
END_TEST
START_TEST(of_steps) { command_holds(&steps[_i]); }
END_TEST
START_TEST(of_walks) { command_holds(&walks[_i]); }
END_TEST
START_TEST(of_files) { command_holds(&files[_i]); }
END_TEST
#ifdef LAB_CPU
START_TEST(of_an_installed_compiler) { command_holds(&installed[_i]); }
END_TEST
#endif

static void add_case(Suite *s, const char *name, SFun begin, const TTest *test, size_t count)
{
    TCase *t = tcase_create(name);
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, begin, tear_down);
    tcase_add_loop_test(t, test, 0, (int)count);
    suite_add_tcase(s, t);
}

int main(void)
{
    Suite *s = suite_create("command_line");
    add_case(s, "labs", set_up, of_labs, sizeof lab_cases / sizeof lab_cases[0]);
    add_case(s, "colours", set_up, of_colours, sizeof colours / sizeof colours[0]);
    add_case(s, "runner", set_up, of_the_runner, sizeof runner / sizeof runner[0]);
    add_case(s, "make", set_up, of_make, sizeof made / sizeof made[0]);
    add_case(s, "steps", set_up, of_steps, sizeof steps / sizeof steps[0]);
    add_case(s, "walks", set_up, of_walks, sizeof walks / sizeof walks[0]);
    add_case(s, "files", set_up, of_files, sizeof files / sizeof files[0]);
#ifdef LAB_CPU
    add_case(s, "installed", set_up_installed, of_an_installed_compiler, sizeof installed / sizeof installed[0]);
#endif
    return run_suite(s);
}
