/* pictures.h: the pictures of the notes. Each lecture's file has a table of them; main.c draws all.
 * A new picture is a function and a line in its lecture's table. */
#ifndef PICTURES_H
#define PICTURES_H

#include "kernels.h"
#include "replay.h"
#include "svg.h"

typedef struct Picture {
    const char *name; /* the file is lectureNN_name/pictures/NAME.svg */
    void (*draw)(const char *file);
} Picture;

typedef struct PictureSet {
    const char *lecture;
    const Picture *pictures;
} PictureSet; /* ends with a picture without a name */

extern const Picture lecture01_pictures[], lecture03_pictures[], lecture05_pictures[], lecture11_pictures[],
    lecture14_pictures[];

/* The number in `column` of the first row of results/FILE.csv in which `key` is `value`; ends the program if there is
 * none. */
double csv_number(const char *file, const char *key, const char *value, const char *column);

/* The first load (or store) of warp 0 of a block: boxes for the 32-byte sectors it touches, 16 in a row, the words that
 * are wanted in colour. Claims the number of sectors as `name`. Returns the top of what follows. */
double draw_request(Svg *s, double top, const Replay *r, int array, int store, int block, const char *what,
                    const char *name);

/* What nvcc runs, and the chip's memories, for lecture 3. */
void draw_compilation(const char *file);
void draw_chip(const char *file);

/* Lecture 11's training step: its products, and the lab that makes it fast; and its 4 x 4 patterns. */
void draw_training(const char *file);
void draw_sparse_step(const char *file);
void draw_kinds(const char *file);

/* Lecture 11's sums over several GPUs. */
void draw_gpus(const char *file);
void draw_allreduce(const char *file);

/* Lecture 14's parities, descriptors and multicast. */
void draw_parity(const char *file);
void draw_descriptor(const char *file);
void draw_multicast(const char *file);

/* Lecture 14's ring of slots and its consumers' turns, from recorded clocks. */
void draw_ring(const char *file);
void draw_ping_pong(const char *file);

/* The kernels of a transformer, of lectures 5 and 14. */
void draw_norms(const char *file);
void draw_online_tiles(const char *file);
void draw_look_back(const char *file);
void draw_attention(const char *file);
void draw_attention_turns(const char *file);

/* The two projects, of lectures 5 and 14. */
void draw_portrait(const char *file);
void draw_block(const char *file);

/* The calls of lecture 14's training step of a block, with their recorded times. */
void draw_block_calls(const char *file);

enum { MOST_POINTS = 32 };
typedef struct Line {
    const char *name;
    double at[MOST_POINTS], value[MOST_POINTS];
    int n;
} Line;

/* Lines over a frame in a picture of at least 334 + 22 (lines + 1) / 2 units; x_of and y_of give 0 to 1. Names stand
 * below. */
void draw_lines(Svg *s, const Line *line, int lines, double (*x_of)(double), double (*y_of)(double));

#endif
