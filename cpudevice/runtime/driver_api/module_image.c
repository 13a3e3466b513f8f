/* module_image.c: reads the ELF file that is in a module's image. Nothing in it is trusted: each offset is compared with
 * the image's size. How many bytes the caller's image has only the image itself says, as in CUDA. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_api/module_image.h"

static bool inside(const module_image *m, size_t offset, size_t bytes)
{
    return offset <= m->size && bytes <= m->size - offset;
}

/* ---- text ---- */

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static image_status from_text(module_image *m, const char *text)
{
    unsigned char *bytes = malloc(strlen(text) / 4 * 3 + 3);
    unsigned value = 0;
    int bits = 0;
    if (!bytes)
        return IMAGE_NO_MEMORY;
    m->owned = bytes;
    for (; *text && *text != '='; text++) {
        int d = digit(*text);
        if (d < 0 && *text != '\n')
            return IMAGE_DAMAGED;
        if (d < 0)
            continue;
        value = value << 6 | (unsigned)d;
        if ((bits += 6) >= 8)
            bytes[m->size++] = (unsigned char)(value >> (bits -= 8));
    }
    m->bytes = bytes;
    return IMAGE_GOOD;
}

/* ---- ELF ---- */

static const ElfW(Shdr) * sections(const module_image *m, size_t *count)
{
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)m->bytes;
    *count = head->e_shnum;
    return (const ElfW(Shdr) *)(m->bytes + head->e_shoff);
}

static image_status find_symbols(module_image *m)
{
    size_t count;
    const ElfW(Shdr) *all = sections(m, &count);
    for (size_t i = 0; i < count; i++) {
        const ElfW(Shdr) *s = &all[i];
        if (s->sh_type != SHT_SYMTAB)
            continue;
        if (s->sh_link >= count || !inside(m, s->sh_offset, s->sh_size) ||
            !inside(m, all[s->sh_link].sh_offset, all[s->sh_link].sh_size) || !all[s->sh_link].sh_size)
            return IMAGE_DAMAGED;
        m->symbols = (const ElfW(Sym) *)(m->bytes + s->sh_offset);
        m->symbol_count = s->sh_size / sizeof *m->symbols;
        m->names = (const char *)m->bytes + all[s->sh_link].sh_offset;
        m->name_bytes = all[s->sh_link].sh_size;
        return m->names[m->name_bytes - 1] ? IMAGE_DAMAGED : IMAGE_GOOD;
    }
    return IMAGE_FOREIGN; /* a GPU's code has another machine; this is a library that is not made for this device */
}

static image_status from_elf(module_image *m)
{
    static const ElfW(Half) machine =
#if defined(__x86_64__)
        EM_X86_64;
#else
        EM_AARCH64;
#endif
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)m->bytes;
    if (m->owned && m->size < sizeof *head)
        return IMAGE_DAMAGED;
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_type != ET_DYN ||
        head->e_machine != machine || head->e_shentsize != sizeof(ElfW(Shdr)))
        return IMAGE_FOREIGN;
    size_t size = head->e_shoff + (size_t)head->e_shnum * sizeof(ElfW(Shdr)); /* the sections' table comes last */
    if (m->owned && size > m->size)
        return IMAGE_DAMAGED;
    m->size = size;
    image_status status = find_symbols(m);
    const ElfW(Sym) *mark = status ? NULL : image_symbol(m, "cpudev_image");
    if (status || !mark || mark->st_shndx != SHN_ABS)
        return status ? status : IMAGE_FOREIGN;
    m->checked = mark->st_value & IMAGE_CHECKED;
    return (mark->st_value & ~(size_t)IMAGE_CHECKED) == IMAGE_FORMAT ? IMAGE_GOOD : IMAGE_DAMAGED;
}

image_status image_open(module_image *m, const void *data)
{
    *m = (module_image){.bytes = (unsigned char *)(uintptr_t)data};
    image_status status = IMAGE_GOOD;
    if (!strncmp(data, IMAGE_TEXT, strlen(IMAGE_TEXT)))
        status = from_text(m, (const char *)data + strlen(IMAGE_TEXT));
    if (!status)
        status = from_elf(m);
    if (status)
        image_close(m);
    return status;
}

void image_close(module_image *m)
{
    free(m->owned);
    *m = (module_image){0};
}

const char *image_name(const module_image *m, const ElfW(Sym) * s)
{
    return s->st_name < m->name_bytes ? m->names + s->st_name : "";
}

const ElfW(Sym) * image_symbol(const module_image *m, const char *name)
{
    for (size_t i = 0; i < m->symbol_count; i++)
        if (m->symbols[i].st_shndx != SHN_UNDEF && !strcmp(image_name(m, &m->symbols[i]), name))
            return &m->symbols[i];
    return NULL;
}

bool image_own_name(const module_image *m, size_t *entry, size_t *name)
{
    size_t count;
    const ElfW(Shdr) *all = sections(m, &count);
    for (size_t i = 0; i < count; i++) {
        const ElfW(Shdr) *s = &all[i], *names = s->sh_link < count ? &all[s->sh_link] : NULL;
        if (s->sh_type != SHT_DYNAMIC || !names || !inside(m, s->sh_offset, s->sh_size) ||
            !inside(m, names->sh_offset, names->sh_size))
            continue;
        const ElfW(Dyn) *dynamic = (const ElfW(Dyn) *)(m->bytes + s->sh_offset);
        for (size_t k = 0; k < s->sh_size / sizeof *dynamic; k++) {
            const size_t at = dynamic[k].d_un.d_val, bytes = sizeof IMAGE_OWN_NAME;
            if (dynamic[k].d_tag != DT_SONAME || at > names->sh_size || names->sh_size - at < bytes ||
                memcmp(m->bytes + names->sh_offset + at, IMAGE_OWN_NAME, bytes) != 0)
                continue;
            *entry = s->sh_offset + k * sizeof *dynamic;
            *name = names->sh_offset + at;
            return true;
        }
    }
    return false;
}

/* Each kernel has a class of its own, cpudev_tag, and the image the name of its type: of k(float *), _Z1kPf, this is
 * _ZTSZ1kPfE10cpudev_tag, and of an extern "C" k _ZTSZ1kE10cpudev_tag. */
bool image_is_kernel(const module_image *m, const char *name)
{
    char *type = NULL;
    bool mangled = !strncmp(name, "_Z", 2);
    int n = mangled ? asprintf(&type, "_ZTSZ%sE10cpudev_tag", name + 2)
                    : asprintf(&type, "_ZTSZ%zu%sE10cpudev_tag", strlen(name), name);
    bool found = n > 0 && image_symbol(m, type);
    if (n > 0)
        free(type);
    return found;
}

static const ElfW(Sym) * symbol_at(const module_image *m, ElfW(Addr) address)
{
    const ElfW(Sym) *found = NULL;
    for (size_t i = 0; i < m->symbol_count; i++) {
        const ElfW(Sym) *s = &m->symbols[i];
        int type = ELF64_ST_TYPE(s->st_info);
        if (s->st_shndx != SHN_UNDEF && s->st_shndx < SHN_LORESERVE && s->st_value == address &&
            (type == STT_FUNC || type == STT_OBJECT) &&
            (!found || ELF64_ST_BIND(found->st_info) == STB_LOCAL)) /* a global name rather than a local one */
            found = s;
    }
    return found;
}

const char *image_points_to(const module_image *m, const char *name)
{
    const ElfW(Sym) *variable = image_symbol(m, name);
    size_t count;
    const ElfW(Shdr) *all = sections(m, &count);
    for (size_t i = 0; variable && i < count; i++) {
        if (all[i].sh_type != SHT_RELA || !inside(m, all[i].sh_offset, all[i].sh_size) || all[i].sh_link >= count)
            continue;
        const ElfW(Rela) *r = (const ElfW(Rela) *)(m->bytes + all[i].sh_offset);
        const ElfW(Shdr) *names = &all[all[i].sh_link];
        for (size_t k = 0; k < all[i].sh_size / sizeof *r; k++) {
            if (r[k].r_offset != variable->st_value)
                continue;
            ElfW(Addr) address = (ElfW(Addr))r[k].r_addend;
            size_t which = ELF64_R_SYM(r[k].r_info);
            if (which) { /* by the dynamic symbol's number, not by an address */
                if (!inside(m, names->sh_offset, (which + 1) * sizeof(ElfW(Sym))))
                    return NULL;
                address += ((const ElfW(Sym) *)(m->bytes + names->sh_offset))[which].st_value;
            }
            const ElfW(Sym) *s = symbol_at(m, address);
            return s ? image_name(m, s) : NULL;
        }
    }
    return NULL;
}
