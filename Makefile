# make help says what can be made. One Makefile, no list of files: labs, exercises and tests are found by wildcard,
# so a new lab is a new lectureNN_*/NAME.cu and a new test a new tests/ROOM/NAME.c or .cu.
#
#   make lecture03            build a lecture's labs for the device that is here;  make alone builds every lecture
#   make DEVICE=cpu|cuda      choose the device (auto: CUDA where nvcc and a GPU are, else the CPU device)
#   make O=DIR                build in DIR, and leave nothing here
#   make ARCH="80 90a"        GPU architectures, instead of the GPU's own

# What scripts sort, cut and print does not depend on the user's language.
export LC_ALL := C

# What these say is a value, never make's or the shell's to run. Before the first $(shell ...): make 4.4 expands what is
# given on its command line for the environment of each.
export override EX := $(value EX)
export override HTML := $(value HTML)
export override O := $(value O)
ifneq ($(origin DEVICE),undefined)
override DEVICE := $(value DEVICE)
endif

# Not empty where COURSE_LANG, else LANG, asks for Chinese.
CHINESE := $(filter zh%,$(or $(COURSE_LANG),$(LANG)))

# A checkout that cannot be written is built in a mirror of links to it: in DIR with `make O=DIR`, else in the user's cache.
ifneq ($(O)$(shell [ -w . ] || echo read-only),)
.PHONY: mirror $(MAKECMDGOALS)
$(or $(MAKECMDGOALS),all): mirror
	@:
mirror:
	@to=$$(tools/setup/mirror.sh "$$O") && echo "$(if $(CHINESE),在 $$to 里编译,building in $$to)" && exec $(MAKE) --no-print-directory -C "$$to" O= $(MAKECMDGOALS)
else

DEVICE ?= auto
ifeq ($(filter auto cpu cuda,$(DEVICE)),)
$(error $(if $(CHINESE),DEVICE 应为 auto、cpu 或 cuda，而不是“$(DEVICE)”,DEVICE is auto, cpu or cuda, not '$(DEVICE)'))
endif
ifeq ($(DEVICE),auto)
override DEVICE := $(shell tools/setup/device.sh)
endif

B      := build/$(DEVICE)
# What was built for another place, CPU or compiler is built anew. Where one cannot tell, the build is kept as it is.
BUILT_FOR := $(shell [ ! -e build/cpu/built_for ] || { now=$$(cpudevice/built_for.sh) && was=$$(cat build/cpu/built_for) || echo unknown; [ "$$now" = "$$was" ] || echo differs; })
ifeq ($(BUILT_FOR),differs)
$(shell rm -rf build/cpu build/check build/model build/cuprof)
else ifneq ($(BUILT_FOR),)
ifneq ($(filter-out help doctor clean,$(or $(MAKECMDGOALS),all)),)
$(error $(if $(CHINESE),cpudevice/built_for.sh 失败（原因见上），无法判断 build/ 是否为这台机器所编译；build/ 保持不变。缺什么见 make doctor,cpudevice/built_for.sh failed, as said above: whether build/ was built for this machine is unknown, and it is kept as it is. make doctor says what is missing))
endif
endif
CUDA   ?= $(shell tools/setup/device.sh --toolkit)
NVCC   ?= $(or $(shell command -v nvcc),$(CUDA)/bin/nvcc)
CUCC   := cpudevice/cucc
CC     := $(or $(CUCC_CC),gcc)
WARN   := -Wall -Wextra -Wno-format-zero-length
CFLAGS ?= -O2 -g
C11    := $(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) -fopenmp -Icommon -MMD -MP

LECTURES  := $(wildcard lecture[0-9][0-9]_*)
LABS      := $(wildcard lecture[0-9][0-9]_*/*.cu)
EXERCISES := $(wildcard lecture[0-9][0-9]_*/exercises/*.cu)
SOLUTIONS := $(wildcard solutions/*/*.cu)
# How far the CPU device's compiler optimizes labs; a mutant of a lab is built with less, because it runs once.
OPTIMIZE  ?= -O3
LIBRARY   := $(wildcard common/*/*.c common/*/*.cu)
# Rooms of which each source is a test program. What such a program includes or starts is in a folder below.
TESTED_IN := $(addprefix tests/,course grading notes profiler)
TESTS     := $(wildcard $(TESTED_IN:%=%/*.c) $(TESTED_IN:%=%/*.cu))

ifeq ($(DEVICE),cuda)
ARCH    ?= $(shell tools/setup/device.sh --arch)
GENCODE := $(foreach a,$(patsubst sm_%,%,$(ARCH)),-gencode arch=compute_$(a:+ptx=),code=$(if $(filter %+ptx,$(a)),compute,sm)_$(a:+ptx=))
CU      := $(NVCC) -O3 -std=c++17 -lineinfo $(GENCODE) -Xcompiler -Wall,-Wextra,-Wno-missing-field-initializers,-fopenmp -DLAB_CUDA -Icommon -MMD -MP
TESTS   := $(shell grep -L 'for the CPU device only' $(TESTS))
CULINK  := $(NVCC) $(GENCODE) -Xcompiler -fopenmp
CUNAME  := nvcc
C       := $(C11) -DLAB_CUDA -I$(CUDA)/include $(if $(wildcard $(CUDA)/extras/CUPTI/include),-I$(CUDA)/extras/CUPTI/include)
else
CU      := $(CUCC) $(OPTIMIZE) -std=c++17 $(WARN) -Wno-missing-field-initializers -fopenmp -DLAB_CPU -Icommon -MMD -MP
CULINK  := $(CUCC) -fopenmp
C       := $(C11) -DLAB_CPU -Icpudevice/include
CUNAME  := cucc
endif
LIBS    := -ldl -lpthread -lm

# make V=1 shows the commands.
Q := $(if $(V),,@)
SAY = $(if $(V),@:,@printf '  %-6s %s\n')

.PHONY: all help clean check check-changed check-all doctor python compdb exercises next skip hint watch reset stubs notes plots site slides book serve notebooks bench-cpudevice tests labs cuprof sanitizer lint sanitize coverage $(LECTURES)
.SECONDARY:
.DELETE_ON_ERROR:

all: labs cuprof
	@echo "$(if $(CHINESE),全部实验已编译（$(DEVICE) 设备）；./run lecture01 逐个演示第 1 讲,everything is built ($(DEVICE) device); ./run lecture01 walks through the first lecture)"

labs: $(LABS:%.cu=$(B)/%)

# lecture01 and lecture01_profiling both name the folder; ./run walks through the one made last.
define lecture_rule
.PHONY: $(firstword $(subst _, ,$(1)))
$(firstword $(subst _, ,$(1))) $(1): $(patsubst %.cu,$(B)/%,$(filter $(1)/%,$(LABS)))
	@mkdir -p build && printf '%s %s\n' $(1) $(DEVICE) >build/last
	@echo "$(firstword $(subst _, ,$(1)))$(if $(CHINESE), 已编译（$(DEVICE) 设备）；逐个演示：./run, is built ($(DEVICE) device); walk through it: ./run)"
endef
$(foreach l,$(LECTURES),$(eval $(call lecture_rule,$(l))))
lecture%:
	@echo "$(if $(CHINESE),没有 $@；现有：,there is no $@; there are: )$(foreach l,$(LECTURES),$(firstword $(subst _, ,$(l))))" >&2; exit 2

include cpudevice/device.mk

# ---- the library, labs, exercises, solutions: one pattern for every .cu
$(B)/libcourse.a: $(patsubst %,$(B)/%.o,$(LIBRARY))
	@rm -f $@ && ar rcs $@ $^

$(B)/common/%.c.o: common/%.c
	@mkdir -p $(@D)
	$(SAY) cc $<
	$(Q)$(C) -Werror -c $< -o $@

$(B)/common/%.cu.o: common/%.cu $(CUREADY)
	@mkdir -p $(@D)
	$(SAY) $(CUNAME) $<
	$(Q)$(CU) -c $< -o $@

$(B)/%.o: %.cu $(CUREADY)
	@mkdir -p $(@D)
	$(SAY) $(CUNAME) $<
	$(Q)$(CU) -c $< -o $@

# A program is linked beside its place and moved there, because a test may be running the one before.
MOVED = -o $@.$$$$ $(1) && mv $@.$$$$ $@

# A lab that has NCCL as its yardstick takes the CPU device's there.
NCCL = $(if $(shell grep -s nccl_open.cuh $(<:.o=.d)),-lnccl)

$(B)/%: $(B)/%.o $(B)/libcourse.a $(CULIB)
	$(Q)$(CULINK) $< $(B)/libcourse.a $(call MOVED,$(LIBS) $(if $(CULIB),$(NCCL)))

# Labs and solutions once more under cucc --check, and for ./run --model (which names the chip) under cucc --model. There is no
# OpenMP there: the host code is watched too.
define checked # FOLDER, OPTION
build/$1/%.o: %.cu build/cpu/compiler_ready
	@mkdir -p $$(@D)
	$$(SAY) $1 $$<
	$$(Q)$$(CUCC) $2 -O1 -g -std=c++17 -DLAB_CPU -Icommon -MMD -MP -c $$< -o $$@
build/$1/%: build/$1/%.o build/cpu/libcourse.a build/cpu/libcudacpu.a
	$$(Q)$$(CUCC) $2 -fopenmp $$< build/cpu/libcourse.a $$(call MOVED,$$(LIBS) $$(NCCL))
endef
$(eval $(call checked,check,--check))
$(eval $(call checked,model,--model h100))

# ---- tests: Check, one program a file; tests/lab/lab_test.c is linked with every lab's own object
CHECK_LIBS    = $(shell tools/setup/need.sh check --libs)
CHECK_CFLAGS  = $(shell tools/setup/need.sh check --cflags) -Icpudevice/tests/harness
include cpudevice/tests/tests.mk
$(eval $(call test_rules,tests,$(B)/libcourse.a))
$(B)/tests/labs/%: $(B)/%.o $(B)/tests/lab/lab_test.c.o $(B)/libcourse.a $(CULIB)
	@mkdir -p $(@D)
	$(Q)$(CULINK) $(B)/tests/lab/lab_test.c.o $< $(B)/libcourse.a $(call MOVED,$(CHECK_LIBS) $(LIBS) $(if $(CULIB),$(NCCL)))

LAB_TESTS := $(LABS:%.cu=$(B)/tests/labs/%)
UNIT_TESTS := $(patsubst %,$(B)/%,$(basename $(TESTS)))
tests: $(UNIT_TESTS) $(LAB_TESTS) $(DEVICE_TESTS) $(CONFORMANCE)
list-tests:
	@echo $(TESTS) $(DEVICE_SOURCES) $(call scripts_in,tests) $(call scripts_in,cpudevice/tests)
# All that cucc builds of itself when it is first needed.
device-parts: build/cpu/libcudacpu.a
	@echo 'int part;' >build/cpu/part.c
	@for f in '-Xcompiler -fPIC' '--check -lcudnn'; do $(CUCC) $$f -c build/cpu/part.c -o build/cpu/part.o || exit 1; done
	@$(CUCC) -shared -Xcompiler -fPIC build/cpu/part.c -o build/cpu/part.so
.PHONY: list-tests device-parts
solutions-check: $(SOLUTIONS:%.cu=build/check/%)
labs-check: $(LABS:%.cu=build/check/%)
labs-model: $(LABS:%.cu=build/model/%)
.PHONY: solutions-check labs-check labs-model

# One at a time in a checkout; a second one waits.
alone = flock -n -o -E 75 build/check.lock $(1); s=$$?; [ $$s = 75 ] || exit $$s; \
	echo '$(if $(CHINESE),这里已经有一个 make check 在运行；等它结束,another make check runs here; this one waits for it)'; exec flock -o build/check.lock $(1)
check:
	@mkdir -p build; $(call alone,tools/course.sh check $(DEVICE))
# The same, and stubs must fail, mutants must be caught: as far as what they depend on has changed, and a sample of the rest.
check-changed:
	@mkdir -p build; $(call alone,tools/course.sh check $(DEVICE) --changed)
# All of it, whatever is remembered; writes tests/verdicts.csv anew.
check-all:
	@mkdir -p build; export RANDOM_KERNELS_SECONDS=$${RANDOM_KERNELS_SECONDS:-90} RANDOM_KERNELS_SEED=$${RANDOM_KERNELS_SEED:-new}; $(call alone,tools/course.sh check $(DEVICE) --all)

cuprof:
	@if [ -x tools/cuprof ]; then tools/cuprof --build; fi

bench-cpudevice: build/cpu/cpudevice/bench/bench
	$<
build/cpu/cpudevice/bench/bench: $(wildcard cpudevice/bench/*) build/cpu/libcudacpu.a
	@mkdir -p $(@D)
	cpudevice/bench/build.sh $@

# ---- exercises
next skip hint watch reset:
	@tools/course.sh $@ $(if $(EX),"$$EX")
# HTML=FILE: the progress as a page too.
exercises:
	@tools/course.sh $@ $(if $(HTML),"$$HTML")
# Writes the exercises anew from the solutions (only where the student has not begun).
stubs:
	@tools/course.sh stubs

# ---- notes: tables, code and figures between markers, made from results/ and from the labs; pictures from the labs' kernels
notes:
	@tools/notes/notes.sh
plots:
	@tools/notes/notes.sh --pictures
HAVE_PYTHON = @command -v "$${PYTHON:-python3}" >/dev/null || { echo "$(if $(CHINESE),$@：没有 Python 3：,$@: Python 3 is missing: )sudo apt-get install python3 python3-venv" >&2; exit 2; }
# The notes, labs and exercises as pages in build/site, as slides and as a PDF; serve makes the pages again at each save.
site slides book serve:
	$(HAVE_PYTHON)
	@"$${PYTHON:-python3}" tools/site/make.py $@

# A notebook per lecture, from its notes (tools/notebook/README.md).
notebooks:
	$(HAVE_PYTHON)
	@"$${PYTHON:-python3}" tools/notebook/make.py

# On a GPU: compute-sanitizer's four tools on every lab, as a table.
sanitizer: labs
	@tools/profiler/sanitizer.py -o $(B)/sanitizer.csv $(B) && echo $(B)/sanitizer.csv
# PyTorch and Triton for the lessons in Python; nothing else needs them.
python:
	@tools/python/python.sh make
doctor:
	@tools/setup/doctor.sh

# ---- what says something of the code without a test of it
lint:
	@tools/setup/lint.sh
# Our own C with the sanitizers of addresses and of undefined behaviour under the tests in C; how much of it they reach.
sanitize:
	@tools/setup/instrumented.sh sanitize
coverage:
	@tools/setup/instrumented.sh coverage
clean:
	rm -rf build
compdb:
	@tools/setup/compdb.sh $(DEVICE)
ifneq ($(CHINESE),)
help:
	@cat tools/setup/help.zh.txt; echo; echo '各讲：$(LECTURES)'
else
help:
	@sed -n 's/^#   //p' Makefile
	@echo
	@echo 'make lectureNN    build a lecture; then ./run walks through it'
	@echo 'make all          build every lab'
	@echo 'make check        the tests of what has changed since they last passed; grades the exercises you have attempted'
	@echo 'make check-changed  the same, and prove that the tests can fail (stubs, mutants)'
	@echo 'make check-all    every test and every proof, whatever is remembered'
	@echo 'make next         the next exercise to do, of the lecture made last;  make skip EX=3.1  leave one for later'
	@echo 'make exercises    all exercises and how far you are; HTML=progress.html: as a page too'
	@echo 'make hint EX=3.1  the next hint for an exercise;  make reset EX=3.1  begin it anew'
	@echo 'make watch EX=3.1 rebuild and regrade at each save'
	@echo 'make doctor       what is installed here, what is missing and how to get it'
	@echo 'make python       PyTorch and Triton in build/python, for the lessons in Python (./run pytorch/square)'
	@echo 'make bench-cpudevice  the CPU device against plain C with OpenMP'
	@echo 'make lint         formatting, shellcheck, cppcheck;  make sanitize  the tests in C with sanitizers;  make coverage'
	@echo 'make notes        the tables, code and pictures of the notes, from results/ and the labs'
	@echo 'make slides       a deck per lecture in build/slides, with notes for the speaker (key S)'
	@echo 'make book         all notes as a PDF, build/book/book.pdf, printed by Chromium'
	@echo 'make notebooks    a notebook per lecture in notebooks/, from the notes'
	@echo 'make site         the course as pages for a browser in build/site;  make serve  on port 8000, rebuilt on each save'
	@echo 'make compdb       compile_commands.json for editors;  make clean'
	@echo
	@echo 'lectures: $(LECTURES)'
endif

# Nothing below other folders is made by these rules: some of them have ten thousand files.
-include $(shell find build/cpu build/cuda build/check build/model -name '*.d' 2>/dev/null)

endif # a mirror
