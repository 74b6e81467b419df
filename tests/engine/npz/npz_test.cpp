// Archives of NumPy: what is written is read back, what NumPy packs is unpacked, and whatever is
// cut, bent or a bomb is one sentence.
#include "engine/npz/npz_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>

#include "engine/npz/npz_writer.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

std::string Number(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
  return text;
}

std::string Npy(const std::string& dictionary, const std::string& data) {
  return std::string("\x93NUMPY\x01\x00", 8) + Number(dictionary.size(), 2) + dictionary + data;
}

/// A zip file of one array, with the sizes that are claimed for it.
std::string Zip(const std::string& name, const std::string& bytes, const std::string& packed,
                int method, uint64_t claimed) {
  const auto crc =
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  const std::string middle =
      Number(20, 2) + Number(0, 2) + Number(static_cast<uint64_t>(method), 2) + Number(0, 4) +
      Number(crc, 4) + Number(packed.size(), 4) + Number(claimed, 4) + Number(name.size(), 2);
  const std::string local = "PK\x03\x04" + middle + Number(0, 2) + name + packed;
  const std::string row =
      "PK\x01\x02" + Number(20, 2) + middle + Number(0, 12) + Number(0, 4) + name;
  return local + row + "PK\x05\x06" + Number(0, 4) + Number(1, 2) + Number(1, 2) +
         Number(row.size(), 4) + Number(local.size(), 4) + Number(0, 2);
}

std::string Deflate(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
  std::string packed(bytes.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

const char* const kPair = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n";

std::string Pair() {
  const double values[] = {1.5, -2};
  return Npy(kPair, std::string(reinterpret_cast<const char*>(values), sizeof values));
}

/// The one sentence about a file of these bytes.
std::string Refusal(const std::string& bytes) {
  const TempFolder folder;
  WriteText(folder.path("x.npz"), bytes);
  const auto file = NpzFile::Read(folder.path("x.npz"));
  if (file) return "read";
  EXPECT_EQ(file.errors().size(), 1u);
  return file.error().message;
}

TEST(Npz, GivesBackWhatItWrote) {
  const TempFolder folder;
  const std::string path = folder.path("x.npz");
  auto writer = NpzWriter::Open(path);
  ASSERT_TRUE(writer);
  NpzWriter& w = **writer;
  const int time = w.Add("time", NpyType::kF8), place = w.Add("place", NpyType::kF8, {3}),
            short_one = w.Add("short", NpyType::kF4), number = w.Add("number", NpyType::kI4),
            key = w.Add("key", NpyType::kI8);
  const std::vector<std::string> names = {"box", "\xc3\xa4\xe2\x82\xac", ""};
  w.AddTexts("names", names, false);
  w.AddTexts("order", std::vector<std::string>{"wxyz"}, true);
  w.AddNumber("step", 1e-3);
  constexpr int kRows = 20000;  // more than one chunk
  for (int i = 0; i < kRows; ++i) {
    w.Put(time, 0.1 * i);
    w.Put(place, std::vector<double>{1.0 * i, 2.0 * i, 3.0 * i});
    w.Put(short_one, 0.5 * i);
    w.Put(number, int64_t{-i});
    w.Put(key, int64_t{i} << 40);
  }
  auto file = OutputFile::Open(path, false);
  ASSERT_TRUE(file);
  w.Finish(file->get());
  ASSERT_TRUE((*file)->Commit());
  EXPECT_TRUE(w.good());

  const auto npz = NpzFile::Read(path);
  ASSERT_TRUE(npz) << npz.error().Text();
  EXPECT_EQ(npz->Find("place")->shape(), (std::vector<int64_t>{kRows, 3}));
  EXPECT_EQ(npz->Find("time")->Number(kRows - 1), 0.1 * (kRows - 1));
  EXPECT_EQ(npz->Find("place")->Number(3 * 7777 + 2), 3.0 * 7777);
  EXPECT_EQ(npz->Find("short")->Number(9), 4.5);
  EXPECT_EQ(npz->Find("number")->Number(19999), -19999);
  EXPECT_EQ(npz->Find("key")->Number(5), std::ldexp(5, 40));
  EXPECT_EQ(npz->Find("names")->Text(0), "box");
  EXPECT_EQ(npz->Find("names")->Text(1), names[1]);
  EXPECT_EQ(npz->Find("names")->Text(2), "");
  EXPECT_EQ(npz->Find("order")->Text(0), "wxyz");
  EXPECT_TRUE(npz->Find("order")->shape().empty());
  EXPECT_EQ(npz->Find("step")->Number(0), 1e-3);
  EXPECT_EQ(npz->Find("nothing"), nullptr);
  EXPECT_TRUE(std::isnan(npz->Find("time")->Number(kRows))) << "behind the end";
}

TEST(Npz, UnpacksWhatNumPyPacks) {
  const TempFolder folder;
  WriteText(folder.path("x.npz"), Zip("a.npy", Pair(), Deflate(Pair()), 8, Pair().size()));
  const auto npz = NpzFile::Read(folder.path("x.npz"));
  ASSERT_TRUE(npz) << npz.error().Text();
  EXPECT_EQ(npz->Find("a")->Number(0), 1.5);
  EXPECT_EQ(npz->Find("a")->Number(1), -2);
}

TEST(Npz, SaysWhatItDoesNotRead) {
  const auto of_type = [](const char* type, const char* fortran = "False") {
    const std::string bytes = Npy(std::string("{'descr': '") + type +
                                      "', 'fortran_order': " + fortran + ", 'shape': (2,), }\n",
                                  std::string(16, '\0'));
    return Refusal(Zip("a.npy", bytes, bytes, 0, bytes.size()));
  };
  EXPECT_EQ(of_type("<f8"), "read");
  EXPECT_EQ(of_type("|O"), "array 'a' holds pickled Python objects, which are never read");
  EXPECT_EQ(of_type(">f8"), "array 'a' holds '>f8': f4, f8, i4, i8 and texts are read");
  EXPECT_EQ(of_type("|b1"), "array 'a' holds '|b1': f4, f8, i4, i8 and texts are read");
  EXPECT_EQ(of_type("<f8", "True"), "array 'a' lies in Fortran's order");
  const auto of_shape = [](const std::string& shape) {
    const std::string bytes =
        Npy("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }\n", "12345678");
    return Refusal(Zip("a.npy", bytes, bytes, 0, bytes.size()));
  };
  EXPECT_EQ(of_shape("(1,)"), "read");
  EXPECT_EQ(of_shape("()"), "read");
  EXPECT_EQ(of_shape("(2,)"), "array 'a' should have 2 items and is cut off");
  EXPECT_EQ(of_shape("(-1,)"), "array 'a' is no array of NumPy, or cut off");
  EXPECT_EQ(of_shape("(4611686018427387904, 4)"), "array 'a' is no array of NumPy, or cut off");
  EXPECT_EQ(of_shape("(0, 9223372036854775807, 2)"), "array 'a' is no array of NumPy, or cut off");
  EXPECT_EQ(Refusal(Zip("a.txt", Pair(), Pair(), 0, Pair().size())),
            "'a.txt' in it is no array of NumPy");
  EXPECT_EQ(Refusal(Zip("a.npy", Pair(), Pair(), 9, Pair().size())),
            "'a.npy' is packed by another method than deflate");
}

TEST(Npz, RefusesBombs) {
  const std::string zeros = Npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000,), }\n",
                                std::string(8000000, '\0'));
  const std::string packed = Deflate(zeros);
  ASSERT_GT(zeros.size(), 1000 * packed.size());
  EXPECT_EQ(Refusal(Zip("a.npy", zeros, packed, 8, zeros.size())),
            "'a.npy' would unpack to more than 1000 times its size");
  // less is claimed than comes out, or more
  EXPECT_EQ(Refusal(Zip("a.npy", Pair(), Deflate(Pair()), 8, Pair().size() - 8)),
            "'a.npy' is damaged: its bytes are not those written");
  EXPECT_EQ(Refusal(Zip("a.npy", Pair(), Deflate(Pair()), 8, Pair().size() + 8)),
            "'a.npy' is damaged: its bytes are not those written");
  // 4 GiB in two arrays that each are within the ratio: refused before anything is unpacked
  std::string bomb = Zip("a.npy", Pair(), std::string(4400000, 'x'), 8, 0xfffffff0);
  EXPECT_NE(Refusal(bomb), "read");
}

TEST(Npz, AnyCutOrBentByteIsASentence) {
  const TempFolder folder;
  const std::string whole = Zip("a.npy", Pair(), Deflate(Pair()), 8, Pair().size());
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(Refusal(whole.substr(0, length)), "read") << length;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string bent = whole;
      bent[at] = static_cast<char>(bent[at] ^ (1 << bit));
      WriteText(folder.path("x.npz"), bent);
      const auto file = NpzFile::Read(folder.path("x.npz"));
      if (!file) {
        EXPECT_EQ(file.errors().size(), 1u);
      } else if (const NpyArray* array = file->Find("a")) {
        EXPECT_EQ(array->Number(0), 1.5) << at;
      }
    }
  }
  EXPECT_EQ(NpzFile::Read(folder.path()).error().message, "is no file");
  EXPECT_EQ(NpzFile::Read(folder.path("none.npz")).error().message, "no such file");
}

}  // namespace
}  // namespace slip
