// Runs a target on files, without libFuzzer: replay model FILE ... Prints the name of each file
// before its turn, so that the last one is to blame for a crash, and then whether it was accepted.
// What the program prints on stdout is dropped.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "target.hpp"

int main(int argc, char** argv) {
  const probmix::fuzz::Target& target = probmix::fuzz::target(argc > 1 ? argv[1] : "");
  std::FILE* const log = fdopen(dup(STDOUT_FILENO), "w");
  const int nothing = open("/dev/null", O_WRONLY);
  dup2(nothing, STDOUT_FILENO);
  for (int k = 2; k < argc; ++k) {
    std::fprintf(log, "%s\n", argv[k]);
    std::fflush(log);
    std::ostringstream bytes;
    bytes << std::ifstream(argv[k], std::ios::binary).rdbuf();
    std::fprintf(log, target.run(bytes.str()) ? "  accepted\n" : "  refused\n");
  }
  return 0;
}
