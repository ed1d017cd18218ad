# Measuring the bundled kernels on an NVIDIA GPU: their OpenCL C becomes PTX by the LLVM that the capture has, and a cubin by
# CUDA's assembler. Neither unrolls a loop that the capture does not (-O1), so that both run the same accesses. The host
# programs are the capture's, on CUDA's driver.
CUDA             ?= /usr/local/cuda
HARDWARE_ARCH    := sm_90
HARDWARE_BUILD   := build/hardware
# Of the frontiers' programs, those with few launches.
HARDWARE_TRACES  := $(CAPTURE_APPS) $(DIVERGENT_APPS) $(COLUMN_APPS) $(SHARED_APPS) $(UNSHARED_APPS) \
                    $(filter pagerank-% %-kron %-collab,$(GRAPH_APPS))
HARDWARE_KERNELS := $(sort $(foreach trace,$(HARDWARE_TRACES),$(call kernels_of,$(trace))))
HARDWARE_OBJECTS := $(patsubst %,$(CAPTURE_BUILD)/traces/capture/%.o,host device_cuda)
# clang 14 knows no newer GPU than sm_86.
HARDWARE_CLFLAGS := -x cl -target nvptx64-nvidia-nvcl $(addprefix -Xclang ,-target-cpu sm_80 -target-feature +ptx70) -O2 \
                    -mllvm -unroll-runtime=false -mllvm -unroll-allow-partial=false -Wall -Werror

.PHONY: hardware hardware-programs

hardware: $(BINARY) $(BUILD)/tests/hardware/replayed ## hold what the traces count against an NVIDIA GPU that runs their kernels; writes tests/hardware.*
	@for tool in clang-14 $(CUDA)/bin/ptxas ncu nvidia-smi; do command -v $$tool >/dev/null || \
	    { echo "hardware: there is no $$tool; it needs clang 14, CUDA (CUDA=$(CUDA)), Nsight Compute and a GPU" >&2; exit 1; }; done
	@$(AGAIN) hardware-programs
	@CUDA=$(CUDA) tests/hardware/profile $(HARDWARE_BUILD)
	@tests/hardware/table $(HARDWARE_BUILD) >$(HARDWARE_BUILD)/hardware.csv
	@cp $(HARDWARE_BUILD)/hardware.csv tests/hardware.csv
	@cp $(HARDWARE_BUILD)/facts tests/hardware/facts
	@W=./$(BINARY) REPLAYED=$(BUILD)/tests/hardware/replayed tests/hardware/compare $(HARDWARE_BUILD)
	@tests/hardware/page $(HARDWARE_BUILD) >$(HARDWARE_BUILD)/hardware.md
	@cp $(HARDWARE_BUILD)/hardware.md tests/hardware.md

hardware-programs: $(HARDWARE_KERNELS:%=$(HARDWARE_BUILD)/%.cubin) $(CAPTURE_PROGRAMS:%=$(HARDWARE_BUILD)/%)
	@printf '%s\n' $(foreach trace,$(HARDWARE_TRACES),"$(trace) $(call program_of,$(trace)) $(call \
	    options_of,$(trace)) $(call kernels_of,$(trace)).cubin") >$(HARDWARE_BUILD)/commands

$(HARDWARE_BUILD)/%.ptx: traces/capture/%.cl traces/capture/opencl_on_ptx.h
	@mkdir -p $(@D)
	$(say) "  PTX  $<"
	$(q)clang-14 $(HARDWARE_CLFLAGS) -include traces/capture/opencl_on_ptx.h -S -o $@ $<

$(HARDWARE_BUILD)/%.cubin: $(HARDWARE_BUILD)/%.ptx
	$(say) "  SASS $@"
	$(q)$(CUDA)/bin/ptxas -arch $(HARDWARE_ARCH) -O1 -o $@ $<

$(CAPTURE_BUILD)/traces/capture/device_cuda.o: ALL_CFLAGS += -isystem $(CUDA)/include

$(CAPTURE_PROGRAMS:%=$(HARDWARE_BUILD)/%): $(HARDWARE_OBJECTS)
$(patsubst %,$(HARDWARE_BUILD)/%,bfs $(GRAPH_PROGRAMS)): $(GRAPH_OBJECTS)
$(GRAPH_PROGRAMS:%=$(HARDWARE_BUILD)/%): $(CAPTURE_BUILD)/traces/capture/frontier.o
$(CAPTURE_PROGRAMS:%=$(HARDWARE_BUILD)/%): $(HARDWARE_BUILD)/%: $(CAPTURE_BUILD)/traces/capture/%.o
	@mkdir -p $(@D)
	$(say) "  LD   $@"
	$(q)$(CC) -o $@ $^ -Wl,--as-needed $(LIBS) -L$(CUDA)/lib64/stubs -lcuda
