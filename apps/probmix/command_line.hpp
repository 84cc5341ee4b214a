// The whole program behind main(), so that fuzzers can call it too.
#pragma once

namespace probmix::app {

// Runs the command that the arguments name and returns its exit code.
int run_command_line(int argc, char** argv);

}  // namespace probmix::app
