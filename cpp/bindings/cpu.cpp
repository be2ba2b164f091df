// Which instruction-set levels this CPU (and its operating system) can run, best first.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

namespace {

std::vector<std::string> levels() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
#if defined(__clang__)
  const bool lzcnt = true;  // not a name that every Clang knows; no CPU has BMI2 without it
#else
  const bool lzcnt = __builtin_cpu_supports("lzcnt");
#endif
  const bool v3 = v2 && lzcnt && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                  __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
                  __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vpopcntdq");
  std::vector<std::string> out;
  if (v4) out.emplace_back("v4");
  if (v3) out.emplace_back("v3");
  if (v2) out.emplace_back("v2");
  return out;
#else
  return {"any"};
#endif
}

}  // namespace

PYBIND11_MODULE(_cpu, m, pybind11::mod_gil_not_used()) {
  m.doc() = "What the CPU can run.";
  m.def("levels", &levels, "Instruction-set levels that this machine can run, best first.");
}
