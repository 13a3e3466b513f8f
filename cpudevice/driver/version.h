/* version.h: the version of the course and of its CPU device, in this one place (CHANGELOG.md says what is in it). */
#ifndef CUCC_VERSION
#define CUCC_VERSION "0.9.0"
#endif
