/* main.c: loads another libcudart, then the library that is tested: main OTHER LIBRARY. */
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    if (argc < 3 || !dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL))
        return puts("the other library does not load"), 1;
    void *lib = dlopen(argv[2], RTLD_NOW);
    if (!lib)
        return puts(dlerror()), 1;
    static int x[1000];
    int (*sum)(int *, int) = (int (*)(int *, int))dlsym(lib, "sum");
    double (*complex_error)(void) = (double (*)(void))dlsym(lib, "complex_error");
    printf("sum %d, complex %s\n", sum(x, 1000), complex_error() < 1e-12 ? "right" : "wrong");
    return 0;
}
