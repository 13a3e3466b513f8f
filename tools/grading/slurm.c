/* slurm.c: a class on a Slurm cluster. The grades that are to be made are written to a file, and a job array makes them,
 * each of its tasks a few lines. Slurm starts a task anew whose node has died; a grade that was made already is not
 * made again, and one that is being made is waited for, since its folder is locked. What is missing when the array has
 * ended goes into another, up to three times. graded.log tells which task made which grade. */
#include "cgroup.h"
#include "clean.h"
#include "grading.h"
#include "../course/say.h"
#include "../../cpudevice/include/cpudev_written.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 3, MOST_TASKS = 1000 };

/* Each is three texts that end in a zero: a file's name may contain everything else. */
static char *write_tasks(const Grading *g, const Tasks *tasks, int round)
{
    char *path = text("%s/slurm/tasks.%d", g->folder, round);
    FILE *f = fopen(path, "w");
    for (int i = 0; f && i < tasks->count; i++)
        fprintf(f, "%s%c%s%c%s%c", tasks->at[i].number, 0, tasks->at[i].file, 0, tasks->at[i].work, 0);
    if (!f || written_close(f))
        die(1, "cannot write %s: %s", path, strerror(errno));
    return path;
}

/* As one word of a shell's. */
static char *quoted(const char *s)
{
    char *all = copy("'");
    for (; *s; s++) {
        char *more = *s == '\'' ? text("%s'\\''", all) : text("%s%c", all, *s);
        free(all), all = more;
    }
    char *word = text("%s'", all);
    free(all);
    return word;
}

/* Submits the array, and waits for its end. */
static int submit(const Grading *g, const char *tasks, int count, const char *options)
{
    int chunk = (count + MOST_TASKS - 1) / MOST_TASKS, arrays = (count + chunk - 1) / chunk;
    char *log = text("--output=%s/slurm/%%A_%%a.log", g->folder), *array = text("--array=0-%d", arrays - 1),
         *folder = text("--chdir=%s", g->root), *file = quoted(tasks),
         *command = text("exec build/tools/grade --tasks %s $SLURM_ARRAY_TASK_ID %d %llx%s", file, chunk,
                         (unsigned long long)g->hash, g->unsafe ? " --unsafe" : ""),
         *said = text("%s/slurm/sbatch.log", g->folder), *own = copy(options ? options : ""), *rest = own, *word;
    Job job = {.out = said, .err = said};
    const char *words[] = {"sbatch",           "--wait", "--requeue", "--open-mode=append",
                           "--job-name=grade", log,      array,       folder};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        list_add(&job.command, words[i]);
    while ((word = strsep(&rest, " ")))
        if (*word)
            list_add(&job.command, word);
    list_add(&job.command, "--wrap"), list_add(&job.command, command);
    int status = job_run(&job);
    if (status == 127)
        die(2, "grade: there is no sbatch here: --slurm is for a Slurm cluster");
    char *words_said = file_read(said, NULL);
    if (!words_said || !strstr(words_said, "Submitted batch job"))
        die(1, "grade: sbatch: %s", words_said ? words_said : "said nothing");
    job_free(&job);
    free(words_said), free(log), free(array), free(folder), free(file), free(command), free(said), free(own);
    return status;
}

int slurm_grade(const Grading *g, const Submissions *all, const char *options)
{
    int missing = 0;
    char *folder = text("%s/slurm", g->folder);
    if (make_folders(folder))
        die(1, "cannot make %s: %s", folder, strerror(errno));
    for (int round = 1; round <= ROUNDS; round++) {
        Tasks tasks = tasks_to_do(g, all);
        missing = tasks.count;
        if (missing) {
            char *file = write_tasks(g, &tasks, round);
            say_to(stderr, "slurm: %d grades%s\n", missing, round > 1 ? " that are still missing, once more" : "");
            submit(g, file, missing, options);
            free(file);
        }
        tasks_free(&tasks);
        if (!missing)
            break;
    }
    free(folder);
    return missing;
}

/* A line for graded.log, in one write. */
static void account(const char *tasks, const char *line)
{
    char *path = text("%.*s/graded.log", (int)(base_name(tasks) - tasks - 1), tasks);
    const char *node = getenv("SLURMD_NODENAME"), *restarts = getenv("SLURM_RESTART_COUNT");
    char *entry = text("%s\t%s\t%s\n", node ? node : "-", restarts ? restarts : "0", line);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (fd < 0 || write(fd, entry, strlen(entry)) != (ssize_t)strlen(entry))
        die(1, "cannot write %s: %s", path, strerror(errno));
    close(fd);
    free(path), free(entry);
}

int slurm_task(int argc, char **argv)
{
    Grading g = {.unsafe = argc > 6};
    if (argc < 6)
        die(2, "grade: --tasks is for its own jobs");
    const char *path = argv[2];
    int index = atoi(argv[3]), chunk = atoi(argv[4]), number = 0;
    course_open(&g.course);
    course_use(&g.course, "cpu");
    g.groups = cgroup_open();
    g.root = getcwd(NULL, 0);
    g.hash = strtoull(argv[5], NULL, 16);
    Exercises all = exercises_find();
    size_t size = 0;
    char *tasks = file_read(path, &size);
    if (!tasks)
        die(1, "cannot read %s: %s", path, strerror(errno));
    for (const char *p = tasks, *field[3]; p < tasks + size; number++) {
        for (int i = 0; i < 3; i++)
            field[i] = p, p += p < tasks + size ? strlen(p) + 1 : 0;
        if (number / chunk != index || !grade_alone(&g, exercise_named(&all, field[0]), field[1], field[2]))
            continue;
        char *file = copy(field[1]), *line;
        clean_line(file);
        account(path, line = text("%s\t%s\t%s", field[0], file, field[2]));
        free(file), free(line);
    }
    free(tasks);
    return 0;
}
