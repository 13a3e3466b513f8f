/* keys.h: the content of all that a test's verdict depends on, as one number. Where it is not known what a test reads,
 * it depends on more than it reads: on the whole tree. All keys hold the toolchain (tools/setup/toolchain.sh) and the
 * part of this tool that judges.
 *
 *   closed    a lab, a solution, a conformance case, or a test program that opens no file and starts no process: the
 *             files that it includes, the compiler, the runtime and the headers of the CPU device; under --check the
 *             checker too; what is of the course also common/, data/ and results/
 *   device    another test in cpudevice/tests: the CPU device without its documents, its room of tests, and the rooms
 *             that the files of a room name
 *   tree      every other test, and one in whose rooms a text names what is of the course: all files but for mutants
 *             (those too, if the test's text names them)
 *
 * What git ignores is in no key, nor is a path outside the checkout, a time, a user or a locale: a key is the same in
 * each clone. A comment of the judges counts in those keys alone that hold all of tools/. */
#ifndef KEYS_H
#define KEYS_H

#include "../support.h"

/* Of a test: the path of its source (.c, .cu) or script (.sh). `checked`: a program under cucc --check. */
uint64_t key_of_test(const char *source, int checked);
/* Of an exercise's solution or mutant (`with`: the sed script, or NULL), which is built alone and judged. */
uint64_t key_of_solution(const char *solution, const char *with);
/* Of a lab's counts, recorded in a file. */
uint64_t key_of_counts(const char *lab, const char *recorded);
/* Of a mutant of the library: the script, the file that it changes, and what its test depends on. `test` is as behind
 * "# test:". */
uint64_t key_of_mutant(const char *script, const char *file, const char *test);
/* Of anything else: files (of a .cu with what it includes), folders, and a text. */
uint64_t key_of_files(const char *const *paths, int count, const char *with);

#endif
