// The solver of Pylos, its tables and their files. An argument says how many option sets are solved; without it all
// are, and all files are damaged.
#include <cstdio>
#include <cstdlib>

#include "pylos_solver_check.hpp"
#include "pylos_table_check.hpp"

int main(int argc, char** argv) {
  using namespace zg::tests;
  skip_unless_cpu_has_level();
  const int sets = argc > 1 ? std::atoi(argv[1]) : 99;
  ZG_CHECK(sets > 0);
  const std::size_t positions = pylos_solver::check_solver(static_cast<std::size_t>(sets));
  ZG_CHECK(positions > 15'000);
  pylos_solver::check_tables(sets >= 10);
  std::printf("%zu positions are judged right, and no damaged table told anything wrong\n", positions);
}
