/* How many elements an array has; not of a pointer. */
#ifndef WS_BASE_ARRAY_H
#define WS_BASE_ARRAY_H

#define WS_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
