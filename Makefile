# warpsweep: build, tests, demo. `make help` lists the targets.
#
#   SANITIZE=1    with AddressSanitizer and UndefinedBehaviorSanitizer (in build/sanitize)
#   BUILD=dir     where objects go (default build/release)
#   CC=clang      another compiler (give it a BUILD of its own)
#   V=1           show the commands
#   JOBS=n        compiler processes of `make demo`, `make test`, `make check` (default: one per processor)

ifeq ($(origin CC),default)
CC      := gcc
endif
# With sanitizers, -O2 takes twice as long to compile and runs 3 to 12 % faster; their reports need lines, not variables.
CFLAGS  ?= $(if $(SANITIZE),-O1 -g1,-O2 -g)
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
           -Wcast-qual -Wwrite-strings -Wformat=2 -Wundef -Wvla -Werror
PACKAGES := sqlite3 gsl jansson libzstd liblzma zlib libxxhash
JOBS    ?= $(shell nproc)
PREFIX  ?= /usr/local

ifdef SANITIZE
BUILD   ?= build/sanitize
SAN     := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
BINARY  := $(BUILD)/warpsweep
else
BUILD   ?= build/release
BINARY  := warpsweep
endif

VERSION  := 0.1.0
REVISION := $(shell git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null || echo unknown)

# Targets that compile need the packages; demo, test and check install them first and then start make again.
NO_COMPILER := help setup demo test check fuzz capture format clean
ifneq ($(filter-out $(NO_COMPILER),$(or $(MAKECMDGOALS),all)),)
MISSING := $(shell tools/setup --missing build)
ifneq ($(MISSING),)
$(error missing packages: $(MISSING). 'make setup' installs them)
endif
PACKAGE_CFLAGS := $(shell pkg-config --cflags $(PACKAGES))
LIBS           := $(shell pkg-config --libs $(PACKAGES)) -lcsv -liberty -lm -lpthread
endif
# The replay works on sets of bits: without these an x86 compiler counts, shifts and clears them in detours. BMI only
# where this processor has it; to build for older ones: make MACHINE=
BMI        := $(if $(shell grep -som1 bmi2 /proc/cpuinfo),-mbmi -mbmi2)
MACHINE    := $(if $(filter x86_64,$(shell uname -m)),-mpopcnt $(BMI))
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -Iinclude -Isrc $(WARN) $(CFLAGS) $(MACHINE) $(SAN) $(PACKAGE_CFLAGS) $(LIB_CFLAGS)
AGAIN      = $(MAKE) --no-print-directory -j$(JOBS)

# What a rule does, in a short line.
say := @$(if $(V),:,echo)
q   := $(if $(V),,@)

SOURCES      := $(wildcard src/*.c src/*/*.c src/*/*/*.c)
LIB_SOURCES  := $(filter-out src/cli/%,$(SOURCES))
CLI_SOURCES  := $(filter src/cli/%,$(SOURCES))
TEST_SOURCES := $(wildcard tests/unit/test_*.c)
TEST_SUPPORT := $(wildcard tests/support/*.c)

object    = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIB       := $(BUILD)/libwarpsweep.a
TEST_BINS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(TEST_SOURCES))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all demo test test-large check setup unit objects golden bench validate format clean help FORCE

all: $(BINARY) ## build the command (default)

demo: ## set up, build, run a sweep of 13,680 points, query it, plot it
	@tools/setup build
	@$(AGAIN) all
	@tools/demo

test: ## set up, build (also with sanitizers), run all tests
	@tools/setup build
	@$(AGAIN) all unit shared
	@$(AGAIN) SANITIZE=1 all unit
	@tests/run build/release build/sanitize

test-large: $(BINARY) ## import and sweep 5 GB of generated text in 512 MiB of memory (minutes; 8 GB in a temporary folder)
	@LARGE_MB=5000 tests/cli/test_memory.sh

# Clang's warnings do not depend on how far it optimizes.
check: ## set up, compile with each compiler that is there, lint
	@tools/setup build check
	@$(AGAIN) all unit
	@if command -v clang >/dev/null; then $(AGAIN) CC=clang CFLAGS=-O0 BUILD=build/clang objects; fi
	@tools/lint

setup: ## install the Debian packages that are missing
	@tools/setup build

$(BINARY): $(call object,$(CLI_SOURCES)) $(LIB)
	$(say) "  LD   $@"
	$(q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LIB): $(call object,$(LIB_SOURCES))
	$(say) "  AR   $@"
	@rm -f $@
	$(q)$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(say) "  CC   $<"
	$(q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# One compilation serves both libraries. The shared one needs its objects position-independent; calls within it are bound
# at link time, and of its names only those that the public headers declare are seen outside.
$(call object,$(LIB_SOURCES)): LIB_CFLAGS := -fPIC -fno-semantic-interposition -fvisibility=hidden

# The revision is compiled in; its file changes only when the revision does.
$(BUILD)/src/base/version.o: ALL_CFLAGS += -DWS_VERSION='"$(VERSION)"' -DWS_REVISION='"$(REVISION)"'
$(BUILD)/src/base/version.o: $(BUILD)/revision
$(BUILD)/revision: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION) $(REVISION)' | cmp -s - $@ || echo '$(VERSION) $(REVISION)' >$@

# Most of a link's time goes into debug information, of which GNU's other linker, where it is there, makes half the work.
LINKER := $(if $(shell command -v ld.gold),-fuse-ld=gold)
$(BUILD)/tests/unit/test_%: $(BUILD)/tests/unit/test_%.o $(call object,$(TEST_SUPPORT)) $(LIB)
	$(say) "  LD   $@"
	$(q)$(CC) $(SAN) $(LINKER) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS) -lcmocka

$(BUILD)/tests/unit/test_mechanism_version: LDFLAGS += -Wl,--wrap=ws_mechanisms_of
$(BUILD)/tests/unit/test_no_memory: LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=strdup,--wrap=strndup
$(BUILD)/tests/unit/test_no_memory: $(call object,$(filter-out src/cli/main.c,$(CLI_SOURCES)))

unit: $(TEST_BINS) $(BUILD)/tests/hardware/replayed ## build the unit tests

objects: $(call object,$(LIB_SOURCES) $(CLI_SOURCES) $(TEST_SOURCES) $(TEST_SUPPORT) $(wildcard tests/fuzz/*.c tests/hardware/*.c))

golden: $(BINARY) ## compute the golden results in tests/golden again (ONLY="name ..": some); review the difference
	@tests/golden/compute tests/golden $(ONLY)

$(BUILD)/tests/hardware/replayed: $(call object,tests/hardware/replayed.c) $(LIB)
$(BUILD)/tests/bench/bench: $(call object,$(wildcard tests/bench/*.c)) $(LIB)
$(BUILD)/tests/hardware/replayed $(BUILD)/tests/bench/bench:
	$(say) "  LD   $@"
	$(q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS)

bench: $(BUILD)/tests/bench/bench ## measure speed and size: bounds and results in one run
	@$<

validate: $(BINARY) ## hold the timed replay against a cycle simulator's numbers, where they are; writes tests/validation.*
	@tests/validate/all

format: ## reformat the sources
	clang-format -i $$(git ls-files -co --exclude-standard '*.c' '*.h')

clean: ## remove what was built
	rm -rf build warpsweep

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

include tests/fuzz/fuzz.mk

include tools/install.mk

-include traces/capture/capture.mk

-include tests/hardware/hardware.mk

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
