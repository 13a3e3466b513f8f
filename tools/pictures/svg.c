/* svg.c: see svg.h. The picture is collected in memory; texts are kept with their boxes, and compared when it is
 * closed. */
#include "svg.h"
#include "../../cpudevice/include/cpudev_written.h"
#include "../../cpudevice/runtime/device/forms.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 1024, MOST_LINES = 2048 };

typedef struct Text {
    double left, top, right, bottom;
    char words[96];
} Text;

struct Svg {
    char file[512], title[256], *body, *claims;
    size_t size, claims_size;
    FILE *out, *claimed;
    double height;
    Text text[MOST_TEXTS];
    double line[MOST_LINES][4];
    int texts, lines;
};

static void stop(const Svg *s, const char *what, const char *a, const char *b)
{
    fprintf(stderr, "pictures: %s: %s: '%s' '%s'\n", s->file, what, a, b);
    exit(2);
}

static const form forms[] = {
#define SAY(english, chinese) {english, chinese},
#include "chinese.inc"
};

/* The words in Chinese, where that is asked for and the catalogue has them. */
static const char *said(const char *words, char *out, size_t bytes)
{
    return form_is_chinese() ? form_text(forms, sizeof forms / sizeof *forms, words, out, bytes) : words;
}

static const char *const classes[SVG_COLOURS] = {"n", "p", "b", "o", "g", "k", "v", "y", "r"};

static const char style[] =
    "<style>\n"
    "text{font-family:Verdana,'DejaVu Sans',Arial,sans-serif;font-size:13px;fill:#1b1f24}\n"
    ".h{font-size:14px;font-weight:bold}.c{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace}\n"
    ".w{fill:#fff}rect{stroke:#57606a;stroke-width:1}.w,.e{stroke:none}.t{stroke-width:.4}\n"
    ".l{stroke:#57606a;stroke-width:1.5;fill:none}.d{stroke-dasharray:4 3}.a{fill:#57606a}\n"
    ".n{fill:none}.p{fill:#eef1f4}.b{fill:#bcd9ff}.o{fill:#ffd8a8}.g{fill:#b9e8c0}.k{fill:#fbc9e2}.v{fill:#dccdf9}\n"
    ".y{fill:#fbeb9b}.r{fill:#ffb8b0}\n"
    "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.w{fill:#0d1117}rect{stroke:#8b949e}.w,.e{stroke:none}\n"
    ".l{stroke:#8b949e}.a{fill:#8b949e}.p{fill:#21262d}.b{fill:#1c4a86}.o{fill:#7a4a0c}.g{fill:#1d5c32}.k{fill:#74264f}"
    "\n"
    ".v{fill:#4a3486}.y{fill:#645407}.r{fill:#8c2a22}}\n"
    "</style>\n";
static const char chinese_style[] =
    "<style>text{font-family:Verdana,'DejaVu Sans','Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif}\n"
    ".c{font-family:'DejaVu Sans Mono',Menlo,Consolas,'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',monospace}"
    "</style>\n";

Svg *svg_open(const char *file, double height, const char *title)
{
    Svg *s = (Svg *)calloc(1, sizeof *s);
    if (!s || !(s->out = open_memstream(&s->body, &s->size)) ||
        !(s->claimed = open_memstream(&s->claims, &s->claims_size))) {
        fputs("pictures: no memory\n", stderr);
        exit(2);
    }
    if (form_is_chinese()) /* a.svg: a.zh.svg */
        snprintf(s->file, sizeof s->file, "%.*s.zh.svg", (int)(strlen(file) - strlen(".svg")), file);
    else
        snprintf(s->file, sizeof s->file, "%s", file);
    char in_chinese[sizeof s->title];
    snprintf(s->title, sizeof s->title, "%s", said(title, in_chinese, sizeof in_chinese));
    s->height = height;
    return s;
}

void svg_box(Svg *s, double x, double y, double width, double height, SvgColour colour)
{
    /* the edges of very small boxes would hide what is in them */
    const char *edge = width < 5 || height < 5 ? " e" : width < 14 || height < 14 ? " t" : "";
    fprintf(s->out, "<rect class=\"%s%s\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>\n", classes[colour], edge, x,
            y, width, height);
}

static void keep_line(Svg *s, double x1, double y1, double x2, double y2)
{
    if (s->lines == MOST_LINES)
        stop(s, "too many lines", "", "");
    double *l = s->line[s->lines++];
    l[0] = x1, l[1] = y1, l[2] = x2, l[3] = y2;
}

/* No line runs through a text: a hundred points of each are looked at. */
static void check_lines(const Svg *s)
{
    for (int i = 0; i < s->lines; i++)
        for (int k = 0; k < s->texts * 101; k++) {
            const double *l = s->line[i], at = k % 101 / 100.0;
            const Text *t = &s->text[k / 101];
            double x = l[0] + at * (l[2] - l[0]), y = l[1] + at * (l[3] - l[1]);
            if (x > t->left + 1 && x < t->right - 1 && y > t->top + 1 && y < t->bottom - 1)
                stop(s, "a line runs through a text", t->words, "");
        }
}

void svg_line(Svg *s, double x1, double y1, double x2, double y2)
{
    keep_line(s, x1, y1, x2, y2);
    fprintf(s->out, "<path class=\"l\" d=\"M%g %gL%g %g\"/>\n", x1, y1, x2, y2);
}

void svg_dashed(Svg *s, double x1, double y1, double x2, double y2)
{
    keep_line(s, x1, y1, x2, y2);
    fprintf(s->out, "<path class=\"l d\" d=\"M%g %gL%g %g\"/>\n", x1, y1, x2, y2);
}

void svg_arrow(Svg *s, double x1, double y1, double x2, double y2)
{
    keep_line(s, x1, y1, x2, y2);
    fprintf(s->out, "<path class=\"l\" d=\"M%g %gL%g %g\" marker-end=\"url(#arrow)\"/>\n", x1, y1, x2, y2);
}

/* The width of a UTF-8 string: a Chinese character, which begins with a byte of e3 to e9 or is a full-width sign (ef),
 * is as wide as the text is high. */
static double width_of(const char *t, double size, double per_character)
{
    double width = 0;
    for (; *t; t++) {
        const unsigned char c = (unsigned char)*t;
        if ((c & 0xc0) != 0x80)
            width += (c >= 0xe3 && c <= 0xe9) || c == 0xef ? size : per_character * size;
    }
    return width;
}

/* As text of an XML file. */
static void escaped(FILE *to, const char *words)
{
    for (; *words; words++)
        if (*words == '<')
            fputs("&lt;", to);
        else if (*words == '>')
            fputs("&gt;", to);
        else if (*words == '&')
            fputs("&amp;", to);
        else
            fputc(*words, to);
}

/* A generous width: what the widest of the fonts named above takes on the average of small letters and digits. */
static void place(Svg *s, double x, double y, SvgAnchor anchor, const char *class, double size, double per_character,
                  const char *words)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    char in_chinese[256];
    words = said(words, in_chinese, sizeof in_chinese);
    const double width = width_of(words, size, per_character);
    Text t = {.left = anchor == SVG_LEFT ? x : anchor == SVG_MIDDLE ? x - width / 2 : x - width};
    t.right = t.left + width, t.top = y - 0.76 * size, t.bottom = y + 0.2 * size;
    snprintf(t.words, sizeof t.words, "%s", words);
    if (t.left < 0 || t.right > SVG_WIDTH || t.top < 0 || t.bottom > s->height)
        stop(s, "a text leaves the picture", words, "");
    for (int i = 0; i < s->texts; i++) {
        const Text *o = &s->text[i];
        if (t.left < o->right && o->left < t.right && t.top < o->bottom && o->top < t.bottom)
            stop(s, "two texts touch", words, o->words);
    }
    if (s->texts == MOST_TEXTS)
        stop(s, "too many texts", words, "");
    s->text[s->texts++] = t;
    fprintf(s->out, "<text%s x=\"%g\" y=\"%g\" text-anchor=\"%s\">", class, x, y, anchors[anchor]);
    escaped(s->out, words);
    fputs("</text>\n", s->out);
}

#define FORMATTED(words, format)                                                                                       \
    char words[256];                                                                                                   \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    vsnprintf(words, sizeof words, format, list);                                                                      \
    va_end(list)

void svg_text(Svg *s, double x, double y, SvgAnchor anchor, const char *format, ...)
{
    FORMATTED(words, format);
    place(s, x, y, anchor, "", SVG_TEXT, 0.58, words);
}

void svg_head(Svg *s, double x, double y, SvgAnchor anchor, const char *format, ...)
{
    FORMATTED(words, format);
    place(s, x, y, anchor, " class=\"h\"", 14, 0.66, words);
}

void svg_code(Svg *s, double x, double y, SvgAnchor anchor, const char *format, ...)
{
    FORMATTED(words, format);
    place(s, x, y, anchor, " class=\"c\"", SVG_TEXT, 0.61, words);
}

void svg_cell(Svg *s, double x, double y, double width, double height, SvgColour colour, const char *format, ...)
{
    FORMATTED(words, format);
    svg_box(s, x, y, width, height, colour);
    if (*words)
        place(s, x + width / 2, y + height / 2 + 4.7, SVG_MIDDLE, "", SVG_TEXT, 0.58, words);
}

void svg_claim(Svg *s, const char *name, double value) { fprintf(s->claimed, "%s=%.10g\n", name, value); }

int svg_close(Svg *s)
{
    check_lines(s);
    fclose(s->out);
    fclose(s->claimed);
    char *all = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&all, &size);
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%g\" viewBox=\"0 0 %d %g\" role=\"img\">\n"
            "<title>",
            SVG_WIDTH * 14 / 10, s->height * 1.4, SVG_WIDTH, s->height);
    escaped(f, s->title);
    fprintf(f,
            "</title>\n<metadata>\n%s</metadata>\n%s%s"
            "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" "
            "orient=\"auto-start-reverse\"><path class=\"a\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
            "<rect class=\"w\" width=\"%d\" height=\"%g\"/>\n%s</svg>\n",
            s->claims ? s->claims : "", style, form_is_chinese() ? chinese_style : "", SVG_WIDTH, s->height, s->body);
    fclose(f);
    char *old = (char *)calloc(1, size + 2);
    size_t got = 0;
    FILE *was = fopen(s->file, "r");
    if (was) {
        got = fread(old, 1, size + 1, was);
        fclose(was);
    }
    int changed = got != size || memcmp(old, all, size) != 0;
    if (changed) {
        FILE *now = fopen(s->file, "w");
        if (now)
            fwrite(all, 1, size, now);
        if (!now || written_close(now))
            stop(s, "cannot be written: ", strerror(errno), "");
    }
    free(old), free(all), free(s->body), free(s->claims), free(s);
    return changed;
}
