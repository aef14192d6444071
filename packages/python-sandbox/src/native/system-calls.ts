/** Supported architectures. */
export type Arch = 'x64' | 'arm64';

/** Calls that an interpreter with numpy needs. Null: the architecture lacks the call. */
export const ALLOWED: Readonly<Record<string, readonly [x64: number | null, arm64: number | null]>> = {
  read: [0, 63],
  write: [1, 64],
  open: [2, null],
  close: [3, 57],
  stat: [4, null],
  fstat: [5, 80],
  lstat: [6, null],
  poll: [7, null],
  lseek: [8, 62],
  mmap: [9, 222],
  mprotect: [10, 226],
  munmap: [11, 215],
  brk: [12, 214],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  pread64: [17, 67],
  readv: [19, 65],
  writev: [20, 66],
  access: [21, null],
  select: [23, null],
  sched_yield: [24, 124],
  mremap: [25, 216],
  madvise: [28, 233],
  dup: [32, 23],
  dup2: [33, null],
  nanosleep: [35, 101],
  getpid: [39, 172],
  exit: [60, 93],
  uname: [63, 160],
  fcntl: [72, 25],
  getcwd: [79, 17],
  readlink: [89, null],
  gettimeofday: [96, 169],
  getrlimit: [97, 163],
  getrusage: [98, 165],
  sysinfo: [99, 179],
  times: [100, 153],
  getuid: [102, 174],
  getgid: [104, 176],
  geteuid: [107, 175],
  getegid: [108, 177],
  getppid: [110, 173],
  sigaltstack: [131, 132],
  arch_prctl: [158, null],
  setrlimit: [160, 164],
  gettid: [186, 178],
  futex: [202, 98],
  sched_getaffinity: [204, 123],
  getdents64: [217, 61],
  set_tid_address: [218, 96],
  restart_syscall: [219, 128],
  clock_gettime: [228, 113],
  clock_getres: [229, 114],
  clock_nanosleep: [230, 115],
  exit_group: [231, 94],
  tgkill: [234, 131],
  openat: [257, 56],
  newfstatat: [262, 79],
  readlinkat: [267, 78],
  faccessat: [269, 48],
  pselect6: [270, 72],
  ppoll: [271, 73],
  set_robust_list: [273, 99],
  dup3: [292, 24],
  prlimit64: [302, 261],
  getrandom: [318, 278],
  membarrier: [324, 283],
  statx: [332, 291],
  rseq: [334, 293],
  faccessat2: [439, 439],
};

/** Needed during the start only; see {@link SystemCalls.untilReady}. */
const UNTIL_READY = { execve: [59, 221], execveat: [322, 281], seccomp: [317, 277] } as const;
const CLONE = [56, 220] as const;
const IOCTL = [16, 29] as const;

/** System-call numbers of one architecture. */
export type SystemCalls = {
  readonly allowed: readonly number[];
  /** Also allowed until the process revokes them. */
  readonly untilReady: readonly number[];
  readonly seccomp: number;
  /** Allowed for threads, not for processes. */
  readonly clone: number;
  /** Allowed for the requests that Python makes when opening a file. */
  readonly ioctl: number;
};

/** The numbers for `arch`. */
export function systemCallsOf(arch: Arch): SystemCalls {
  const at = arch === 'x64' ? 0 : 1;
  const numbers = (table: Readonly<Record<string, readonly [number | null, number | null]>>) =>
    Object.values(table)
      .map((pair) => pair[at])
      .filter((number) => number !== null);
  return {
    allowed: numbers(ALLOWED),
    untilReady: numbers(UNTIL_READY),
    seccomp: UNTIL_READY.seccomp[at],
    clone: CLONE[at],
    ioctl: IOCTL[at],
  };
}
