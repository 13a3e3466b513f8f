# tools.mk: builds the course's tools, build/tools/course and build/tools/grade: make -rRs -f tools/tools.mk build/tools/course
# course.sh and grade run it at each start, so nothing here starts a program before something is to be built. What is built is
# moved to its place when it is whole: two of them may build at once, and a tool that runs is not written to.
CC     := $(or $(CC),gcc)
CFLAGS ?= -O1 -g

BUILT   := build/tools
COURSE  := $(wildcard tools/course/*.c tools/course/*/*.c)
GRADING := $(wildcard tools/grading/*.c) $(filter-out tools/course/main.c,$(COURSE))
OBJECTS  = $(patsubst tools/%.c,$(BUILT)/objects/%.o,$(1))

$(BUILT)/course: $(call OBJECTS,$(COURSE))
$(BUILT)/grade: $(call OBJECTS,$(GRADING))
$(BUILT)/course $(BUILT)/grade:
	@$(CC) $(CFLAGS) -o $@.$$$$ $^ && mv $@.$$$$ $@

$(BUILT)/objects/%.o: tools/%.c
	@mkdir -p $(@D) && $(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) -Wall -Wextra -MMD -MP -MF $@.$$$$.d -MT $@ -c -o $@.$$$$ $< && \
		mv $@.$$$$.d $(@:.o=.d) && mv $@.$$$$ $@ || { rm -f $@.$$$$ $@.$$$$.d; exit 1; }

-include $(patsubst %.o,%.d,$(call OBJECTS,$(GRADING) tools/course/main.c))
