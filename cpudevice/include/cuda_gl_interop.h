/* cuda_gl_interop.h: buffers and textures of OpenGL as device memory and arrays, while they are mapped.
 *
 * The CPU device copies: cudaGraphicsMapResources reads what OpenGL has, cudaGraphicsUnmapResources writes it back, both
 * with the context of the calling thread. Without one the calls return cudaErrorInvalidGraphicsContext. */
#ifndef __CUDA_GL_INTEROP_H__
#define __CUDA_GL_INTEROP_H__

#include <GL/gl.h>

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame = 2, cudaGLDeviceListNextFrame = 3 };

cudaError_t cudaGLGetDevices(unsigned int *found, int *devices, unsigned int most, enum cudaGLDeviceList which);
/* Deprecated since CUDA 5: nothing has to be said beforehand any more. */
static inline cudaError_t cudaGLSetGLDevice(int device) { return cudaSetDevice(device); }
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *resource, GLuint buffer, unsigned int flags);
/* Of textures: GL_TEXTURE_2D of the formats with 8, 16 or 32 bits a channel and one, two or four channels. */
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *resource, GLuint image, GLenum target,
                                        unsigned int flags);

#ifdef __cplusplus
}
#endif
#endif
