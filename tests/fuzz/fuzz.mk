# Fuzzers: one per reader of bytes that strangers wrote, and two of the timed replay, of settings and of cycles that it
# must not skip. They need clang (libFuzzer) and have a build folder of their own.

FUZZERS     := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
TO_FUZZ      = $(or $(ONLY),$(FUZZERS))
FUZZ_SAN    := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
PLAIN_STORE := -Wl,--wrap=XXH3_64bits,--wrap=ZSTD_compressCCtx
fuzz_object    = $(call object,$(1:%=tests/fuzz/%.c))
support_object = $(call object,$(1:%=tests/support/%.c))

.PHONY: fuzz fuzzers
fuzz: ## fuzz each reader, and the timed replay (ONLY="csv ..": some) for FUZZ_SECONDS (default 30); what breaks one stays in build/fuzz/found
	@test -z "$(filter-out $(FUZZERS),$(TO_FUZZ))" || \
	    { echo 'make fuzz: ONLY="$(ONLY)": expected some of: $(FUZZERS)' >&2; exit 2; }
	@command -v clang >/dev/null || { echo "make fuzz: needs clang (Debian package clang)" >&2; exit 1; }
	@tools/setup build
	@$(AGAIN) CC=clang BUILD=build/fuzz SAN='$(FUZZ_SAN)' fuzzers
	@tests/fuzz/run build/fuzz $(TO_FUZZ)

fuzzers: $(TO_FUZZ:%=$(BUILD)/fuzz_%) $(BUILD)/seeds

# Readers of text are linked with a writer that keeps nothing; readers of the native format with a store without
# checksums and compression.
FUZZ_EXTRA_wst := plain_store
FUZZ_LINK_wst  := $(PLAIN_STORE)
FUZZ_EXTRA_values := plain_store
FUZZ_LINK_values  := $(PLAIN_STORE)
FUZZ_EXTRA_wakes   := plain_store
FUZZ_SUPPORT_wakes := async_program folder generate mechanism_run trace wakes
FUZZ_LINK_wakes    := $(PLAIN_STORE) -lcmocka
FUZZ_EXTRA_settings   := plain_store
FUZZ_SUPPORT_settings := any_settings async_program folder generate mechanism_run trace values
FUZZ_LINK_settings    := $(PLAIN_STORE) -lcmocka
.SECONDEXPANSION:
$(BUILD)/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $$(call fuzz_object,memory_file $$(or $$(FUZZ_EXTRA_$$*),null_writer)) \
                 $$(call support_object,$$(FUZZ_SUPPORT_$$*)) $(LIB)
	$(say) "  LD   $@"
	$(q)clang $(SAN) -fsanitize=fuzzer $(LDFLAGS) $(FUZZ_LINK_$*) -o $@ $^ $(LIBS)

$(BUILD)/seeds: $(call fuzz_object,seeds plain_store) $(LIB)
	$(say) "  LD   $@"
	$(q)clang $(SAN) $(LDFLAGS) $(PLAIN_STORE) -o $@ $^ $(LIBS)
