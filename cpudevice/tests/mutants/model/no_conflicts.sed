# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh 'bank conflicts'
s/block.t.shared_passes += (double)i->counted.wavefronts;/block.t.shared_passes += (double)(i->counted.wavefronts - i->counted.conflicts);/
