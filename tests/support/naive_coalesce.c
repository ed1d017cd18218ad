#include "naive.h"

unsigned naive_coalesce(const uint64_t *addresses, unsigned lanes, unsigned width, unsigned line_B,
                        naive_request *out) {
    unsigned count = 0;
    for (unsigned lane = 0; lane < lanes; lane++)
        for (unsigned byte = 0; byte < width; byte++) {
            uint64_t address = addresses[lane] + byte;
            unsigned i = 0;
            while (i < count && out[i].line != address / line_B) i++;
            if (i == count) out[count++] = (naive_request){.line = address / line_B};
            out[i].touched[address % line_B] = true;
        }
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = i + 1; j < count; j++)
            if (out[j].line < out[i].line) {
                naive_request swap = out[i];
                out[i] = out[j];
                out[j] = swap;
            }
    return count;
}

uint64_t naive_words(const naive_request *r) {
    uint64_t words = 0;
    for (unsigned byte = 0; byte < 256; byte++)
        if (r->touched[byte]) words |= UINT64_C(1) << byte / 4;
    return words;
}

unsigned naive_bytes(const naive_request *r) {
    unsigned bytes = 0;
    for (unsigned byte = 0; byte < 256; byte++) bytes += r->touched[byte];
    return bytes;
}

unsigned naive_sectors(const naive_request *r, unsigned sector_B) {
    unsigned sectors = 0;
    for (unsigned begin = 0; begin < 256; begin += sector_B) {
        bool touched = false;
        for (unsigned byte = begin; byte < begin + sector_B; byte++) touched |= r->touched[byte];
        sectors += touched;
    }
    return sectors;
}
