/**
 * System-call filters as classic BPF programs. An allow-list, since a deny-list ages with each kernel. Other calls fail
 * with ENOSYS, which libraries are prepared for.
 */
import { systemCallsOf } from './system-calls.ts';
import type { Arch } from './system-calls.ts';

/** One instruction; `jt` and `jf` are how many to skip if a comparison is true or false. */
type Instruction = { readonly code: number; readonly jt?: number; readonly jf?: number; readonly k: number };

/** `BPF_LD | BPF_W | BPF_ABS`, `BPF_JMP | BPF_JEQ | BPF_K`, `BPF_JMP | BPF_JSET | BPF_K`, `BPF_RET | BPF_K`. */
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_SET = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const ENOSYS = 38;
const REFUSE = 0x0005_0000 + ENOSYS;

/** Offsets in `struct seccomp_data`; for arguments the lower half, both architectures being little-endian. */
const NUMBER_AT = 0;
const ARCH_AT = 4;
const FIRST_ARGUMENT_AT = 16;
const SECOND_ARGUMENT_AT = 24;

const AUDIT_ARCH: Readonly<Record<Arch, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
const CLONE_THREAD = 0x0001_0000;
/** `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID` and `NEWNET`. */
const NAMESPACES = 0x7e02_0000;
/** `TCGETS` (Python's check for a terminal) and `FIOCLEX`. */
const IOCTL_REQUESTS = [0x5401, 0x5451];

const load = (k: number): Instruction => ({ code: LOAD, k });
const end = (k: number): Instruction => ({ code: RETURN, k });
/** Runs `then`, which must end the program, if the call number is `k`. */
const onCall = (k: number, then: readonly Instruction[]): readonly Instruction[] => [
  { code: JUMP_IF_EQUAL, jf: then.length, k },
  ...then,
];

/** Call numbers of another architecture, as in emulated programs, mean other calls. */
const onlyFor = (arch: Arch): readonly Instruction[] => [
  load(ARCH_AT),
  { code: JUMP_IF_EQUAL, jt: 1, k: AUDIT_ARCH[arch] },
  end(KILL_PROCESS),
  load(NUMBER_AT),
];

/** Filter for a contained interpreter from its start. */
export function containingFilter(arch: Arch): Buffer {
  const { allowed, untilReady, clone, ioctl } = systemCallsOf(arch);
  return assemble([
    ...onlyFor(arch),
    ...[...allowed, ...untilReady].flatMap((number) => onCall(number, [end(ALLOW)])),
    ...onCall(clone, [
      load(FIRST_ARGUMENT_AT),
      { code: JUMP_IF_SET, jt: 2, k: NAMESPACES },
      { code: JUMP_IF_SET, jf: 1, k: CLONE_THREAD },
      end(ALLOW),
      end(REFUSE),
    ]),
    ...onCall(ioctl, [
      load(SECOND_ARGUMENT_AT),
      ...IOCTL_REQUESTS.flatMap((request) => onCall(request, [end(ALLOW)])),
      end(REFUSE),
    ]),
    end(REFUSE),
  ]);
}

/** Additional filter that revokes calls needed only during the start. */
export function readyFilter(arch: Arch): Buffer {
  return assemble([
    ...onlyFor(arch),
    ...systemCallsOf(arch).untilReady.flatMap((number) => onCall(number, [end(REFUSE)])),
    end(ALLOW),
  ]);
}

/** An array of `struct sock_filter`. */
function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, jt = 0, jf = 0, k }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jt, index * 8 + 2);
    bytes.writeUInt8(jf, index * 8 + 3);
    bytes.writeUInt32LE(k, index * 8 + 4);
  }
  return bytes;
}
