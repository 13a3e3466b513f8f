# device.mk: the CPU device builds itself; cucc knows how. The course's Makefile and cpudevice/Makefile read it; the working
# folder is the one above cpudevice/. They set DEVICE, CUCC, SAY and Q. An object is made by the compiler with
# cpudevice/include (CUREADY), a program is linked with the runtime (CULIB).
# None of make's own implicit rules is meant here. To look for one for each file took three quarters of the time of a make that
# has nothing to do.
.SUFFIXES:
%: %,v
%: RCS/%,v
%: RCS/%
%: s.%
%: SCCS/s.%

ifneq ($(DEVICE),cuda)
CUREADY := build/cpu/compiler_ready
CULIB   := build/cpu/libcudacpu.a
endif
device_files = $(shell find $(addprefix cpudevice/,$(1)) ! -type d)
build/cpu/compiler_ready: $(CUCC) $(call device_files,driver compiler include)
	@mkdir -p $(@D)
	$(Q)$(CUCC) --build && touch $@
build/cpu/libcudacpu.a: $(CUCC) $(call device_files,driver compiler runtime checker viewer model libraries include)
	@mkdir -p $(@D)
	$(SAY) build '$(if $(CHINESE),CPU 设备,the CPU device)'
	$(Q)$(CUCC) --build && touch $@
