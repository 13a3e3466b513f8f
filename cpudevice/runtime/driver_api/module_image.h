/* module_image.h: what cuModuleLoad takes: a file that `cucc -cubin`, `-fatbin` or `-ptx` made, or NVRTC.
 *
 * It is a shared library for this machine, whose symbol `cpudev_image` is the format's number; as PTX, which programs
 * take for text, it is that library in base64 behind IMAGE_TEXT. */
#ifndef MODULE_IMAGE_H
#define MODULE_IMAGE_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define IMAGE_TEXT "// CPU device image in base64, made by cucc; there is no PTX in it.\n"
/* The value of cpudev_image; IMAGE_CHECKED is added to that of one built with --check. */
enum { IMAGE_FORMAT = 0xc0c2, IMAGE_CHECKED = 0x10000 };

/* The name that the library has for the loader, with room for another library's: module.c. */
#define IMAGE_OWN_NAME "cpudev_module_in_place_of_a_path"

typedef enum {
    IMAGE_GOOD,
    IMAGE_FOREIGN, /* not made by cucc: GPU code, say */
    IMAGE_DAMAGED, /* made by cucc, for another machine or version, or not whole */
    IMAGE_NO_MEMORY
} image_status;

typedef struct module_image {
    unsigned char *bytes; /* the shared library */
    size_t size;
    void *owned; /* what is to be freed; NULL if the bytes are the caller's */
    const ElfW(Sym) * symbols;
    size_t symbol_count;
    const char *names;
    size_t name_bytes;
    bool checked;
} module_image;

/* The library's bytes as such text, to be freed; NULL if there is no memory. */
static inline __attribute__((unused)) char *image_text(const void *library, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = (const unsigned char *)library;
    char *text = (char *)malloc(sizeof IMAGE_TEXT + (n + 2) / 3 * 4 + n / 57 + 2), *p = text;
    if (!text)
        return NULL;
    p += sprintf(p, "%s", IMAGE_TEXT);
    for (size_t i = 0; i < n; i += 3) {
        unsigned three = (unsigned)b[i] << 16 | (i + 1 < n ? (unsigned)b[i + 1] << 8 : 0) | (i + 2 < n ? b[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            *p++ = i + k > n ? '=' : digits[three >> (18 - 6 * k) & 63];
        if (i % 57 == 54)
            *p++ = '\n';
    }
    *p++ = '\n';
    *p = 0;
    return text;
}

image_status image_open(module_image *m, const void *data);
void image_close(module_image *m);

/* The symbol that is defined under this name, or NULL. */
const ElfW(Sym) * image_symbol(const module_image *m, const char *name);
const char *image_name(const module_image *m, const ElfW(Sym) * s);

/* Where in the library its dynamic entry for IMAGE_OWN_NAME (DT_SONAME) is, and that name; false: an older cucc's has none. */
bool image_own_name(const module_image *m, size_t *entry, size_t *name);

/* Is the name, as the linker knows it, that of a kernel? */
bool image_is_kernel(const module_image *m, const char *name);

/* The linker's name for what the pointer variable `name` is initialised with: NULL if it is no symbol's address. */
const char *image_points_to(const module_image *m, const char *name);

#endif
