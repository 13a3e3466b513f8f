/* lab_words.c: what a lab prints, in Chinese. */
#include "lab_internal.h"

#include "words.h"

#include "../../cpudevice/runtime/device/forms.h"

static const form forms[] = {
#define SAY(english, chinese) {english, chinese},
#define JOINED(english, chinese) {english, chinese},
#define OTHERS(english, chinese) {english, chinese},
#include "chinese.inc"
};

void lab_words(const char *file) { words_begin(forms, LAB_COUNT(forms), file); }
