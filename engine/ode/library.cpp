#ifdef SLIP_ODE

#include "engine/ode/library.h"

#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace slip {
namespace {

/// The call of this thread that the library is in.
struct GuardedOdeCall {
  std::jmp_buf back;
  char message[400] = "";
  int messages = 0;
};
thread_local GuardedOdeCall* guarded_ode_call = nullptr;

// Must not return.
void OnOdeError(int, const char* text, va_list values) {
  if (guarded_ode_call == nullptr) {
    std::vfprintf(stderr, text, values);
    std::abort();
  }
  std::vsnprintf(guarded_ode_call->message, sizeof guarded_ode_call->message, text, values);
  std::longjmp(guarded_ode_call->back, 1);
}
// The default writes to the terminal.
void OnOdeMessage(int, const char*, va_list) {
  if (guarded_ode_call != nullptr) ++guarded_ode_call->messages;
}

void InitOde() {
  static std::once_flag once;
  std::call_once(once, [] {
    dInitODE2(0);
    dSetErrorHandler(OnOdeError);
    dSetDebugHandler(OnOdeError);
    dSetMessageHandler(OnOdeMessage);
  });
}

}  // namespace

OdeWorld MakeOdeWorld(OdeThreads* threads) {
  InitOde();
  threads->reset(dThreadingAllocateSelfThreadedImplementation());
  OdeWorld world(dWorldCreate());
  dWorldSetStepThreadingImplementation(
      world.get(), dThreadingImplementationGetFunctions(threads->get()), threads->get());
  return world;
}

std::string_view GuardOde(void (*function)(void*), void* context, std::string* error,
                          int* messages) {
  GuardedOdeCall call;
  GuardedOdeCall* const before = guarded_ode_call;
  guarded_ode_call = &call;
  if (setjmp(call.back) == 0) function(context);
  guarded_ode_call = before;
  *messages = call.messages;
  if (call.message[0] == '\0') return {};
  *error = call.message;
  return *error;
}

std::string_view GuardOdeWithSeed(unsigned long seed, void (*function)(void*), void* context,
                                  std::string* error, int* messages) {
  static std::mutex random;
  const std::lock_guard<std::mutex> lock(random);
  dRandSetSeed(seed);
  return GuardOde(function, context, error, messages);
}

}  // namespace slip

#endif
