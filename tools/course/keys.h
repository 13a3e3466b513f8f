/* keys.h: the content of all that a test's verdict depends on, as one number. Where it is not known what a test reads,
 * it depends on more than it reads: on the whole tree. All keys hold the toolchain (tools/setup/toolchain.sh) and the
 * part of this tool that judges.
 *
 *   closed    a lab, a solution, a conformance case, or a test program that opens no file and starts no process: the
 *             files that it includes; common/, the compiler, the runtime and the headers of the CPU device, by which it
 *             is built; under --check the checker too; data/ and results/
 *   device    another test in cpudevice/tests: cpudevice/ but for its mutants, common/, tools/, data/, results/,
 *             the Makefile
 *   tree      every other test, and one in whose folder a text names a lecture, the notes, or the course's tools: all
 *             files but for mutants (those too, if the test's text names them) */
#ifndef KEYS_H
#define KEYS_H

#include "support.h"

/* Of a test: the path of its source (.c, .cu) or script (.sh). `checked`: a program under cucc --check. */
uint64_t key_of_test(const char *source, int checked);
/* Of an exercise's solution or mutant (`with`: the sed script, or NULL), which is built alone and judged. */
uint64_t key_of_solution(const char *solution, const char *with);
/* Of a mutant of the library: the script, the file that it changes, and what its test depends on. `test` is as behind
 * "# test:". */
uint64_t key_of_mutant(const char *script, const char *file, const char *test);
/* Of anything else: files (of a .cu with what it includes), folders, and a text. */
uint64_t key_of_files(const char *const *paths, int count, const char *with);

#endif
