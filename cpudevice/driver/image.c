/* image.c: cucc -cubin, -fatbin and -ptx: what cuModuleLoad takes (runtime/driver_api/module_image.h). There is no GPU code on the
 * CPU device: each is a shared library of the input's kernels, and PTX, which programs take for text, that library in
 * base64. It takes the runtime from the program that loads it. */
#include "driver.h"
#include "../runtime/driver_api/module_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int link_image(Driver *d, const char *object, const char *file)
{
    const Options *o = &d->options;
    Words c = {0};
    add_words(&c, &d->cxx);
    add(&c, object);
    add_split(&c, "-o", " ");
    add(&c, file);
    if (o->debug)
        add(&c, o->debug);
    /* its own variables and functions are the ones that it uses, whatever else the program has of these names */
    add_split(&c, "-shared -Wl,-Bsymbolic", " ");
    add_format(&c, "-Wl,--defsym=cpudev_image=%d", IMAGE_FORMAT + (o->check ? IMAGE_CHECKED : 0));
    add(&c, "-Wl,-soname," IMAGE_OWN_NAME);
    add_words(&c, &o->lflags);
    return run(d, &c, NULL);
}

static int write_text(const char *library, const char *file)
{
    size_t n = 0;
    const char *bytes = read_file(library, &n);
    FILE *f = bytes ? fopen(file, "w") : NULL;
    if (!f)
        die("cannot write %s", file);
    /* cppcheck-suppress nullPointer ; die() does not return */
    fputs(must(image_text(bytes, n)), f);
    /* cppcheck-suppress nullPointer ; die() does not return */
    return fclose(f) != 0;
}

/* FILE without its folders, with the kind for its ending. */
static char *file_name(const Options *o, const char *file)
{
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file, *dot = strrchr(name, '.');
    return format("%s%s%.*s.%s", strcmp(o->directory, ".") ? o->directory : "", strcmp(o->directory, ".") ? "/" : "",
                  dot ? (int)(dot - name) : (int)strlen(name), name, o->image);
}

int make_images(Driver *d, const Language *languages)
{
    Options *o = &d->options;
    const char *object = format("%s/image.o", d->tmp), *library = format("%s/image.so", d->tmp);
    if (o->output && o->inputs.n > 1)
        die("-o with -%s takes one input file", o->image);
    if (!d->clang) /* templates' variables would be one for all modules of the process */
        add(&o->cflags, "-fno-gnu-unique");
    for (int i = 0; i < o->inputs.n; i++) {
        const char *file = o->output ? o->output : file_name(o, o->inputs.word[i]);
        bool text = !strcmp(o->image, "ptx");
        if (compile(d, o->inputs.word[i], languages[i], object) || link_image(d, object, text ? library : file) ||
            (text && !o->dry_run && write_text(library, file)))
            return 1;
    }
    return 0;
}
