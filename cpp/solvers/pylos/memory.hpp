// Large zeroed arrays.
#pragma once

#include <cstddef>
#include <new>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#else
#include <cstring>
#endif

namespace zg::pylos::solver {

// Memory is the system's own until it is touched, and comes in large pages where there are any.
template <class T>
class Pages {
 public:
  explicit Pages(std::size_t n) : size_(n) {
    if (n == 0) return;
#if __has_include(<sys/mman.h>)
    void* memory = mmap(nullptr, n * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(memory, n * sizeof(T), MADV_HUGEPAGE);
#endif
#else
    void* memory = std::memset(::operator new(n * sizeof(T), std::align_val_t{64}), 0, n * sizeof(T));
#endif
    data_ = static_cast<T*>(memory);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() {
#if __has_include(<sys/mman.h>)
    if (data_ != nullptr) munmap(data_, size_ * sizeof(T));
#else
    ::operator delete(data_, std::align_val_t{64});
#endif
  }

  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

}  // namespace zg::pylos::solver
