#include "probmix/data/locate.hpp"

#include <optional>

#include "support/message.hpp"
#include "support/temporary.hpp"

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
  std::filesystem::create_directories(directory / "stocks" / "GOOG.csv");  // no file
  EXPECT_THROW(data_file(directory, "stocks/GOOG.csv", kWhat), Error);
  std::filesystem::remove_all(directory / "stocks");
  const auto flat = write("GOOG.csv", "");
  EXPECT_EQ(data_file(directory, "stocks/GOOG.csv", kWhat), flat);
  const auto nested = write("stocks/GOOG.csv", "");
  EXPECT_EQ(data_file(directory, "stocks/GOOG.csv", kWhat), nested);
  EXPECT_EQ(data_file(directory, "GOOG.csv", kWhat), flat);
}

TEST_F(Locate, AMissingFileIsAnsweredByThoseThatAreThere) {
  const auto message = [&](const char* file) {
    return message_of<Error>([&] { data_file(directory / "", file, kWhat); });
  };
  const std::string place = directory.string();
  const std::string neither =
      "there is no file '" + place + "/stocks/GOOG.csv' or '" + place + "/GOOG.csv'; ";
  const std::string wanted = "; wanted: stocks/GOOG.csv, header Date,Open,High,Low,Close";
  EXPECT_EQ(message("stocks/GOOG.csv"), neither + "there is no *.csv at all" + wanted);
  write("notes.txt", "");
  std::filesystem::create_directories(directory / "old.csv");
  EXPECT_EQ(message("stocks/GOOG.csv"), neither + "there is no *.csv at all" + wanted);
  write("goog.csv", "");
  write("A\n.CSV", "");
  write("stocks/GME.csv", "");
  write("other/RCL.csv", "");  // not searched
  EXPECT_EQ(message("stocks/GOOG.csv"),
            neither + "there are: 'A\\n.CSV', 'goog.csv', 'stocks/GME.csv'" + wanted);
  EXPECT_EQ(message("GOOG.csv"), "there is no file '" + place +
                                     "/GOOG.csv'; there are: " + "'A\\n.CSV', 'goog.csv'" + wanted);
  for (int i = 0; i < 8; ++i) write("b" + std::to_string(i) + ".csv", "");
  EXPECT_NE(message("stocks/GOOG.csv").find("'b7.csv', 'goog.csv' and 1 more; wanted"),
            std::string::npos);
}

}  // namespace
}  // namespace probmix::test
