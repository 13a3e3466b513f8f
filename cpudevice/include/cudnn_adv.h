/* cudnn_adv.h: named here only to say that it is not there. */
#error "the CPU device has of cuDNN what cudnn.h declares: no recurrent networks, no attention, no CTC loss"
