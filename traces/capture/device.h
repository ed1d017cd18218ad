/* The device behind host.h: through OpenCL (device_opencl.c) or CUDA (device_cuda.c), which also implement host_read(),
 * host_write() and host_close(). */
#ifndef WARPSWEEP_CAPTURE_DEVICE_H
#define WARPSWEEP_CAPTURE_DEVICE_H

#include "host.h"

/* Opens the device and loads kernels: a source file for OpenCL, a cubin for CUDA. */
void device_open(const char *kernels);
host_memory device_allocate(size_t bytes);
void device_launch(const char *kernel, const size_t threads[2], const size_t block[2],
                   const host_argument *arguments, size_t count);

#endif
