/* The number of elements of an array; does not work for a pointer. */
#ifndef WS_BASE_ARRAY_H
#define WS_BASE_ARRAY_H

#define WS_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
