/* beside.h: which parts of a process hold a CPU device: each has a note in its file, which the loader maps. */
#ifndef BESIDE_H
#define BESIDE_H

#define BESIDE_RUNTIME 1
#define BESIDE_SHARED 2 /* that of libcuda.so.1, which has both */

#define BESIDE_NAME "cpudev"
/* An ELF note of this type: the lengths of its name and of what follows, the type, the name. */
#define BESIDE_NOTE(type) BESIDE_NOTE_OF(type)
#define BESIDE_NOTE_OF(type)                                                                                           \
    __asm__(".pushsection .note.cpudev,\"a\",%note\n.balign 4\n.long 7, 0, " #type "\n.asciz \"" BESIDE_NAME           \
            "\"\n.balign 4\n.popsection")

#endif
