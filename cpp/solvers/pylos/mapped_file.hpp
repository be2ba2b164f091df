// A file as memory.
#pragma once

#include <cerrno>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"

namespace zg::pylos::solver {

// Takes a file out of its folder before a new one of this name is written: who has the old one mapped keeps it whole.
inline void set_aside(const std::string& path) {
  struct stat facts{};
  if (lstat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode)) unlink(path.c_str());
}

class MappedFile {
 public:
  enum class Access { Read, Write };

  // FileError if there is no such file, or it cannot be mapped.
  explicit MappedFile(const std::string& path, Access access = Access::Read) {
    const bool write = access == Access::Write;
    // O_NONBLOCK: what is no file, such as a pipe, is not waited for.
    const int file = open(path.c_str(), (write ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) throw FileError(errno, path);
    struct stat facts{};
    int error = fstat(file, &facts) == 0 ? 0 : errno;
    if (error == 0 && S_ISDIR(facts.st_mode)) error = EISDIR;
    if (error == 0 && facts.st_size > 0) {
      size_ = static_cast<std::size_t>(facts.st_size);
      void* memory = mmap(nullptr, size_, write ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
      if (memory == MAP_FAILED)
        error = errno;
      else
        data_ = static_cast<std::byte*>(memory);
    }
    close(file);
    if (error != 0) throw FileError(error, path);
  }
  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MappedFile() {
    if (data_ != nullptr) munmap(data_, size_);
  }

  static bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

  std::span<const std::byte> bytes() const { return {data_, data_ == nullptr ? 0 : size_}; }
  std::byte* data() { return data_; }

  // A new file of that size, with its place on the disk reserved: FileError if the disk is full.
  static MappedFile create(const std::string& path, std::size_t bytes) {
    set_aside(path);
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) throw FileError(errno, path);
    const int error = reserve(file, static_cast<off_t>(bytes));
    close(file);
    if (error != 0) {
      unlink(path.c_str());
      throw FileError(error, path);
    }
    return MappedFile(path, Access::Write);
  }

 private:
  static int reserve(int file, off_t bytes) {
#if defined(__APPLE__)
    fstore_t place{F_ALLOCATEALL, F_PEOFPOSMODE, 0, bytes, 0};
    return fcntl(file, F_PREALLOCATE, &place) == -1 || ftruncate(file, bytes) != 0 ? errno : 0;
#else
    return posix_fallocate(file, 0, bytes);
#endif
  }

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace zg::pylos::solver
