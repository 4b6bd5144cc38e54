#include "CLinux.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define TARGET __attribute__((target("sse4.2")))
#define STEP8(crc, value) ((uint32_t)_mm_crc32_u64(crc, value))
#define STEP1(crc, value) _mm_crc32_u8(crc, value)

bool clinux_crc32c_is_supported(void) { return __builtin_cpu_supports("sse4.2"); }

#elif defined(__aarch64__)
#include <sys/auxv.h>
#define TARGET __attribute__((target("crc")))
#define STEP8(crc, value) __builtin_arm_crc32cd(crc, value)
#define STEP1(crc, value) __builtin_arm_crc32cb(crc, value)

// HWCAP_CRC32 of the kernel's <asm/hwcap.h>.
bool clinux_crc32c_is_supported(void) { return (getauxval(AT_HWCAP) & (1UL << 7)) != 0; }

#endif

#ifdef TARGET

TARGET uint32_t clinux_crc32c(uint32_t seed, const void *bytes, size_t count) {
  const unsigned char *next = bytes;
  uint32_t crc = ~seed;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    crc = STEP8(crc, word);
  }
  for (; count > 0; count--, next++) crc = STEP1(crc, *next);
  return ~crc;
}

#else

bool clinux_crc32c_is_supported(void) { return false; }

uint32_t clinux_crc32c(uint32_t seed, const void *bytes, size_t count) {
  (void)seed, (void)bytes, (void)count;
  __builtin_trap();
}

#endif
