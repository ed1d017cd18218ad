/* The device through OpenCL: kernels are in a source file. */
#define CL_TARGET_OPENCL_VERSION 120
#include "device.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUFFERS_MAX = 32 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffers[BUFFERS_MAX];
static size_t buffer_count;

static void check(cl_int status, const char *call) {
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "%s failed with OpenCL status %d\n", call, status);
    exit(EXIT_FAILURE);
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = host_allocate(1 << 16, 1);
    if (!file || fread(text, 1, (1 << 16) - 1, file) == 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    return text;
}

void device_open(const char *kernels) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    char *text = read_text(kernels);
    program = clCreateProgramWithSource(context, 1, (const char *[]){text}, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    free(text);
}

void host_close(void) {
    while (buffer_count) check(clReleaseMemObject(buffers[--buffer_count]), "clReleaseMemObject");
    check(clReleaseProgram(program), "clReleaseProgram");
    check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    check(clReleaseContext(context), "clReleaseContext");
}

host_memory device_allocate(size_t bytes) {
    cl_int status = buffer_count < BUFFERS_MAX ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    check(status, "device_allocate");
    buffers[buffer_count] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    check(status, "clCreateBuffer");
    return (host_memory)buffers[buffer_count++];
}

void host_write(host_memory buffer, size_t bytes, const void *data) {
    check(clEnqueueWriteBuffer(queue, (cl_mem)buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
          "clEnqueueWriteBuffer");
}

void host_read(host_memory buffer, size_t bytes, void *data) {
    check(clEnqueueReadBuffer(queue, (cl_mem)buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
          "clEnqueueReadBuffer");
}

void device_launch(const char *name, const size_t threads[2], const size_t block[2],
                   const host_argument *arguments, size_t count) {
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, "clCreateKernel");
    for (size_t i = 0; i < count; i++)
        check(clSetKernelArg(kernel, (cl_uint)i, arguments[i].bytes, arguments[i].value), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, threads, block, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    check(clReleaseKernel(kernel), "clReleaseKernel");
}
