/* Linked in place of the real functions (--wrap): every checksum is 0, so that changed bytes pass, and nothing that the
 * writer packs becomes smaller, so that seeds are stored plainly. */
#include <xxhash.h>
#include <zstd.h>

XXH64_hash_t __wrap_XXH3_64bits(const void *bytes, size_t size);
size_t __wrap_ZSTD_compressCCtx(ZSTD_CCtx *context, void *out, size_t room, const void *in, size_t size,
                                int level);

XXH64_hash_t __wrap_XXH3_64bits(const void *bytes, size_t size) {
    (void)bytes, (void)size;
    return 0;
}

size_t __wrap_ZSTD_compressCCtx(ZSTD_CCtx *context, void *out, size_t room, const void *in, size_t size,
                                int level) {
    (void)context, (void)out, (void)room, (void)in, (void)level;
    return size;
}
