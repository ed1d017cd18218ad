# Kernels by class (divergent, cache-limited, bandwidth-limited, the others), each in the alphabet's order; then the
# geometric means.
axis = "relative to none"
shared = 0 # time, misses and traffic
forms = "MRPB WarpPool coarse~fetch ICC~with~cache SWL~of~4 banked~L1"
load folder."/mechanism_bars.gp"
