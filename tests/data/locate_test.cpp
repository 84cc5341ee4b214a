#include "probmix/data/locate.hpp"

#include <optional>

#include "support/temporary.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

constexpr std::string_view kWhat = "stocks/GOOG.csv, header Date,Open,High,Low,Close";

class Locate : public InTemporaryDirectory {
 protected:
  Locate() {
    if (const char* const value = std::getenv("PROBMIX_DATA")) before = value;
    ::unsetenv("PROBMIX_DATA");
  }
  ~Locate() override {
    ::unsetenv("PROBMIX_DATA");
    if (before) ::setenv("PROBMIX_DATA", before->c_str(), 1);
  }

  static std::string message(const std::string& option) {
    return message_of<Error>([&] { data_directory(option, kWhat); });
  }

  std::optional<std::string> before;
};

TEST_F(Locate, TheOptionWinsOverTheEnvironment) {
  EXPECT_EQ(data_directory(directory.string(), kWhat), directory);
  ::setenv("PROBMIX_DATA", "/nowhere", 1);
  EXPECT_EQ(data_directory(directory.string(), kWhat), directory);
  ::setenv("PROBMIX_DATA", directory.c_str(), 1);
  EXPECT_EQ(data_directory("", kWhat), directory);
}

TEST_F(Locate, SaysWhatIsWanted) {
  const std::string neither =
      "where are the data? Give their directory by --data or the environment variable "
      "PROBMIX_DATA; "
      "wanted: stocks/GOOG.csv, header Date,Open,High,Low,Close";
  EXPECT_EQ(message(""), neither);
  ::setenv("PROBMIX_DATA", "", 1);
  EXPECT_EQ(message(""), neither);
  ::setenv("PROBMIX_DATA", "no\nwhere", 1);
  EXPECT_EQ(message(""),
            "'no\\nwhere' (from PROBMIX_DATA) is not a directory; wanted: stocks/GOOG.csv, header "
            "Date,Open,High,Low,Close");
  const std::string file = write("file", "").string();
  EXPECT_EQ(message(file),
            "'" + file +
                "' (from --data) is not a directory; wanted: stocks/GOOG.csv, header "
                "Date,Open,High,Low,Close");
}

TEST_F(Locate, FilesWithOrWithoutTheirFolder) {
  const auto message = [&] {
    return message_of<Error>([&] { data_file(directory, "stocks/GOOG.csv", kWhat); });
  };
  const std::string missing = "there is no stocks/GOOG.csv in '" + directory.string() +
                              "'; wanted: stocks/GOOG.csv, header Date,Open,High,Low,Close";
  EXPECT_EQ(message(), missing);
  std::filesystem::create_directories(directory / "stocks" / "GOOG.csv");  // no file
  EXPECT_EQ(message(), missing);
  std::filesystem::remove_all(directory / "stocks");
  const auto flat = write("GOOG.csv", "");
  EXPECT_EQ(data_file(directory, "stocks/GOOG.csv", kWhat), flat);
  const auto nested = write("stocks/GOOG.csv", "");
  EXPECT_EQ(data_file(directory, "stocks/GOOG.csv", kWhat), nested);
}

}  // namespace
}  // namespace probmix::test
