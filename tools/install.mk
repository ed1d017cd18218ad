# make install, make uninstall: under $(DESTDIR)$(PREFIX). Packagers stage with DESTDIR; PREFIX is where it will be.

SO_VERSION := $(firstword $(subst ., ,$(VERSION)))
SO         := libwarpsweep.so.$(SO_VERSION)
SHARED     := $(BUILD)/$(SO)
AT         := $(DESTDIR)$(PREFIX)
DATA       := share/warpsweep
DOC        := share/doc/warpsweep
MANUAL     := share/man/man1/warpsweep.1
COMPLETION := share/bash-completion/completions/warpsweep

# Everything that is installed, as FOLDER of the prefix, mode and files; uninstall reads the same list.
INSTALLED := bin:755:$(BINARY) lib:644:$(LIB) lib:755:$(SHARED) \
    $(foreach f,$(wildcard include/warpsweep/*.h),include/warpsweep:644:$(f)) \
    lib/pkgconfig:644:$(BUILD)/warpsweep.pc $(dir $(MANUAL)):644:$(BUILD)/warpsweep.1 \
    $(dir $(COMPLETION)):644:$(BUILD)/completion/warpsweep \
    $(foreach f,$(wildcard plots/*.sql plots/*.gp),$(DATA)/plots:644:$(f)) \
    $(foreach f,$(wildcard sweeps/gpus/*.json),$(DATA)/gpus:644:$(f)) \
    $(foreach f,$(wildcard sweeps/*.json),$(DATA)/sweeps:644:$(f)) $(DATA)/sweeps:755:sweeps/slurm.sh \
    $(foreach f,$(wildcard sweeps/energy/*.json),$(DATA)/energy:644:$(f)) \
    $(foreach f,$(wildcard results/*.sql),$(DATA)/results:644:$(f)) \
    $(DOC):644:README.md $(DOC)/plots:644:plots/example.png \
    $(foreach d,plots results sweeps traces,$(foreach f,$(wildcard $(d)/*.md),$(DOC)/$(d):644:$(f)))
part = $(word $(2),$(subst :, ,$(1)))
# The folders of the prefix that install made, a line each: they go when uninstall leaves them empty.
MADE := $(DATA)/folders

.PHONY: shared install uninstall
install: export PREFIX := $(PREFIX) # the shell is to see its quotes as they are

shared: $(SHARED) # what install links, ahead of the tests that install

install: $(BINARY) $(LIB) $(SHARED) ## install command, library, documentation, figures, GPUs, specifications (PREFIX, DESTDIR)
	@refuse() { printf 'PREFIX: expected a path %s, found '"'%s'\n" "$$1" "$$PREFIX" >&2; exit 2; }; case "$$PREFIX" in \
	    *[\&\|\\\'\"\`\$$\#]*) refuse "without & | \\ ' \" \` \$$ #" ;; /*) ;; *) refuse "from / on" ;; esac
	@mkdir -p $(BUILD)/completion
	@./$(BINARY) help --man >$(BUILD)/warpsweep.1
	@./$(BINARY) help --bash >$(BUILD)/completion/warpsweep
	@sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|@PACKAGES@|$(PACKAGES)|' tools/warpsweep.pc.in >$(BUILD)/warpsweep.pc
	@mkdir -p "$(AT)"
	@made=$$(cd "$(AT)" && LC_ALL=C mkdir -pv $(sort $(foreach i,$(INSTALLED),$(call part,$(i),1)))) && \
	    echo "$$made" | sed -n "s/.*directory '\(.*\)'/\1/p" >>"$(AT)/$(MADE)"
	@$(foreach i,$(INSTALLED),install -m $(call part,$(i),2) -t "$(AT)/$(call part,$(i),1)" $(call part,$(i),3) &&) true
	@ln -sf $(SO) "$(AT)/lib/libwarpsweep.so"
	@echo "installed under $(AT)"

uninstall: ## remove what install put under PREFIX
	@rm -f $(foreach i,$(INSTALLED),"$(AT)/$(call part,$(i),1)/$(notdir $(call part,$(i),3))") "$(AT)/lib/libwarpsweep.so"
	@if cd "$(AT)" 2>/dev/null && [ -f $(MADE) ]; then \
	    made=$$(sort -r $(MADE)); rm -f $(MADE); for d in $$made; do rmdir "$$d" 2>/dev/null; done; fi; true

# It exports what the public headers declare, but nothing else of its own or of the static libraries in it. Only calls are
# bound within it: a component that a program names may be copied into the program, and is known by its address.
$(SHARED): $(call object,$(LIB_SOURCES))
	$(say) "  LD   $@"
	$(q)$(CC) $(SAN) $(LDFLAGS) -shared -Wl,-soname,$(SO) -Wl,-Bsymbolic-functions -Wl,-z,defs -Wl,--exclude-libs,ALL -o $@ $^ $(LIBS)
