/* ranking.c: the leaderboard as people read it. */
#include "leaderboard.h"
#include "say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A word of the heading in a column of that width, which it ends or begins. */
static void print_cell(const char *english, int width, int ends)
{
    char *words = say_words(english);
    const int blanks = width > say_columns(words) ? width - say_columns(words) : 0;
    printf("%*s%s%*s", ends ? blanks : 0, "", words, ends ? 0 : blanks, "");
    free(words);
}

/* tools/course.sh leaderboard [FILE...]: merges the files into ours, and shows it. */
int command_leaderboard(Course *c, int argc, char **argv)
{
    (void)c;
    Entries all = leaderboard_read(LEADERBOARD);
    for (int i = 1; i < argc; i++) {
        if (!file_exists(argv[i]))
            die(2, "cannot read %s", argv[i]);
        Entries more = leaderboard_read(argv[i]);
        for (int k = 0; k < more.count; k++)
            leaderboard_merge(&all, &more.at[k]);
    }
    make_folders(".course");
    if (argc > 1 && leaderboard_write(LEADERBOARD, &all) != 0)
        die(1, "cannot write %s: %s", LEADERBOARD, strerror(errno));
    if (all.count == 0) {
        say("the leaderboard is empty: a project (5.15, 14.22) enters it when its numbers are right\n");
        return 0;
    }
    qsort(all.at, (size_t)all.count, sizeof *all.at, leaderboard_order);
    for (int i = 0, rank = 1; i < all.count; i++, rank++) {
        const Entry *e = &all.at[i];
        if (i == 0 || strcmp(e->exercise, all.at[i - 1].exercise) != 0) {
            rank = 1;
            say("%sexercise %s\n", i ? "\n" : "", e->exercise);
            print_cell("rank", 8, 1), print_cell("  student", 27, 0), print_cell("memory turns", 12, 1);
            print_cell("  points\n", 0, 0);
        }
        printf("    %4d  %-24s %12.0f  ", rank, e->student, e->turns);
        say("%d of %d\n", e->points, e->of);
    }
    return fflush(stdout) ? 1 : 0;
}
