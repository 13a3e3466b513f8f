/* lapack.c: LAPACK's routines of one type, loaded when they are first needed. */
#define _GNU_SOURCE
#include <ctype.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "solver/lapack.h"
#include "library.h"

static cpu_library *lapack_library(void)
{
    static const char *const files[] = {"libopenblas.so.0", "liblapack.so.3", "libopenblas.so", "liblapack.so", NULL};
    static cpu_library library = {.for_whom = "cuSOLVER", .files = files, .package = "libopenblas0"};
    return &library;
}

static bool load_all(lapack *l)
{
    const bool complex = l->letter == 'C' || l->letter == 'Z';
    const struct {
        const char *real, *complex;
        void *place;
    } wanted[] = {{"potrf", "potrf", &l->potrf}, {"potrs", "potrs", &l->potrs}, {"potri", "potri", &l->potri},
                  {"getrf", "getrf", &l->getrf}, {"getrs", "getrs", &l->getrs}, {"geqrf", "geqrf", &l->geqrf},
                  {"orgqr", "ungqr", &l->orgqr}, {"ormqr", "unmqr", &l->ormqr}, {"gesvd", "gesvd", &l->gesvd},
                  {"syevd", "heevd", &l->syevd}, {"sygvd", "hegvd", &l->sygvd}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char symbol[16];
        snprintf(symbol, sizeof symbol, "%c%s_", tolower(l->letter), complex ? wanted[i].complex : wanted[i].real);
        void *function = library_function(lapack_library(), symbol);
        if (!function)
            return false;
        memcpy(wanted[i].place, &function, sizeof function);
    }
    return true;
}

const lapack *lapack_of(char letter)
{
    static lapack all[] = {{.letter = 'S', .size = 4, .real_size = 4},
                           {.letter = 'D', .size = 8, .real_size = 8},
                           {.letter = 'C', .size = 8, .real_size = 4},
                           {.letter = 'Z', .size = 16, .real_size = 8}};
    static bool ready[4];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const size_t i = (size_t)(strchr("SDCZ", letter) - "SDCZ");
    pthread_mutex_lock(&lock);
    if (!ready[i])
        ready[i] = load_all(&all[i]);
    const bool good = ready[i];
    pthread_mutex_unlock(&lock);
    return good ? &all[i] : NULL;
}
