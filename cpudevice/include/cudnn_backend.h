/* cudnn_backend.h: named here only to say that it is not there. */
#error "the CPU device has of cuDNN what cudnn.h declares: no graphs (cudnnBackend...)"
