# Kernels in three groups, each in the alphabet's order: divergent inter-warp ones, divergent cache-limited ones, those
# whose loads ask for less than four lines; then the geometric means.
axis = "relative to none"
forms = "MRPB WarpPool ICC~and~coalesced~cache"
array bars_of[3] = [forms, forms, forms]
load folder."/mechanism_bars.gp"
