/* GL/gl.h: the few names of OpenGL that cuda_gl_interop.h asks for, for machines without OpenGL's header. */
typedef unsigned int GLuint;
typedef unsigned int GLenum;
#define GL_TEXTURE_2D 0x0DE1
#define GL_TEXTURE_3D 0x806F
