#include "terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/options/option.hpp"
#include "probmix/report/page/text.hpp"

namespace probmix::app {

namespace {

constexpr std::string_view clear_line = "\r\033[K";

void write_stderr(std::string_view text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

bool stderr_is_terminal() {
  const char* const kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && (kind == nullptr || std::string_view(kind) != "dumb");
}

// Cuts the line to the terminal's width: a wrapped line could not be rewritten in place.
std::string cut(std::string_view line) {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  std::string_view rest = line;
  for (int column = known ? size.ws_col : 80; column > 1 && !rest.empty(); --column) {
    report::take_code_point(rest);
  }
  return std::string(line.substr(0, line.size() - rest.size()));
}

void leave_cleanly(int signal) {
  write_stderr(clear_line);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::atomic<bool> remembers = false;  // while an Interrupt exists
std::atomic<bool> was_asked = false;

void remember(int signal) {
  if (was_asked.exchange(true)) leave_cleanly(signal);
}

void on_interrupt(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

}  // namespace

PaintedLine::PaintedLine(std::function<std::string()> text) : text_(std::move(text)) {
  if (!stderr_is_terminal()) return;
  if (!remembers) on_interrupt(leave_cleanly);
  painter_ = std::jthread([this](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any tick;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      write_stderr(std::string(clear_line) + cut(text_()));
      tick.wait_for(lock, stop, std::chrono::milliseconds(100), [] { return false; });
    }
  });
}

PaintedLine::~PaintedLine() {
  if (!painter_.joinable()) return;
  painter_.request_stop();
  painter_.join();
  write_stderr(clear_line);
  if (!remembers) on_interrupt(SIG_DFL);
}

ProgressLine::ProgressLine(std::string label, std::size_t total, std::size_t done_before)
    : progress_(std::move(label), total, done_before),
      done_(done_before),
      painted_([this] { return progress_.line(done_, elapsed_seconds()); }) {}

CountLine::CountLine(std::string what)
    : what_(std::move(what)),
      painted_([this] { return fmt::format("{} {}", count_.load(), what_); }) {}

Interrupt::Interrupt() {
  was_asked = false;
  remembers = true;
  on_interrupt(remember);
}

Interrupt::~Interrupt() {
  on_interrupt(SIG_DFL);
  remembers = false;
}

bool Interrupt::asked() const { return was_asked; }

double ProgressLine::elapsed_seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::string counted(Index n, const std::string& what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

void print(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  check(written, "cannot write to standard output: {}", std::strerror(errno));
}

void say(std::string line) {
  line = with_spelling(line, [](std::string_view option) { return fmt::format("--{}", option); });
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  write_stderr(visible(line) + "\n");
}

void prepare_process() {
  for (const int descriptor : {0, 1, 2}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free descriptor is taken. Results that cannot be printed are still an error.
    const int mode = descriptor == 1 ? O_RDONLY : O_WRONLY;
    if (::open("/dev/null", mode) != descriptor) std::abort();
  }
  std::signal(SIGXFSZ, SIG_IGN);  // writing then fails with EFBIG, which is reported
}

void check_writable(const std::filesystem::path& given) {
  namespace fs = std::filesystem;
  constexpr std::string_view remedy = "choose another path";
  std::error_code ignored;
  fs::path path = given;
  // Follows links, also one to nothing.
  for (int links = 0; links < 40 && fs::is_symlink(path, ignored); ++links) {
    path = path.parent_path() / fs::read_symlink(path, ignored);  // an absolute one stands alone
  }
  check(!fs::is_symlink(path, ignored), "cannot write '{}': its links lead in a circle; {}",
        given.string(), remedy);
  check(!fs::is_directory(path, ignored), "cannot write '{}': it is a directory; {}", path.string(),
        remedy);
  const bool device = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  check(fs::is_directory(folder, ignored),
        "cannot write '{}': there is no directory '{}'; create it first, or {}", path.string(),
        folder.string(), remedy);
  const int error = ::access((device ? path : folder).c_str(), W_OK) == 0 ? 0 : errno;
  check(error == 0, "cannot write '{}': {}; {}", path.string(), std::strerror(error), remedy);
}

void check_other_file(const std::string& option, const std::filesystem::path& out,
                      const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const std::string& input : inputs) {
    const bool is_same =
        fs::weakly_canonical(out, ignored) == fs::weakly_canonical(input, ignored) ||
        fs::equivalent(out, input, ignored);  // under another name
    check_usage(!is_same, "{} is '{}', which is also an input; choose another path", option, input);
  }
}

}  // namespace probmix::app
