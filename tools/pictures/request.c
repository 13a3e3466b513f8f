/* request.c: one request of a warp, as the sectors of memory that it touches. */
#include "pictures.h"

double draw_request(Svg *s, double top, const Replay *r, int array, int store, int block, const char *what,
                    const char *name)
{
    int sectors = replay_sectors(r, array, store, block, 0, 0), bytes = 0;
    ptrdiff_t seen[64] = {0};
    int n = 0;
    svg_text(s, 8, top + 14, SVG_LEFT, "%s", what);
    for (int lane = 0; lane < 32; lane++) {
        const Access *a = replay_find(r, array, store, block, lane, 0);
        bytes += a ? a->bytes : 0;
        for (ptrdiff_t at = a ? a->offset / 32 : 1; a && at <= (a->offset + a->bytes - 1) / 32; at++) {
            int k = 0;
            while (k < n && seen[k] != at)
                k++;
            if (k == n)
                seen[n++] = at;
        }
    }
    enum { IN_A_ROW = 16 };
    const double W = 376.0 / IN_A_ROW;
    for (int k = 0; k < n; k++) {
        const double left = 12 + k % IN_A_ROW * W, y = top + 22 + k / IN_A_ROW * 32;
        svg_box(s, left, y, W - 2, 26, SVG_PLAIN);
        for (int word = 0; word < 8; word++) /* the words of the sector that some lane wants */
            for (int lane = 0; lane < 32; lane++) {
                const Access *a = replay_find(r, array, store, block, lane, 0);
                ptrdiff_t at = seen[k] * 32 + word * 4;
                if (a && at >= a->offset && at < a->offset + a->bytes) {
                    svg_box(s, left + word * (W - 2) / 8, y, (W - 2) / 8, 26, SVG_BLUE);
                    break;
                }
            }
    }
    top += (n - 1) / IN_A_ROW * 32;
    svg_text(s, 8, top + 66, SVG_LEFT, "%d sectors: %d bytes fetched, %d wanted", sectors, 32 * sectors, bytes);
    svg_claim(s, name, sectors);
    return top + 82;
}
