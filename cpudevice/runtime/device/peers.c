/* peers.c: access of one device to another's memory, as a program asks for it. Every two devices may have it. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "device/call.h"
#include "cuda_runtime_api.h"
#include "device/devices.h"
#include "device/process.h"

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    API;
    RESULT_AT(can);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!can)
        RETURN(cudaErrorInvalidValue);
    *can = 0;
    if (!device_exists(device) || !device_exists(peer))
        RETURN(cudaErrorInvalidDevice);
    *can = device != peer;
    RETURN(cudaSuccess);
}

/* A peer is another device than the current one. */
static cudaError_t peer_ok(int peer)
{
    cudaError_t e = device_ready();
    if (e)
        return e;
    return device_exists(peer) && peer != current_device() ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    API;
    cudaError_t e = peer_ok(peer);
    if (e)
        RETURN(e);
    if (flags)
        RETURN(cudaErrorInvalidValue);
    RETURN(set_peer_access(current_device(), peer, true) ? cudaErrorPeerAccessAlreadyEnabled : cudaSuccess);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    API;
    cudaError_t e = peer_ok(peer);
    if (e)
        RETURN(e);
    RETURN(set_peer_access(current_device(), peer, false) ? cudaSuccess : cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src, int dst)
{
    API;
    RESULT_AT(value);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!device_exists(src) || !device_exists(dst) || src == dst)
        RETURN(cudaErrorInvalidDevice);
    if (!value)
        RETURN(cudaErrorInvalidValue);
    *value = attr != cudaDevP2PAttrPerformanceRank; /* the best rank is 0 */
    RETURN(cudaSuccess);
}
