// probmix: the command line.
#include "command_line.hpp"
#include "terminal.hpp"

int main(int argc, char** argv) {
  probmix::app::prepare_process();
  return probmix::app::run_command_line(argc, argv);
}
