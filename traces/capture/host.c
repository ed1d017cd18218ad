#include "host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFERS_MAX = 32, NAME_MAX_B = 64 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffers[BUFFERS_MAX];
static size_t buffer_count;
static bool is_unshared;

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

void host_open(int argc, char **argv) {
    is_unshared = argc == 3 && strcmp(argv[1], "--unshared") == 0;
    if (argc != 2 + is_unshared) {
        fprintf(stderr, "usage: %s [--unshared] KERNELS.cl\n", argv[0]);
        exit(EXIT_FAILURE);
    }
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    char *text = read_text(argv[argc - 1]);
    program = clCreateProgramWithSource(context, 1, (const char *[]){text}, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    free(text);
}

bool host_is_unshared(void) {
    return is_unshared;
}

void host_close(void) {
    while (buffer_count) check(clReleaseMemObject(buffers[--buffer_count]), "clReleaseMemObject");
    check(clReleaseProgram(program), "clReleaseProgram");
    check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    check(clReleaseContext(context), "clReleaseContext");
}

cl_mem host_buffer(size_t bytes, const void *data) {
    cl_int status = buffer_count < BUFFERS_MAX ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    check(status, "host_buffer");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    check(status, "clCreateBuffer");
    buffers[buffer_count++] = buffer;
    void *zeros = data ? NULL : host_allocate(bytes, 1);
    host_write(buffer, bytes, data ? data : zeros);
    free(zeros);
    return buffer;
}

void host_write(cl_mem buffer, size_t bytes, const void *data) {
    check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
          "clEnqueueWriteBuffer");
}

void host_read(cl_mem buffer, size_t bytes, void *data) {
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "clEnqueueReadBuffer");
}

void host_launch(const char *name, const size_t threads[2], const size_t block[2],
                 const host_argument *arguments, size_t count) {
    cl_int status;
    char full_name[NAME_MAX_B];
    snprintf(full_name, sizeof full_name, "%s%s", name, is_unshared ? "_unshared" : "");
    cl_kernel kernel = clCreateKernel(program, full_name, &status);
    check(status, "clCreateKernel");
    for (size_t i = 0; i < count; i++)
        check(clSetKernelArg(kernel, (cl_uint)i, arguments[i].bytes, arguments[i].value), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, threads, block, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    check(clReleaseKernel(kernel), "clReleaseKernel");
}

void *host_allocate(size_t count, size_t item_bytes) {
    void *items = calloc(count, item_bytes);
    if (items) return items;
    fputs("out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

float *host_numbers(size_t count, uint64_t seed) {
    float *numbers = host_allocate(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++) numbers[i] = (float)host_random_below(&seed, 17) - 8.0f;
    return numbers;
}

void host_expect(const char *what, const float *device, const double *expected, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if ((double)device[i] == expected[i] && fabs(expected[i]) < (1 << 24)) continue;
        fprintf(stderr, "%s[%zu]: the device computed %.9g, plain C %.17g\n", what, i, (double)device[i],
                expected[i]);
        exit(EXIT_FAILURE);
    }
}

void host_expect_close(const char *what, const float *device, const double *expected, size_t count,
                       double tolerance) {
    for (size_t i = 0; i < count; i++) {
        if (fabs((double)device[i] - expected[i]) <= tolerance * fabs(expected[i])) continue;
        fprintf(stderr, "%s[%zu]: the device computed %.9g, plain C %.17g, further apart than %g\n", what, i,
                (double)device[i], expected[i], tolerance);
        exit(EXIT_FAILURE);
    }
}

void host_expect_ints(const char *what, const int32_t *device, const int32_t *expected, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (device[i] == expected[i]) continue;
        fprintf(stderr, "%s[%zu]: the device computed %d, plain C %d\n", what, i, device[i], expected[i]);
        exit(EXIT_FAILURE);
    }
}
