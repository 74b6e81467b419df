#ifdef SLIP_MUJOCO

#include "engine/mujoco/library.h"

#include <fmt/format.h>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace slip {
namespace {

/// The call of this thread that the library is in.
struct GuardedCall {
  std::jmp_buf back;
  char message[400] = "";
};
thread_local GuardedCall* guarded_call = nullptr;

// Must not return.
void OnError(const char* message) {
  if (guarded_call == nullptr) {
    std::fprintf(stderr, "MuJoCo: %s\n", message);
    std::abort();
  }
  std::snprintf(guarded_call->message, sizeof guarded_call->message, "%s", message);
  std::longjmp(guarded_call->back, 1);
}
// The default writes a log file into the folder. What warnings tell of is seen here by itself:
// states that are not finite, and lists that are full.
void OnWarning(const char*) {}

void SetHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    mju_user_error = OnError;
    mju_user_warning = OnWarning;
  });
}

struct DataToMake {
  const mjModel* model;
  mjData* data;
};

}  // namespace

std::string VersionText(int number) {
  return fmt::format("{}.{}.{}", number / 100, number / 10 % 10, number % 10);
}

std::string_view GuardMujoco(void (*function)(void*), void* context, std::string* error) {
  SetHandlers();
  GuardedCall call;
  GuardedCall* const before = guarded_call;
  guarded_call = &call;
  if (setjmp(call.back) == 0) function(context);
  guarded_call = before;
  if (call.message[0] == '\0') return {};
  *error = call.message;
  return *error;
}

MujocoModel LoadMujocoModel(const std::string& text, std::string* error) {
  SetHandlers();
  // one at a time: its reader of XML has memory of its own for the last model
  static std::mutex reading;
  const std::lock_guard<std::mutex> lock(reading);
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  constexpr const char* kName = "model.xml";
  mj_makeEmptyFileVFS(files.get(), kName, static_cast<int>(text.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), kName)], text.data(), text.size());
  char message[1000] = "";
  MujocoModel model(mj_loadXML(kName, files.get(), message, sizeof message));
  mj_deleteVFS(files.get());
  if (model == nullptr) *error = message;
  return model;
}

MujocoData MakeMujocoData(const mjModel* model, std::string* error) {
  DataToMake make{model, nullptr};
  GuardMujoco(
      [](void* context) {
        auto* of = static_cast<DataToMake*>(context);
        of->data = mj_makeData(of->model);
      },
      &make, error);
  return MujocoData(make.data);
}

}  // namespace slip

#endif
