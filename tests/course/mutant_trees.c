/* mutant_trees.c: whatever a test has done to the tree of a mutant, the tree that is made from it is as a new one, and the
 * files that it links to are as they were (tools/course/testing/tree_parts.h). */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The tool is a program of its own; what is tested here needs these three files of it. */
#include "../../tools/course/process.c"
#include "../../tools/course/support.c"
#include "../../tools/course/testing/tree_parts.c"
#include "suite.h"

static char folder[] = "/tmp/mutant_treesXXXXXX";

static const char sources[] = "mkdir -p from/deep copied/in && echo alpha >from/a && echo '#!/bin/sh' >from/run &&"
                              "chmod 755 from/run && echo beta >from/deep/b && ln -s a from/link &&"
                              "echo gamma >copied/c && echo 'c: d' >copied/c.d && echo delta >copied/in/e &&"
                              "chmod 640 copied/c && touch -d 2001-02-03 copied/* from/*";

/* As find and sha256sum see it: each entry's name, type, mode and target, and contents; the times of copies. */
static const char seen[] =
    "(cd tree && find . ! -name .finished -printf '%P %y %m %l\\n' | sort && find copied -printf '%P %T@\\n' | sort &&"
    " find . -type f ! -name .finished -exec sha256sum '{}' + | sort)";
static const char seen_of_sources[] =
    "(find from copied -printf '%P %y %m %l %T@\\n' | sort && find from copied -type f -exec sha256sum '{}' + | sort)";

static int put_slowly(unsigned microseconds)
{
    tree_begin("tree");
    return tree_folder("tree/build/tools") || tree_put("from", "tree/from", LINKED) ||
           tree_put("copied", "tree/copied", COPIED) || tree_point("from/a", "tree/pointed") || usleep(microseconds) ||
           tree_end("tree");
}

static int put(void) { return put_slowly(0); }

static void begin(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(system(sources), 0);
    ck_assert_int_eq(put(), 0);
}

static void end(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    remove_tree(folder);
}

static const char *const damages[] = {
    ":",
    "echo stray >tree/stray; mkdir -p tree/from/more/deep; echo stray >tree/from/more/deep/er; echo >tree/copied/in/f",
    "ln -s ../../from tree/from/more; ln -s / tree/copied/root; mkfifo tree/from/fifo",
    "rm tree/from/a tree/copied/c tree/pointed; rm -r tree/from/deep tree/copied/in tree/build",
    "rm tree/from/a; echo ALPHA >tree/from/a; touch -r from/a tree/from/a", /* the mutant's own change */
    "echo GAMMA >tree/copied/c; touch -r copied/c tree/copied/c",
    "echo much longer than it was >tree/copied/c; : >tree/copied/c.d",
    "rm -r tree/from/deep; echo file >tree/from/deep; rm tree/copied/c; mkdir -p tree/copied/c/c",
    "chmod 600 tree/copied/c; chmod 777 tree/copied/in tree/from/deep",
    "ln -sfn elsewhere tree/pointed; ln -sf /etc/passwd tree/from/a; ln -sf b tree/from/link",
    "rm tree/pointed; mkdir tree/pointed; ln -sfn / tree/copied/in/e",
    "ln -f from/a tree/copied/c; ln -f copied/c tree/copied/in/e", /* must not be written over */
};

START_TEST(mended)
{
    char *is = output_of_shell(seen), *had = output_of_shell(seen_of_sources);
    ck_assert_ptr_nonnull(strstr(is, "from/deep/b f "));
    ck_assert_int_eq(system(damages[_i]), 0);
    ck_assert_int_eq(put(), 0);
    ck_assert_str_eq(output_of_shell(seen), is);
    ck_assert_str_eq(output_of_shell(seen_of_sources), had);
    ck_assert_int_eq(system("[ from/a -ef tree/from/a ] && [ from/deep/b -ef tree/from/deep/b ]"), 0);
    ck_assert_int_eq(system("! [ copied/c -ef tree/copied/c ] && [ tree/pointed -ef from/a ]"), 0);
}
END_TEST

/* What makes it fast: no inode is freed, and none is taken. */
START_TEST(inodes_stay)
{
    char *are = output_of_shell("find tree -printf '%P %i\\n' | sort");
    ck_assert_int_eq(put(), 0);
    ck_assert_str_eq(output_of_shell("find tree -printf '%P %i\\n' | sort"), are);
}
END_TEST

/* A clock's tick after it was made, a copy that is still right is not written again. One of a file that has changed is, and so
 * is one of which a test has written the bytes and set the time. */
START_TEST(copies_stay)
{
    static const char changed[] = "find tree/copied -type f -printf '%P %C@\\n' | sort";
    ck_assert_int_eq(put_slowly(50000), 0);
    char *at = output_of_shell(changed);
    ck_assert_int_eq(put_slowly(50000), 0);
    ck_assert_str_eq(output_of_shell(changed), at);
    ck_assert_int_eq(system("echo GAMMA >tree/copied/c; touch -r copied/c tree/copied/c; echo DELTA >copied/in/e"), 0);
    ck_assert_int_eq(put(), 0);
    ck_assert_int_eq(system("diff -r copied tree/copied"), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mutant trees");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, begin, end);
    tcase_add_loop_test(t, mended, 0, sizeof damages / sizeof damages[0]);
    tcase_add_test(t, inodes_stay);
    tcase_add_test(t, copies_stay);
    suite_add_tcase(s, t);
    return run_suite(s);
}
