#include "probmix/data/find_files.hpp"

#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

constexpr std::string_view what = "stocks/GOOG.csv, header Date,Open,High,Low,Close";

using FindFiles = InTemporaryDirectory;

TEST_F(FindFiles, FilesWithOrWithoutTheirFolder) {
  std::filesystem::create_directories(directory / "stocks" / "GOOG.csv");  // not a file
  EXPECT_THROW(data_file(directory, "stocks/GOOG.csv", what), Error);
  std::filesystem::remove_all(directory / "stocks");
  const auto flat = write("GOOG.csv", "");
  EXPECT_EQ(data_file(directory, "stocks/GOOG.csv", what), flat);
  const auto nested = write("stocks/GOOG.csv", "");
  EXPECT_EQ(data_file(directory, "stocks/GOOG.csv", what), nested);
  EXPECT_EQ(data_file(directory, "GOOG.csv", what), flat);
}

TEST_F(FindFiles, AMissingFileIsAnsweredByThoseThatAreThere) {
  const auto message = [&](const char* file) {
    return message_of<Error>([&] { data_file(directory / "", file, what); });
  };
  const std::string place = directory.string();
  const std::string neither =
      "there is no file '" + place + "/stocks/GOOG.csv' or '" + place + "/GOOG.csv'; ";
  const std::string wanted = "; wanted: stocks/GOOG.csv, header Date,Open,High,Low,Close";
  EXPECT_EQ(message("stocks/GOOG.csv"), neither + "found no *.csv at all" + wanted);
  write("notes.txt", "");
  std::filesystem::create_directories(directory / "old.csv");
  EXPECT_EQ(message("stocks/GOOG.csv"), neither + "found no *.csv at all" + wanted);
  write("goog.csv", "");
  write("A\n.CSV", "");
  write("stocks/GME.csv", "");
  write("other/RCL.csv", "");  // not searched
  EXPECT_EQ(message("stocks/GOOG.csv"),
            neither + "found: 'A\\n.CSV', 'goog.csv', 'stocks/GME.csv'" + wanted);
  EXPECT_EQ(message("GOOG.csv"), "there is no file '" + place +
                                     "/GOOG.csv'; found: " + "'A\\n.CSV', 'goog.csv'" + wanted);
  for (int i = 0; i < 8; ++i) write("b" + std::to_string(i) + ".csv", "");
  EXPECT_NE(message("stocks/GOOG.csv").find("'b7.csv', 'goog.csv' and 1 more; wanted"),
            std::string::npos);
}

}  // namespace
}  // namespace probmix::test
