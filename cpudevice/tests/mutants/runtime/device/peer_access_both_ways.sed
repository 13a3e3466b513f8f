# file: cpudevice/runtime/device/peers.c
# test: cpudevice/tests/runtime/devices.sh devices
s/    RETURN(set_peer_access(current_device(), peer, true)/    set_peer_access(peer, current_device(), true);\n&/
