# warpsweep: build, tests, demo. `make help` lists the targets.
#
#   BUILD=dir     where objects go (default build)
#   SANITIZE=1    with AddressSanitizer and UndefinedBehaviorSanitizer (objects in build/sanitize)

CC      ?= gcc
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
           -Wcast-qual -Wwrite-strings -Wformat=2 -Wundef -Wvla -Werror
PACKAGES := sqlite3 gsl jansson libzstd liblzma libxxhash

ifdef SANITIZE
BUILD   ?= build/sanitize
SAN     := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
BINARY  := $(BUILD)/warpsweep
else
BUILD   ?= build/release
BINARY  := warpsweep
endif

VERSION  := 0.1.0
REVISION := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)

# Only targets that compile need the packages; `make demo` and `make test` install them first (tools/setup).
NEEDS_PACKAGES := $(filter-out help setup format clean,$(or $(MAKECMDGOALS),all))
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -Iinclude -Isrc $(WARN) $(CFLAGS) $(SAN) $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
LIBS       = $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lcsv -liberty -lm -lpthread

LIB_SOURCES  := $(filter-out src/cli/%,$(wildcard src/*.c src/*/*.c))
CLI_SOURCES  := $(wildcard src/cli/*.c)
TEST_SOURCES := $(wildcard tests/unit/test_*.c)
TEST_SUPPORT := $(wildcard tests/support/*.c)

object    = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIB       := $(BUILD)/libwarpsweep.a
TEST_BINS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(TEST_SOURCES))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all check test unit clean format help

all: $(BINARY) ## build the command (default)

$(BINARY): $(call object,$(CLI_SOURCES)) $(LIB)
	$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LIB): $(call object,$(LIB_SOURCES))
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/unit/test_%: $(BUILD)/tests/unit/test_%.o $(call object,$(TEST_SUPPORT)) $(LIB)
	$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

unit: $(TEST_BINS) ## build the unit tests

test: $(BINARY) unit ## run all tests
	@tests/run $(BUILD)

format: ## reformat the sources
	clang-format -i $$(git ls-files '*.c' '*.h')

clean: ## remove what was built
	rm -rf build warpsweep

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
