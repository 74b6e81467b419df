#include "engine/core/helper_filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <vector>

namespace slip {
namespace {

#if defined(__x86_64__)
constexpr unsigned kFilterMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kFilterMachine = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned kFilterMachine = 0;
#endif

/// Memory, open files, signals to itself, clocks, the end.
constexpr unsigned kHelperCalls[] = {
    __NR_read,          __NR_write,           __NR_readv,
    __NR_writev,        __NR_pread64,         __NR_lseek,
    __NR_fstat,         __NR_newfstatat,      __NR_statx,
    __NR_close,         __NR_fcntl,           __NR_dup,
    __NR_mmap,          __NR_munmap,          __NR_mremap,
    __NR_mprotect,      __NR_madvise,         __NR_brk,
    __NR_futex,         __NR_rt_sigaction,    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,  __NR_sigaltstack,     __NR_tgkill,
    __NR_getpid,        __NR_gettid,          __NR_getrandom,
    __NR_clock_gettime, __NR_gettimeofday,    __NR_nanosleep,
    __NR_sched_yield,   __NR_clock_nanosleep, __NR_restart_syscall,
    __NR_rt_sigsuspend, __NR_ppoll,           __NR_exit,
    __NR_exit_group,
#ifdef __NR_pause
    __NR_pause,
#endif
};

sock_filter Step(unsigned code, unsigned value, unsigned char if_true = 0,
                 unsigned char if_false = 0) {
  return {static_cast<unsigned short>(code), if_true, if_false, value};
}

}  // namespace

void FilterHelperCalls() {
  if (kFilterMachine == 0) return;
  constexpr unsigned kLoad = BPF_LD | BPF_W | BPF_ABS, kEqual = BPF_JMP | BPF_JEQ | BPF_K,
                     kReturn = BPF_RET | BPF_K;
  // as on a system too old to know the call, so that libraries find another way
  constexpr unsigned kRefuse = SECCOMP_RET_ERRNO | ENOSYS;
  std::vector<sock_filter> steps = {
      Step(kLoad, offsetof(seccomp_data, arch)),
      Step(kEqual, kFilterMachine, 1, 0),
      Step(kReturn, kRefuse),
      Step(kLoad, offsetof(seccomp_data, nr)),
  };
  for (const unsigned call : kHelperCalls) {
    steps.push_back(Step(kEqual, call, 0, 1));
    steps.push_back(Step(kReturn, SECCOMP_RET_ALLOW));
  }
  // files are opened to be read; the third argument says for what
  constexpr std::size_t kFlags = offsetof(seccomp_data, args) + 2 * sizeof(__u64);
  constexpr unsigned kLowHalf = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0;
  steps.push_back(Step(kEqual, __NR_openat, 1, 0));
  steps.push_back(Step(kReturn, kRefuse));
  steps.push_back(Step(kLoad, static_cast<unsigned>(kFlags) + kLowHalf));
  steps.push_back(
      Step(BPF_JMP | BPF_JSET | BPF_K,
           O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY), 0, 1));
  steps.push_back(Step(kReturn, kRefuse));
  steps.push_back(Step(kReturn, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(steps.size()), steps.data()};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

}  // namespace slip
