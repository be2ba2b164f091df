// Drawing an action: uniformly, or by logits. The same bits on every machine (docs/random-stream.md).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "core/random.hpp"
#include "game.hpp"

namespace zg {

template <LegalSet L>
Action draw_uniform(const L& legal, Stream& random) {
  return legal.nth(static_cast<int>(random.bounded(static_cast<std::uint64_t>(legal.count()))));
}

// floor(2^32 e^x) for x <= 0, by additions and multiplications in one order alone; no library's exp is the same
// everywhere. Relative error below 1e-8.
inline std::uint64_t exponential_weight(double x) {
  if (!(x > -23)) return 0;  // below 2^-32; also what is not a number
  constexpr double kLog2E = 1.4426950408889634;
  constexpr std::array<double, 8> kTaylor{1.0,
                                          0.6931471805599453,
                                          0.2402265069591007,
                                          0.05550410866482158,
                                          0.009618129107628477,
                                          0.0013333558146428443,
                                          0.00015403530393381608,
                                          0.000015252733804059841};  // of 2^f
  const double y = x * kLog2E;
  const double whole = std::floor(y);
  const double f = y - whole;
  double power = kTaylor.back();
  for (std::size_t i = kTaylor.size() - 1; i-- > 0;) power = power * f + kTaylor[i];
  return static_cast<std::uint64_t>(std::ldexp(power, 32 + static_cast<int>(whole)));
}

// The greatest logit of a legal action; NaN if there is one that no distribution has (NaN, infinity, or all -infinity).
template <LegalSet L>
float greatest_logit(const L& legal, std::span<const float> logits) {
  float most = -std::numeric_limits<float>::infinity();
  bool broken = false;
  legal.for_each([&](Action a) {
    const float x = logits[static_cast<std::size_t>(a)];
    broken |= std::isnan(x);
    most = std::max(most, x);
  });
  return broken || std::isinf(most) ? std::numeric_limits<float>::quiet_NaN() : most;
}

// Each legal action a with a chance in proportion to floor(2^32 exp(logit a - greatest)).
template <LegalSet L>
Action draw_by_logits(const L& legal, std::span<const float> logits, Stream& random) {
  const double most = greatest_logit(legal, logits);
  const auto weight = [&](Action a) {
    return exponential_weight(static_cast<double>(logits[static_cast<std::size_t>(a)]) - most);
  };
  std::uint64_t total = 0;
  legal.for_each([&](Action a) { total += weight(a); });
  std::uint64_t left = random.bounded(total);
  Action drawn = -1;
  legal.for_each([&](Action a) {
    if (drawn >= 0) return;
    const std::uint64_t here = weight(a);
    if (left < here)
      drawn = a;
    else
      left -= here;
  });
  return drawn;
}

}  // namespace zg
