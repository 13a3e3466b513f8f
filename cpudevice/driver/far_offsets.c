/* far_offsets.c: does an object reach so far beyond a thread-local variable that no program can be linked of it?
 *
 * Shared memory is thread-local storage, and of `s[-(1 << 29)]` the linker has to add the constant to the variable's
 * offset, in 32 bits (24 on aarch64). Such an access is out of bounds, but a program may have it where it never comes. */
#include "driver.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The reach left to the constant when a program's own thread-local storage, a few MB at most, is added. */
static int64_t reach(const Elf64_Ehdr *e, uint32_t type)
{
    if (e->e_machine == EM_X86_64 && type == R_X86_64_TPOFF32)
        return 1 << 30;
    if (e->e_machine == EM_AARCH64 && type >= R_AARCH64_TLSLE_MOVW_TPREL_G2 &&
        type <= R_AARCH64_TLSLE_LDST64_TPREL_LO12_NC)
        return 1 << 20;
    return INT64_MAX;
}

bool has_far_offsets(const char *object)
{
    size_t size;
    char *file = read_file(object, &size);
    const Elf64_Ehdr *e = (const Elf64_Ehdr *)file;
    bool found = false;
    if (!file || size < sizeof *e || memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_ident[EI_CLASS] != ELFCLASS64 ||
        e->e_shoff > size || (size - e->e_shoff) / sizeof(Elf64_Shdr) < e->e_shnum) {
        free(file);
        return false;
    }
    const Elf64_Shdr *section = (const Elf64_Shdr *)(file + e->e_shoff);
    for (int i = 0; i < e->e_shnum && !found; i++) {
        if (section[i].sh_type != SHT_RELA || section[i].sh_offset > size ||
            size - section[i].sh_offset < section[i].sh_size)
            continue;
        const Elf64_Rela *r = (const Elf64_Rela *)(file + section[i].sh_offset);
        for (uint64_t k = 0; k < section[i].sh_size / sizeof *r && !found; k++) {
            int64_t most = reach(e, (uint32_t)ELF64_R_TYPE(r[k].r_info));
            found = r[k].r_addend > most || r[k].r_addend < -most;
        }
    }
    free(file);
    return found;
}
