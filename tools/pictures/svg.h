/* svg.h: a small drawing library for the pictures of the notes.
 *
 * Every picture is SVG_WIDTH units wide, so that a telephone of 390 pixels shows its text (13 units and more) at 11
 * pixels or more. Colours are named by what they mean, and the file holds them for white and for dark pages. Two texts
 * that touch, and a text that leaves the picture, end the program with status 2: a picture that cannot be read is not
 * written. Where COURSE_LANG, else LANG, begins with zh, its words are put into Chinese by a catalogue (chinese.inc), and
 * `a.svg` is written as `a.zh.svg`.
 */
#ifndef SVG_H
#define SVG_H

#ifdef __cplusplus
extern "C" {
#endif

enum { SVG_WIDTH = 400, SVG_TEXT = 13 };

/* Fills of boxes. Text is readable on each of them, on white pages and on dark ones. */
typedef enum SvgColour {
    SVG_NONE, /* outline only */
    SVG_PLAIN,
    SVG_BLUE,
    SVG_ORANGE,
    SVG_GREEN,
    SVG_PINK,
    SVG_VIOLET,
    SVG_YELLOW,
    SVG_RED, /* what goes wrong */
    SVG_COLOURS
} SvgColour;

typedef enum SvgAnchor { SVG_LEFT, SVG_MIDDLE, SVG_RIGHT } SvgAnchor;
typedef struct Svg Svg;

/* A picture of SVG_WIDTH x height units, written to `file` by svg_close. `title` says in one sentence what it shows. */
Svg *svg_open(const char *file, double height, const char *title);
void svg_box(Svg *s, double x, double y, double width, double height, SvgColour colour);
void svg_line(Svg *s, double x1, double y1, double x2, double y2);
void svg_dashed(Svg *s, double x1, double y1, double x2, double y2);
void svg_arrow(Svg *s, double x1, double y1, double x2, double y2);
/* One line of text, its baseline at y. svg_text is SVG_TEXT units high, svg_head larger and bold, svg_code monospaced.
 */
void svg_text(Svg *s, double x, double y, SvgAnchor anchor, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void svg_head(Svg *s, double x, double y, SvgAnchor anchor, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void svg_code(Svg *s, double x, double y, SvgAnchor anchor, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* A box with one line of text in its middle. */
void svg_cell(Svg *s, double x, double y, double width, double height, SvgColour colour, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
/* A figure that the picture claims: it goes into the file's <metadata>, where the tests read it. */
void svg_claim(Svg *s, const char *name, double value);
/* Writes the file if it is not the same already. Returns 1 if it was written anew. */
int svg_close(Svg *s);

#ifdef __cplusplus
}
#endif
#endif
