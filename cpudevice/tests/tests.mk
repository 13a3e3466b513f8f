# tests.mk: how the CPU device's own tests are built. The course's Makefile and cpudevice/Makefile read it; the working folder
# is the one above cpudevice/. They set B (where to build), C, CU and CULINK (compilers), CUNAME, LIBS, CHECK_CFLAGS,
# CHECK_LIBS, SAY and Q; for nvcc also NVCC and GENCODE; and read device.mk before.

# Each source in these rooms is a test program with the Check library; what such a program includes or starts is in a
# folder below. With a GPU those that are for the CPU device only are left out.
DEVICE_SOURCES := $(wildcard $(foreach r,checker compiler conformance ptx random runtime,cpudevice/tests/$(r)/*.c cpudevice/tests/$(r)/*.cu))
ifeq ($(DEVICE),cuda)
DEVICE_SOURCES := $(shell grep -L 'for the CPU device only' $(DEVICE_SOURCES))
endif
DEVICE_TESTS   := $(patsubst %,$(B)/%,$(basename $(DEVICE_SOURCES)))

# The scripts in the rooms of a folder are tests too, but for those that say that they are not.
scripts_in = $(shell grep -L 'make check does not run this' $(1)/*/*.sh)

# A folder of tests, and what its programs are linked with besides.
define test_rules
$(B)/$(1)/%.c.o: $(1)/%.c
	@mkdir -p $$(@D)
	$(SAY) cc $$<
	$(Q)$(C) $$(CHECK_CFLAGS) -c $$< -o $$@
$(B)/$(1)/%: $(1)/%.c $(B)/$(1)/%.c.o $(2) $(CULIB)
	$(Q)$(CULINK) $(B)/$(1)/$$*.c.o $(2) -o $$@ $$(CHECK_LIBS) $(LIBS)
$(B)/$(1)/%.o: $(1)/%.cu $(CUREADY)
	@mkdir -p $$(@D)
	$(SAY) $(CUNAME) $$<
	$(Q)$(CU) $$(CHECK_CFLAGS) -c $$< -o $$@
$(B)/$(1)/%: $(1)/%.cu $(B)/$(1)/%.o $(2) $(CULIB)
	$(Q)$(CULINK) $(B)/$(1)/$$*.o $(2) -o $$@ $$(CHECK_LIBS) $(LIBS)
endef
$(eval $(call test_rules,cpudevice/tests))

# cpudevice/tests/conformance: each theme is one program, made in each way to run a kernel; a case is also one by its own name.
WAYS          := $(if $(filter cuda,$(DEVICE)),nvcc,loops fibers check)
# Some cases call constexpr functions of the host in kernels.
RELAXED       := --expt-relaxed-constexpr
WAY_loops     := $(CUCC) -O3 $(RELAXED)
WAY_fibers    := $(CUCC) -O0 --fibers $(RELAXED)
WAY_check     := $(CUCC) -O1 -g --check $(RELAXED)
WAY_nvcc      := $(NVCC) $(GENCODE) -w -rdc=true --extended-lambda $(RELAXED)
THEMES        := $(patsubst cpudevice/tests/conformance/%/,%,$(wildcard cpudevice/tests/conformance/*/))
CONFORMANCE   := $(foreach w,$(WAYS),$(THEMES:%=$(B)/conformance/$(w)/%.group))
REFUSED       := $(shell sed -n '/^\#/d; s/:.* refused.*//p' cpudevice/tests/conformance/expected_failures 2>/dev/null)
define theme_rule
$(B)/conformance/$(1).cu: $(wildcard cpudevice/tests/conformance/$(1)/*.cu) $(addprefix cpudevice/tests/conformance/,group.awk conformance.h expected_failures)
	@mkdir -p $$(@D)
	$(Q)awk -v leave="$(REFUSED)" -f cpudevice/tests/conformance/group.awk $$(filter %.cu,$$^) >$$@
endef
# What does not compile must not leave the program of before, which would pass for it.
define way_rules
$(B)/conformance/$(1)/%.group: $(B)/conformance/%.cu $(CUREADY) $(CULIB)
	@mkdir -p $$(@D)
	$(SAY) $(1) $$*
	$(Q)rm -f $$@ && $(WAY_$(1)) -std=c++17 -Icpudevice/tests/conformance -o $$@ $$<
$(B)/conformance/$(1)/%: cpudevice/tests/conformance/%.cu cpudevice/tests/conformance/conformance.h $(CUREADY) $(CULIB)
	@mkdir -p $$(@D)
	$(Q)rm -f $$@ && $(WAY_$(1)) -std=c++17 -Icpudevice/tests/conformance -o $$@ $$<
endef
$(foreach t,$(THEMES),$(eval $(call theme_rule,$(t))))
$(foreach w,$(WAYS),$(eval $(call way_rules,$(w))))
.PHONY: conformance
conformance: $(CONFORMANCE)

