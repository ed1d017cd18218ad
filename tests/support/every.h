/* Sanitizers are slow and look for other faults than the plain build: with them, of many combinations each EVERY-th
 * will do. */
#ifndef WS_TESTS_EVERY_H
#define WS_TESTS_EVERY_H

#ifdef __SANITIZE_ADDRESS__
enum { EVERY = 8 };
#else
enum { EVERY = 1 };
#endif

#endif
