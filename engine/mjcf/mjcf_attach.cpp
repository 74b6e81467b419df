// <attach>: a body of another model, or all that stands in its world, with its classes, meshes and
// colours, and what refers to it. All names get a prefix. Attached models attach none themselves.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOutermost = "main";
/// Attributes that name a class, and those that name an asset.
constexpr std::string_view kOfClasses[] = {"class", "childclass"};
constexpr std::string_view kOfAssets[] = {"mesh", "material", "texture", "hfield"};

bool IsOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const MjcfNode* FindBodyNode(const MjcfNode& node, const std::string& name) {
  for (const MjcfNode& child : node.children) {
    const std::string* own = child.Find("name");
    if (child.name == "body" && own != nullptr && *own == name) return &child;
    if (const MjcfNode* found = FindBodyNode(child, name)) return found;
  }
  return nullptr;
}

/// A model that was read, as it is before it is attached somewhere.
struct Source {
  MjcfNode root;
  int model = 0;
  bool good = false;
};

class Attacher {
 public:
  Attacher(MjcfNode* root, MjcfModel* model)
      : root_(*root), model_(*model), report_(*model->report), count_(CountMjcfNodes(*root)) {}

  void Attach() {
    for (const MjcfNode& section : root_.children) {
      if (section.name != "asset") continue;
      for (const MjcfNode& asset : section.children)
        if (asset.name == "model") ReadSource(asset);
    }
    for (MjcfNode& section : root_.children)
      if (section.name == "worldbody") AttachIn(&section);
    for (MjcfNode& section : sections_) root_.children.push_back(std::move(section));
  }

 private:
  void ReadSource(const MjcfNode& asset) {
    const MjcfItem item(asset, NameMjcf(asset), &report_);
    const std::string file = item.Text("file");
    if (file.empty()) return item.Fail("no file", "write file=\"NAME.xml\"");
    const std::string path = FindMjcfFile(asset, file, model_.folder, &report_);
    if (path.empty()) return;
    Result<MjcfNode> root = ParseAttachedMjcf(asset, path, &report_);
    if (!root) return;
    Source source{std::move(root).value(), 0, true};
    const std::string* own = source.root.Find("model");
    const std::string name = asset.Find("name") != nullptr ? item.Text("name")
                             : own != nullptr              ? *own
                                                           : fs::path(path).stem().string();
    MjcfSettings settings = ReadAttachedSettings(source.root, &model_);
    // its meshes count from its own folder, all files from that of the first
    settings.mesh_folder =
        (fs::path(file).parent_path() / settings.mesh_folder).lexically_normal().string();
    model_.attached.push_back(settings);
    source.model = static_cast<int>(model_.attached.size());
    Mark(source.model, &source.root);
    ExpandMjcfReplicas(&source.root, settings, &report_);
    if (!sources_.emplace(name, std::move(source)).second)
      item.Fail("a second model of this name", "names differ");
  }

  static void Mark(int model, MjcfNode* node) {
    node->model = model;
    for (MjcfNode& child : node->children) Mark(model, &child);
  }

  void AttachIn(MjcfNode* node) {
    for (MjcfNode& child : node->children) {
      if (child.name != "attach") {
        AttachIn(&child);
        continue;
      }
      MjcfNode frame = Graft(child);
      child = std::move(frame);
    }
  }

  /// An empty frame after an error.
  MjcfNode Graft(const MjcfNode& at) {
    CheckMjcfAttributes(at, &report_);
    MjcfNode frame;
    frame.name = "frame";
    frame.file = at.file;
    frame.line = at.line;
    const MjcfItem item(at, "attach", &report_);
    const auto found = sources_.find(item.Text("model"));
    if (found == sources_.end()) {
      item.Fail(fmt::format("there is no model {}", QuoteXml(item.Text("model"))),
                "models are named in <asset><model name=\"...\" file=\"...\"/>");
      return frame;
    }
    const Source& source = found->second;
    prefix_ = item.Text("prefix");
    count_ += CountMjcfNodes(source.root);
    if (count_ > kMostMjcfNodes) {
      item.Fail(fmt::format("more than {} elements with all models", kMostMjcfNodes),
                "is it a robot?");
      return frame;
    }
    for (const MjcfNode& section : source.root.children) {
      if (section.name != "worldbody") continue;
      if (!item.Has("body")) {
        frame.children.insert(frame.children.end(), section.children.begin(),
                              section.children.end());
        continue;
      }
      if (const MjcfNode* body = FindBodyNode(section, item.Text("body")))
        frame.children.push_back(*body);
    }
    if (frame.children.empty())
      item.Fail(item.Has("body")
                    ? fmt::format("model {} has no body {}", QuoteXml(item.Text("model")),
                                  QuoteXml(item.Text("body")))
                    : fmt::format("model {} has no bodies", QuoteXml(item.Text("model"))),
                "name one of its bodies");
    MjcfNames names;
    for (const MjcfNode& child : frame.children) CollectMjcfNames(child, &names);
    for (MjcfNode& child : frame.children) Prefix(&child);
    frame.attributes.emplace_back("childclass", prefix_ + std::string(kOutermost));
    AddSections(source, names);
    return frame;
  }

  // The rest of a model: classes, assets, and what refers to nothing but what was attached.
  void AddSections(const Source& source, const MjcfNames& names) {
    MjcfNode classes;
    classes.name = "default";
    classes.model = source.model;
    classes.file = source.root.file;
    classes.line = source.root.line;
    classes.attributes.emplace_back("class", prefix_ + std::string(kOutermost));
    for (const MjcfNode& section : source.root.children) {
      MjcfNode copy = section;
      copy.children.clear();
      if (section.name == "default") {
        for (MjcfNode child : section.children) {
          Prefix(&child);
          classes.children.push_back(std::move(child));
        }
      } else if (section.name == "asset") {
        for (MjcfNode child : section.children) AddAsset(std::move(child), &copy);
        sections_.push_back(std::move(copy));
      } else if (RefersMjcf(section.name)) {
        for (MjcfNode child : section.children) {
          if (!RefersOnlyTo(child, names)) continue;
          Prefix(&child);
          SetClass(&child);
          copy.children.push_back(std::move(child));
        }
        sections_.push_back(std::move(copy));
      } else if (section.name == "keyframe") {
        report_.Say(section, "keyframes of attached models are not read");
      }
    }
    sections_.insert(sections_.begin(), std::move(classes));
  }

  void AddAsset(MjcfNode asset, MjcfNode* section) {
    if (asset.name == "model") {
      report_.Fail(asset, "an attached model attaches another",
                   "one level is read: attach that one in the first file");
      return;
    }
    // what has no name has that of its file
    const std::string* file = asset.Find("file");
    if (asset.Find("name") == nullptr && file != nullptr)
      asset.attributes.emplace_back("name", fs::path(*file).stem().string());
    Prefix(&asset);
    if (asset.name == "mesh" || asset.name == "material") SetClass(&asset);
    section->children.push_back(std::move(asset));
  }

  void SetClass(MjcfNode* node) const {
    if (node->Find("class") == nullptr && node->name != "exclude")
      node->attributes.emplace_back("class", prefix_ + std::string(kOutermost));
  }

  static bool RefersOnlyTo(const MjcfNode& node, const MjcfNames& names) {
    for (const auto& [attribute, value] : node.attributes) {
      const std::string_view kind = KindOfMjcfReference(attribute);
      if (kind.empty()) continue;
      const auto known = names.find(kind);
      if (known == names.end() || !known->second.contains(value)) return false;
    }
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](const MjcfNode& child) { return RefersOnlyTo(child, names); });
  }

  // Of all names and of what refers to them.
  void Prefix(MjcfNode* node) const {
    for (auto& [attribute, value] : node->attributes) {
      const bool names = attribute == "name" || IsOneOf(attribute, kOfClasses) ||
                         IsOneOf(attribute, kOfAssets) || !KindOfMjcfReference(attribute).empty();
      if (names) value = prefix_ + value;
    }
    for (MjcfNode& child : node->children) Prefix(&child);
  }

  MjcfNode& root_;
  MjcfModel& model_;
  MjcfReport& report_;
  std::map<std::string, Source> sources_;
  std::vector<MjcfNode> sections_;
  std::string prefix_;
  std::size_t count_;
};

}  // namespace

void AttachMjcfModels(MjcfNode* root, MjcfModel* model) { Attacher(root, model).Attach(); }

}  // namespace slip
