/* host_config.h: nothing of its own on the CPU device. */
