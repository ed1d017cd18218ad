# Capturing the bundled traces again. Building, testing and using warpsweep needs none of this: the traces are in the
# repository. They come out equal; what `make capture` prints says for each whether it did.

CAPTURE_APPS     := atax bfs bicg conv2d gemm gesummv histogram hotspot kmeans lud mvt nw pathfinder reduction spmv \
                    syr2k syrk transpose
CAPTURE_BUILD    := build/capture
CAPTURE_CXXFLAGS := -std=c++17 -O2 -fPIC -fno-rtti -fvisibility=hidden -Wall -Wextra -Werror -Iinclude \
                    -isystem /usr/lib/llvm-14/include -isystem /usr/include/oclgrind
CAPTURE_PLUGIN   := $(CAPTURE_BUILD)/libcapture.so
CAPTURE_LIBRARY  := $(filter-out src/base/version.c,$(filter src/base/% src/trace/%,$(LIB_SOURCES)))
CAPTURE_OBJECTS  := $(patsubst %,$(CAPTURE_BUILD)/traces/capture/%.o,operands plugin program registers warps) \
                    $(CAPTURE_LIBRARY:%.c=$(CAPTURE_BUILD)/%.o)

.PHONY: capture capture-plugin $(CAPTURE_APPS:%=capture-%)

capture: ## set up (Oclgrind, LLVM), capture the bundled traces again
	@tools/setup build capture
	@$(AGAIN) $(CAPTURE_APPS:%=capture-%)
	@ls -l traces/*.wst | awk '{bytes += $$5} END {printf "%d traces, %d bytes\n", NR, bytes}'

capture-plugin: $(CAPTURE_PLUGIN) ## build the Oclgrind plugin that writes traces, build/capture/libcapture.so

$(CAPTURE_APPS:%=capture-%): capture-%: $(CAPTURE_BUILD)/% $(CAPTURE_PLUGIN)
	@rm -f $(CAPTURE_BUILD)/$*.wst
	@WARPSWEEP_CAPTURE=$(CAPTURE_BUILD)/$*.wst \
	    oclgrind --build-options -O2 --plugins $(abspath $(CAPTURE_PLUGIN)) $< traces/capture/$*.cl
	@test -s $(CAPTURE_BUILD)/$*.wst
	@cmp -s $(CAPTURE_BUILD)/$*.wst traces/$*.wst && echo "traces/$*.wst: as before" || echo "traces/$*.wst: new"
	@mv $(CAPTURE_BUILD)/$*.wst traces/$*.wst

$(CAPTURE_PLUGIN): $(CAPTURE_OBJECTS)
	$(say) "  LD   $@"
	$(q)$(CXX) -shared -Wl,--as-needed,-z,defs -o $@ $^ -loclgrind -L/usr/lib/llvm-14/lib -lLLVM-14 $(LIBS)

$(CAPTURE_BUILD)/%.o: %.cpp
	@mkdir -p $(@D)
	$(say) "  CXX  $<"
	$(q)$(CXX) $(CAPTURE_CXXFLAGS) -MMD -MP -c -o $@ $<

$(CAPTURE_BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(say) "  CC   $< (position independent)"
	$(q)$(CC) $(ALL_CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

$(CAPTURE_APPS:%=$(CAPTURE_BUILD)/%): %: $(CAPTURE_BUILD)/traces/capture/host.o
$(CAPTURE_APPS:%=$(CAPTURE_BUILD)/%): $(CAPTURE_BUILD)/%: $(CAPTURE_BUILD)/traces/capture/%.o
	$(say) "  LD   $@"
	$(q)$(CC) -o $@ $^ -lOpenCL

# The part of the plugin that needs neither Oclgrind nor LLVM is tested with the rest.
$(BUILD)/tests/unit/test_capture_warps: $(BUILD)/traces/capture/warps.o

-include $(wildcard $(CAPTURE_BUILD)/traces/capture/*.d $(CAPTURE_BUILD)/src/*/*.d)
