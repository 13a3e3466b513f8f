/* main.c: the course's tool: one program for ./run, the student's commands, make check and the mutants. */
#include "commands.h"
#include "say.h"
#include "leaderboard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *what;
    int (*run)(Course *c, int argc, char **argv);
} commands[] = {
    {"run", "walk through a lecture, run a lab, grade an exercise (./run)", command_run},
    {"exercises", "[FILE.html] all exercises and how far you are (make exercises)", command_exercises},
    {"next", "the exercise that comes next (make next)", command_next},
    {"skip", "[N.M] pass over an exercise (make skip)", command_skip},
    {"hint", "N.M the next hint (make hint)", command_hint},
    {"reset", "N.M start it over; what you had is kept (make reset)", command_reset},
    {"watch", "[N.M] grade at each save (make watch)", command_watch},
    {"grade", "N.M prints todo, passed or failed", command_grade},
    {"path", "N.M prints the exercise's file", command_path},
    {"stub", "SOLUTION prints the exercise that it makes", command_stub},
    {"stubs", "writes the exercises from the solutions (make stubs)", command_stubs},
    {"drift", "is each exercise what its solution makes?", command_drift},
    {"counts", "[--check] [LAB...] counts each rung's memory accesses, into results/cpu/counts/", command_counts},
    {"check", "cpu|cuda [--all | --changed | --mutants] [--sample=PERCENT] builds and runs the tests (make check)",
     command_check},
    {"listing", "ptx|sass FILE.cu [KERNEL...] the instructions that nvcc makes of it", command_listing},
    {"remembered", "NAME PATH... is it remembered that these are right?", command_remembered},
    {"note", "NAME PATH... it is, from now on", command_remembered},
    {"limits", "SOLUTION... are they within the limits that they state?", command_limits},
    {"leaderboard", "[FILE...] the class's best in each project; FILEs are merged into " LEADERBOARD,
     command_leaderboard},
    {"mutants", "[NAME...] the proof that the checks can fail", command_mutants},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

int main(int argc, char **argv)
{
    Course course;
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        say("usage: tools/course.sh COMMAND [ARGUMENTS]\n\n");
        for (int i = 0; i < COMMANDS; i++)
            printf("  %-11s %s\n", commands[i].name, say_words(commands[i].what));
        return argc < 2 ? 2 : 0;
    }
    die_words = say_words;
    if (strcmp(argv[1], "check") == 0 || strcmp(argv[1], "mutants") == 0) {
        setenv("COURSE_LANG", "en", 1);          /* tests compare English messages */
        setenv("OMP_WAIT_POLICY", "passive", 0); /* waiting OpenMP threads leave their cores to other tests */
        /* For each of some 10,000 calls of cucc; a check has asked for its 1,500 mutants. */
        const char *machine = getenv("CUCC_MACHINE") ? "" : output_of("cpudevice/built_for.sh", "--machine");
        if (*machine)
            setenv("CUCC_MACHINE", machine, 1);
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            course_open(&course);
            return commands[i].run(&course, argc - 1, argv + 1);
        }
    die(2, "course.sh: there is no command '%s' (--help lists them)", argv[1]);
}
