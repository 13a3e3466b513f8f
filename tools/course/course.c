#include "course.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void course_use(Course *c, const char *device)
{
    char *here = device && strcmp(device, "auto") != 0 ? copy(device) : output_of("tools/setup/device.sh", NULL);
    if (strcmp(here, "cpu") != 0 && strcmp(here, "cuda") != 0)
        die(2, "run: --device is cpu or cuda, not '%s'", here);
    free(c->device);
    c->device = here;
}

void course_open(Course *c)
{
    *c = (Course){.build = "build", .cores = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    char *path = text("%s/last", c->build), *last = file_read(path, NULL), *word;
    free(path);
    if (last && (word = strtok(last, " \n")) && lecture_folder(word)) {
        c->lecture = copy(word);
        word = strtok(NULL, " \n");
        if (word && (strcmp(word, "cpu") == 0 || strcmp(word, "cuda") == 0))
            c->device = copy(word);
    }
    free(last);
    const char *asked = getenv("DEVICE");
    if (asked && strcmp(asked, "auto") != 0)
        course_use(c, asked);
}

int course_make(const Course *c, const List *targets, const char *log)
{
    Job job = {.out = log, .err = log};
    char *folder = copy(log), *slash = strrchr(folder, '/');
    if (slash) {
        *slash = 0;
        make_folders(folder);
    }
    free(folder);
    const char *program = getenv("COURSE_MAKE"); /* a test's, by its path: no other make is looked for */
    const char *words[] = {program ? program : "make", "-s", "-k", "--no-print-directory", "-j", NULL};
    for (int i = 0; words[i]; i++)
        list_add(&job.command, words[i]);
    char *width = text("%d", c->cores + 1), *device = text("DEVICE=%s", c->device);
    list_add(&job.command, width);
    list_add(&job.command, device);
    free(width), free(device);
    for (int i = 0; i < targets->count; i++)
        list_add(&job.command, targets->item[i]);
    /* A make above us keeps its job server to itself. */
    list_add(&job.set, "MAKEFLAGS=");
    int status = job_run(&job);
    job_free(&job);
    return status;
}

int course_make_one(const Course *c, const char *target, const char *log)
{
    List one = {0};
    list_add(&one, target);
    int status = course_make(c, &one, log);
    list_free(&one);
    return status;
}

char *lecture_folder(const char *name)
{
    List found = {0};
    if (!starts_with(name, "lecture") || !isdigit((unsigned char)name[7]) || strpbrk(name, "/*?["))
        return NULL;
    list_glob(&found, name);
    char *pattern = text("%s_*", name);
    list_glob(&found, pattern);
    char *folder = found.count ? copy(found.item[0]) : NULL;
    free(pattern);
    list_free(&found);
    return folder;
}

char *lecture_title(const char *lecture)
{
    char *path = text("%s/README.md", lecture), *readme = file_read(path, NULL), *title;
    free(path);
    if (readme && starts_with(readme, "# "))
        title = text("%.*s", (int)strcspn(readme + 2, "\n"), readme + 2);
    else
        title = copy(lecture);
    free(readme);
    return title;
}

/* "solutions/lecture03_x/ex04_y.cu" or "lecture03_x/exercises/ex04_y.cu", as an exercise. */
static Exercise exercise_of(const char *path)
{
    Exercise e = {0};
    const char *lecture = strstr(path, "lecture"), *file = base_name(path);
    e.lecture = text("%.*s", (int)strcspn(lecture, "/"), lecture);
    e.path = text("%s/exercises/%s", e.lecture, file);
    e.solution = text("solutions/%s/%s", e.lecture, file);
    e.number = text("%d.%d", atoi(e.lecture + 7), atoi(file + 2));
    return e;
}

static int by_number(const void *a, const void *b)
{
    const Exercise *x = a, *y = b;
    int order = strcmp(x->lecture, y->lecture);
    return order ? order : strcmp(x->path, y->path);
}

Exercises exercises_find(void)
{
    Exercises all = {0};
    List files = {0};
    list_glob(&files, "lecture[0-9][0-9]_*/exercises/ex[0-9][0-9]_*.cu");
    list_glob(&files, "solutions/lecture[0-9][0-9]_*/ex[0-9][0-9]_*.cu");
    all.at = calloc((size_t)files.count + 1, sizeof *all.at);
    for (int i = 0; i < files.count; i++) {
        Exercise e = exercise_of(files.item[i]);
        int known = 0;
        for (int k = 0; k < all.count; k++)
            known |= strcmp(all.at[k].path, e.path) == 0;
        if (!known)
            all.at[all.count++] = e;
    }
    list_free(&files);
    qsort(all.at, (size_t)all.count, sizeof *all.at, by_number);
    return all;
}

Exercise *exercise_named(const Exercises *all, const char *name)
{
    if (!name || !*name)
        die(2, "which exercise? for example EX=3.1 (make exercises lists them)");
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->at[i].number, name) == 0 || strcmp(all->at[i].path, name) == 0)
            return &all->at[i];
    die(2, "there is no exercise '%s' (make exercises lists them)", name);
}
