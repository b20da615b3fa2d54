/* What the generated C needs from the C library: included, or where there are no headers, declared
 * here and linked by libtcc.py. */

#ifdef WITHOUT_HEADERS
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef __SIZE_TYPE__ size_t;
#define INT32_MAX 2147483647
#define INT32_MIN (-INT32_MAX - 1)
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807ll
#define INT64_MIN (-INT64_MAX - 1)
#define NULL ((void *)0)
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *one, const void *other, size_t size);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *before, size_t size);
void free(void *before);
typedef struct { long long room[64]; } jmp_buf[1]; /* larger than on any target of libtcc */
int _setjmp(jmp_buf at);
void longjmp(jmp_buf at, int value);
#define setjmp _setjmp
#else
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#endif
