/* cudnn.h: cuDNN on the CPU device: the functions on tensors, filters and descriptors that cuDNN 9 has kept from
 * before its graphs. Our own loops compute, in double, so that results differ from a GPU's by rounding. Link with
 * -lcudnn. C-clean.
 *
 * Tensors of float, double, half and bfloat16, of up to CUDNN_DIM_MAX dimensions, with any strides; alpha and beta
 * lie on the host, in double for tensors of double and else in float, and a result is alpha result + beta (what was
 * there), where a beta of 0 reads nothing. A call is work on the handle's stream, as a kernel of that name. Data lie
 * on the device.
 *
 * Errors: CUDNN_STATUS_BAD_PARAM for NULL, sizes that do not fit together and values that are none;
 * CUDNN_STATUS_NOT_SUPPORTED, with a line on stderr that says what, for what cuDNN may have and this has not:
 * integers and 8-bit floats, vectorised layouts. Not declared: graphs (cudnnBackend...), recurrent networks,
 * attention, CTC loss, LRN, spatial transformers, cudnnTransformTensorEx(), the functions that end in Ex of batch
 * normalization.
 *
 * A GPU's cuDNN refuses more than is refused here: many tensors with gaps or of another layout than their neighbours
 * (45 of the 120 forward convolutions in cpudevice/tests/libraries/cudnn_convolution.cu, cuDNN 9.19 on an H200), and calls without
 * the workspace that it asks for. Programs for a GPU ask for sizes, and look at each status, as everywhere.
 *
 * Source of the interface: https://docs.nvidia.com/deeplearning/cudnn/backend/latest/api/overview.html */
#ifndef CUDNN_H_
#define CUDNN_H_

#include "cudnn_version.h"
#include "cudnn_ops.h"
#include "cudnn_cnn.h"

#endif
