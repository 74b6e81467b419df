// From text to a tree of elements, through tinyxml2, and what is included in its place.
#include "engine/mjcf/mjcf_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/core/other_case.h"
#include "engine/urdf/urdf_xml.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr int kMostIncludes = 16;  // one within the other
constexpr int kMostNesting = 300;  // of elements
constexpr std::size_t kMostBytes = 64 * kMebibyte;
constexpr std::size_t kMostErrors = 100, kMostRemarks = 200;
constexpr std::string_view kMjcfRoot = "<mujoco>";

class TreeMaker {
 public:
  TreeMaker(std::string folder, MjcfReport* report)
      : folder_(std::move(folder)), report_(*report) {}

  /// Appends the root of a text, or what it includes in the place of `from`.
  bool Read(std::string_view text, const std::string& name, MjcfNode* root) {
    tinyxml2::XMLDocument document;
    if (const Status xml = ParseXml(text, name, &document, kMjcfFile, kMjcfRoot); !xml.ok()) {
      for (const Error& error : xml.errors()) report_.Add(error);
      return false;
    }
    const tinyxml2::XMLElement* element = document.RootElement();
    if (element == nullptr) {
      report_.Add(
          {.message = "the file has no element", .file = name, .hint = "expected <mujoco>"});
      return false;
    }
    root->name = element->Name();
    root->line = element->GetLineNum();
    root->file = file_;
    return Fill(*element, 0, root);
  }

  bool ReadModel(std::string_view text, const std::string& path, MjcfNode* root) {
    file_ = static_cast<int>(report_.files.size());
    report_.files.push_back(path);
    open_ = {report_.files.front(), path};
    bytes_ = text.size();
    return Read(text, path, root);
  }

  bool ReadRoot(std::string_view text, MjcfNode* root) {
    open_.push_back(report_.files.front());
    bytes_ = text.size();
    return Read(text, report_.files.front(), root);
  }

 private:
  bool Fill(const tinyxml2::XMLElement& element, int depth, MjcfNode* node) {
    const int file = node->file;
    if (depth + depth_ > kMostNesting) {
      report_.Fail(*node, "elements are nested too deeply",
                   fmt::format("at most {} within each other", kMostNesting));
      return false;
    }
    if (++elements_ > kMostMjcfNodes) {
      report_.Fail(*node, fmt::format("more than {} elements", kMostMjcfNodes), "is it a robot?");
      return false;
    }
    for (const auto* a = element.FirstAttribute(); a != nullptr; a = a->Next())
      node->attributes.emplace_back(a->Name(), a->Value());
    for (const auto* child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      MjcfNode next;
      next.name = child->Name();
      next.line = child->GetLineNum();
      next.file = file;
      if (next.name == "include") {
        for (const auto* a = child->FirstAttribute(); a != nullptr; a = a->Next())
          next.attributes.emplace_back(a->Name(), a->Value());
        if (!Include(next, depth, node)) return false;
        continue;
      }
      if (!Fill(*child, depth + 1, &next)) return false;
      node->children.push_back(std::move(next));
    }
    return true;
  }

  // True where reading goes on, after an error too.
  bool Include(const MjcfNode& at, int depth, MjcfNode* parent) {
    if (++elements_ > kMostMjcfNodes) {
      report_.Fail(at, fmt::format("more than {} elements", kMostMjcfNodes), "is it a robot?");
      return false;
    }
    const std::string* name = at.Find("file");
    if (name == nullptr || name->empty()) {
      report_.Fail(at, "<include> without a file", "write <include file=\"NAME.xml\"/>");
      return true;
    }
    const std::string path = FindMjcfFile(at, *name, folder_, &report_);
    if (path.empty()) return true;
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
      report_.Fail(at, fmt::format("{} includes itself", QuoteXml(*name)),
                   "an included file may not include what includes it");
      return true;
    }
    if (open_.size() > kMostIncludes) {
      report_.Fail(at, "files include each other too deeply",
                   fmt::format("at most {} within each other", kMostIncludes));
      return false;
    }
    const Result<std::string> text = ReadTextFile(path, kMjcfFile);
    if (!text) {
      for (const Error& error : text.errors())
        report_.Fail(at, fmt::format("included file {}: {}", QuoteXml(*name), error.message),
                     error.hint);
      return true;
    }
    bytes_ += text->size();
    if (bytes_ > kMostBytes) {
      report_.Fail(at,
                   fmt::format("more than {} MiB in all included files", kMostBytes / kMebibyte),
                   "is it a robot?");
      return false;
    }
    const int before = file_;
    file_ = static_cast<int>(report_.files.size());
    report_.files.push_back(path);
    open_.push_back(path);
    depth_ += depth;
    MjcfNode included;
    const bool read = Read(*text, path, &included);
    depth_ -= depth;
    open_.pop_back();
    file_ = before;
    for (MjcfNode& child : included.children) parent->children.push_back(std::move(child));
    return read || report_.failed();
  }

  std::string folder_;
  MjcfReport& report_;
  std::vector<std::string> open_;  // files that are being read
  int file_ = 0, depth_ = 0;
  std::size_t elements_ = 0, bytes_ = 0;
};

}  // namespace

const std::string* MjcfNode::Find(std::string_view attribute) const {
  for (const auto& [key, value] : attributes)
    if (key == attribute) return &value;
  return nullptr;
}

void MjcfReport::Fail(const MjcfNode& at, std::string message, std::string hint) {
  if (errors_.size() > 10 * kMostErrors) return;  // nobody reads on
  errors_.push_back({.message = std::move(message),
                     .file = files.at(static_cast<std::size_t>(at.file)),
                     .line = at.line,
                     .hint = std::move(hint)});
}

void MjcfReport::Say(const MjcfNode& at, const std::string& remark) {
  const auto [known, fresh] = known_.emplace(remark, remarks_.size());
  if (fresh) {
    const std::string file =
        at.file == 0
            ? std::string()
            : fs::path(files.at(static_cast<std::size_t>(at.file))).filename().string() + ", ";
    remarks_.push_back({fmt::format("{}line {}", file, at.line), remark});
  }
  ++remarks_[known->second].times;
}

void MjcfReport::Say(const std::string& remark) {
  if (known_.emplace(remark, remarks_.size()).second) remarks_.push_back({{}, remark, 1});
}

ErrorList MjcfReport::TakeErrors() {
  std::stable_sort(errors_.begin(), errors_.end(), [this](const Error& a, const Error& b) {
    const auto place = [this](const Error& e) {
      return std::find(files.begin(), files.end(), e.file) - files.begin();
    };
    return std::pair(place(a), a.line) < std::pair(place(b), b.line);
  });
  if (errors_.size() > kMostErrors) {
    const std::size_t more = errors_.size() - kMostErrors;
    errors_.resize(kMostErrors);
    errors_.push_back({.message = fmt::format("and {} more", more),
                       .file = files.front(),
                       .hint = "correct these first"});
  }
  return std::move(errors_);
}

std::vector<std::string> MjcfReport::TakeNotes() {
  std::vector<std::string> notes;
  for (const Remark& remark : remarks_) {
    if (notes.size() == kMostRemarks) {
      notes.emplace_back("and more like these");
      break;
    }
    std::string place;
    if (!remark.place.empty())
      place = remark.times > 1 ? fmt::format(" ({} and {} more)", remark.place, remark.times - 1)
                               : fmt::format(" ({})", remark.place);
    notes.push_back(remark.text + place);
  }
  return notes;
}

Result<MjcfNode> ParseMjcf(std::string_view text, const std::string& folder, MjcfReport* report) {
  MjcfNode root;
  const bool read = TreeMaker(folder, report).ReadRoot(text, &root);
  if (!read) return report->TakeErrors();
  if (root.name != "mujoco") {
    report->Fail(root, fmt::format("the root is <{}>", root.name), "expected <mujoco>");
    return report->TakeErrors();
  }
  return root;
}

Result<MjcfNode> ParseAttachedMjcf(const MjcfNode& at, const std::string& path,
                                   MjcfReport* report) {
  const Result<std::string> text = ReadTextFile(path, kMjcfFile);
  if (!text) {
    for (const Error& error : text.errors())
      report->Fail(at, fmt::format("attached file {}: {}", QuoteXml(path, 200), error.message),
                   error.hint);
    return ErrorList{};
  }
  MjcfNode root;
  if (!TreeMaker(fs::path(path).parent_path().string(), report).ReadModel(*text, path, &root))
    return ErrorList{};
  if (root.name == "mujoco") return root;
  report->Fail(root, fmt::format("the root is <{}>", root.name), "expected <mujoco>");
  return ErrorList{};
}

std::size_t CountMjcfNodes(const MjcfNode& node) {
  std::size_t count = 1;
  for (const MjcfNode& child : node.children) count += CountMjcfNodes(child);
  return count;
}

bool StaysNear(const std::string& name) {
  std::string plain = name;
  std::replace(plain.begin(), plain.end(), '\\', '/');
  const fs::path given = fs::path(plain).lexically_normal();
  const bool control =
      std::any_of(plain.begin(), plain.end(), [](char c) { return c >= 0 && c < ' '; });
  // in a normal path all of them come first
  const auto up = std::count(given.begin(), given.end(), fs::path(".."));
  return !(given.is_absolute() || given.empty() || up > kMostFoldersUp || control ||
           (plain.size() > 1 && plain[1] == ':'));
}

std::string FindMjcfFile(const MjcfNode& at, const std::string& name, const std::string& folder,
                         MjcfReport* report) {
  if (!StaysNear(name)) {
    report->Fail(
        at, fmt::format("{} leads out of the model's folders", QuoteXml(name)),
        fmt::format("name it from the file's folder, by at most {} times '../'", kMostFoldersUp));
    return {};
  }
  std::string plain = name;
  std::replace(plain.begin(), plain.end(), '\\', '/');
  const std::string path = (fs::path(folder) / fs::path(plain).lexically_normal()).string();
  std::error_code code;
  if (fs::exists(path, code)) return path;
  const std::string other = FindOtherCase(path);
  report->Fail(at, fmt::format("there is no file {}", QuoteXml(path, 200)),
               other.empty() ? "names count from the file's folder"
                             : fmt::format("there is {}: upper and lower case differ",
                                           QuoteXml(other, other.size() + 1)));
  return {};
}

}  // namespace slip
