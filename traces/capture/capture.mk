# Capturing the bundled traces again. Building, testing and using warpsweep needs none of this: the traces are in the
# repository. They come out equal; what `make capture` prints says for each whether it did.

CAPTURE_APPS     := atax bfs bicg conv2d gemm gesummv histogram hotspot kmeans lud mvt nw pathfinder reduction spmv \
                    syr2k syrk transpose
# Kernels with warp-level divergence, in traces/divergent.
DIVERGENT_APPS   := ray stencil
# Matrix transposition that reads columns, in traces/columns: transpose --columns.
COLUMN_APPS      := transpose_columns
# Pairs of programs with and without local memory, in traces/unshared: the shared forms of the others are among
# CAPTURE_APPS. PROGRAM_unshared is PROGRAM --unshared, on kernels of its own.
SHARED_APPS      := backprop srad
UNSHARED_APPS    := $(addsuffix _unshared,backprop hotspot lud nw pathfinder srad)
# The same kernels on several graphs, in traces/graphs: PROGRAM-KIND is PROGRAM --make KIND:NODES. Frontiers of road
# networks are small, and shortest paths run long.
GRAPH_PROGRAMS   := bfs_push pagerank sssp
GRAPH_KINDS      := kron delaunay road collab
GRAPH_APPS       := $(foreach program,$(GRAPH_PROGRAMS),$(GRAPH_KINDS:%=$(program)-%))
graph_nodes       = $(if $(filter bfs_push-road sssp-road,$(1)),16384,$(if $(filter sssp-%,$(1)),4096,8192))
CAPTURE_BUILD    := build/capture
CAPTURE_CXXFLAGS := -std=c++17 -O2 -fPIC -fno-rtti -fvisibility=hidden -Wall -Wextra -Werror -Iinclude \
                    -isystem /usr/lib/llvm-14/include -isystem /usr/include/oclgrind
CAPTURE_PLUGIN   := $(CAPTURE_BUILD)/libcapture.so
CAPTURE_LIBRARY  := $(filter-out src/base/version.c,$(filter src/base/% src/trace/%,$(LIB_SOURCES)))
CAPTURE_OBJECTS  := $(patsubst %,$(CAPTURE_BUILD)/traces/capture/%.o,operands plugin program registers warps) \
                    $(CAPTURE_LIBRARY:%.c=$(CAPTURE_BUILD)/%.o)
# Graphs need the library's reader of texts.
GRAPH_OBJECTS    := $(patsubst %,$(CAPTURE_BUILD)/traces/capture/%.o,graph graph_make graph_read) \
                    $(CAPTURE_LIBRARY:%.c=$(CAPTURE_BUILD)/%.o)
CAPTURE_PROGRAMS := $(CAPTURE_APPS) $(DIVERGENT_APPS) $(SHARED_APPS) $(GRAPH_PROGRAMS)
CAPTURE_TARGETS  := $(addprefix capture-,$(CAPTURE_APPS) $(DIVERGENT_APPS) $(COLUMN_APPS) $(SHARED_APPS) \
                    $(UNSHARED_APPS) $(GRAPH_APPS))

.PHONY: capture capture-plugin $(CAPTURE_TARGETS)

capture: ## set up (Oclgrind, LLVM), capture the bundled traces again
	@tools/setup build capture
	@$(AGAIN) $(CAPTURE_TARGETS)
	@ls -l traces/*.wst traces/*/*.wst | awk '{bytes += $$5} END {printf "%d traces, %d bytes\n", NR, bytes}'

capture-plugin: $(CAPTURE_PLUGIN) ## build the Oclgrind plugin that writes traces, build/capture/libcapture.so

# How a trace comes about, of its name: the program, its options, and the file of its kernels, without .cl.
program_of = $(patsubst %_columns,%,$(patsubst %_unshared,%,$(word 1,$(subst -, ,$(1)))))
options_of = $(if $(filter %_columns,$(1)),--columns)$(if $(filter %_unshared,$(1)),--unshared)$(if \
    $(filter $(GRAPH_APPS),$(1)),--make $(word 2,$(subst -, ,$(1))):$(call graph_nodes,$(1)))
kernels_of = $(patsubst %_columns,%,$(word 1,$(subst -, ,$(1))))

# 1: the folder. 2: the trace, without .wst.
define capture
	@mkdir -p $(1)
	@rm -f $(CAPTURE_BUILD)/$(2).wst
	@WARPSWEEP_CAPTURE=$(CAPTURE_BUILD)/$(2).wst oclgrind --build-options -O2 --plugins $(abspath $(CAPTURE_PLUGIN)) \
	    $(CAPTURE_BUILD)/$(call program_of,$(2)) $(call options_of,$(2)) traces/capture/$(call kernels_of,$(2)).cl
	@test -s $(CAPTURE_BUILD)/$(2).wst
	@cmp -s $(CAPTURE_BUILD)/$(2).wst $(1)/$(2).wst && echo "$(1)/$(2).wst: as before" || echo "$(1)/$(2).wst: new"
	@mv $(CAPTURE_BUILD)/$(2).wst $(1)/$(2).wst
endef

$(CAPTURE_TARGETS): $(CAPTURE_PROGRAMS:%=$(CAPTURE_BUILD)/%) $(CAPTURE_PLUGIN)
$(CAPTURE_APPS:%=capture-%): capture-%:
	$(call capture,traces,$*)
$(DIVERGENT_APPS:%=capture-%): capture-%:
	$(call capture,traces/divergent,$*)
$(COLUMN_APPS:%=capture-%): capture-%:
	$(call capture,traces/columns,$*)
$(SHARED_APPS:%=capture-%) $(UNSHARED_APPS:%=capture-%): capture-%:
	$(call capture,traces/unshared,$*)
$(GRAPH_APPS:%=capture-%): capture-%:
	$(call capture,traces/graphs,$*)

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

$(CAPTURE_PROGRAMS:%=$(CAPTURE_BUILD)/%): $(patsubst %,$(CAPTURE_BUILD)/traces/capture/%.o,host device_opencl)
$(patsubst %,$(CAPTURE_BUILD)/%,bfs $(GRAPH_PROGRAMS)): %: $(GRAPH_OBJECTS)
$(GRAPH_PROGRAMS:%=$(CAPTURE_BUILD)/%): %: $(CAPTURE_BUILD)/traces/capture/frontier.o
$(CAPTURE_PROGRAMS:%=$(CAPTURE_BUILD)/%): $(CAPTURE_BUILD)/%: $(CAPTURE_BUILD)/traces/capture/%.o
	$(say) "  LD   $@"
	$(q)$(CC) -o $@ $^ -lOpenCL $(LIBS)

# What needs neither Oclgrind, LLVM nor OpenCL is tested with the rest.
$(BUILD)/tests/unit/test_capture_warps: $(BUILD)/traces/capture/warps.o
$(BUILD)/tests/unit/test_graph: $(patsubst %,$(BUILD)/traces/capture/%.o,graph graph_make graph_read)

-include $(wildcard $(CAPTURE_BUILD)/traces/capture/*.d $(CAPTURE_BUILD)/src/*/*.d)
