// The little that our C++ tests need: a check that says what failed, and a way out on CPUs that lack the level.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace zg::tests {

inline constexpr int kSkip = 77;

#define ZG_CHECK(...)                                                                \
  do {                                                                               \
    if (!(__VA_ARGS__)) {                                                            \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (false)

// Call first in main: nothing compiled for the level may run before it.
inline void skip_unless_cpu_has_level() {
#if defined(__x86_64__)
  bool has = true;
#if defined(__AVX2__)
  has = has && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#endif
#if defined(__AVX512VBMI2__)
  has = has && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
        __builtin_cpu_supports("avx512vpopcntdq");
#endif
  if (!has) std::exit(kSkip);
#endif
}

}  // namespace zg::tests
