/* tree_parts.h: what a tree for mutants is put together from, between tree_begin() and tree_end(). A tree may be there from the
 * mutant before: what is right stays, and what is wrong is replaced. Functions return 0 or -1. */
#ifndef TREE_PARTS_H
#define TREE_PARTS_H

#include <sys/stat.h>

typedef enum Way { LINKED, COPIED } Way;

void tree_begin(const char *tree);
/* Links or copies the file or folder `from` to `to`. */
int tree_put(const char *from, const char *to, Way way);
/* Makes `to` a symbolic link to the absolute path of `from`. */
int tree_point(const char *from, const char *to);
/* Copies bytes, the mode and the times of the file `from`; `was` is its stat. Whatever stands at `to` is replaced. */
int tree_copy(const char *from, const char *to, const struct stat *was);
/* Makes the folder, where it is missing. */
int tree_folder(const char *path);
/* Removes whatever stands below `tree` and none of these functions has put there. */
int tree_end(const char *tree);

#endif
