/* main.c: draws every picture of the notes. usage: pictures FOLDER   (FOLDER/lectureNN_name/pictures/NAME.svg) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pictures.h"

static const PictureSet sets[] = {
    {"lecture01_profiling", lecture01_pictures},     {"lecture03_cuda_basics", lecture03_pictures},
    {"lecture05_shared_memory", lecture05_pictures}, {"lecture11_sparsity", lecture11_pictures},
    {"lecture14_tiling", lecture14_pictures},
};

double csv_number(const char *file, const char *key, const char *value, const char *column)
{
    char path[256], line[1024];
    int key_at = -1, column_at = -1, header = 0;
    snprintf(path, sizeof path, "results/%s.csv", file);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        line[strcspn(line, "\r\n")] = 0;
        const char *cell[64];
        int n = 0;
        for (char *at = line; at && n < 64;) {
            cell[n++] = at;
            at = strchr(at, ',');
            if (at)
                *at++ = 0;
        }
        for (int i = 0; !header && i < n; i++) {
            key_at = strcmp(cell[i], key) == 0 ? i : key_at;
            column_at = strcmp(cell[i], column) == 0 ? i : column_at;
        }
        if (header++ && key_at >= 0 && column_at >= 0 && key_at < n && column_at < n &&
            strcmp(cell[key_at], value) == 0) {
            double v = atof(cell[column_at]);
            fclose(f);
            return v;
        }
    }
    fprintf(stderr, "pictures: %s has no row with %s = %s and a column %s\n", path, key, value, column);
    exit(2);
}

int main(int argc, char **argv)
{
    int count = 0;
    if (argc != 2) {
        fputs("usage: pictures FOLDER\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        char folder[256], file[512];
        snprintf(folder, sizeof folder, "%s/%s", argv[1], sets[i].lecture);
        mkdir(folder, 0777);
        snprintf(folder, sizeof folder, "%s/%s/pictures", argv[1], sets[i].lecture);
        mkdir(folder, 0777);
        for (const Picture *p = sets[i].pictures; p->name; p++, count++) {
            snprintf(file, sizeof file, "%s/%s.svg", folder, p->name);
            p->draw(file);
        }
    }
    printf("%d pictures\n", count);
    return 0;
}
