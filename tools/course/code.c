#include "code.h"

#include <stdlib.h>
#include <string.h>

/* Where a comment, a string, or a blank that begins at `p` ends; `p` if there is none. */
static const char *end_of_piece(const char *p)
{
    const char *end = p;
    if (p[0] == '/' && p[1] == '/') {
        end = strchr(p, '\n');
    } else if (p[0] == '/' && p[1] == '*') {
        end = strstr(p + 2, "*/");
        end = end ? end + 2 : NULL;
    } else if (*p == '"' || *p == '\'') {
        for (end = p + 1; *end && *end != *p && *end != '\n'; end++)
            end += *end == '\\' && end[1];
        end += *end == *p;
    } else {
        end += strspn(p, " \t\r\n");
    }
    return end ? end : p + strlen(p);
}

uint64_t hash_code(uint64_t hash, const char *path, int lines)
{
    char *content = file_read(path, NULL);
    const char *blank = "";
    int begun = 0;
    for (const char *p = content, *end; p && *p; p = end) {
        end = end_of_piece(p);
        if (end > p && *p != '"' && *p != '\'') {
            const int ends_line = lines && (*blank == '\n' || memchr(p, '\n', (size_t)(end - p)));
            blank = !begun ? "" : ends_line ? "\n" : " ";
            continue;
        }
        end += end == p;
        hash = hash_bytes(hash_bytes(hash, blank, strlen(blank)), p, (size_t)(end - p));
        begun = 1, blank = "";
    }
    free(content);
    return hash;
}
