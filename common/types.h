/* types.h: element types of the labs' buffers and their conversion to and from double, on the host.
 * bf16 is the upper half of a float; rounding is to nearest, ties to even. C-clean. */
#ifndef TYPES_H
#define TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { LAB_F32, LAB_BF16, LAB_F16, LAB_F64, LAB_S8, LAB_U8, LAB_S32, LAB_TYPE_COUNT } LabType;

const char *lab_type_name(LabType t); /* "fp32", "bf16" ... */
size_t lab_type_bytes(LabType t);

/* Element i of a host array of type t, as double, and the reverse (integers round to nearest and saturate). */
double lab_get(const void *array, LabType t, size_t i);
void lab_set(void *array, LabType t, size_t i, double value);

uint16_t bf16_from_float(float f);
float bf16_to_float(uint16_t b);
uint16_t f16_from_float(float f);
float f16_to_float(uint16_t h);

#ifdef __cplusplus
}
#endif
#endif
