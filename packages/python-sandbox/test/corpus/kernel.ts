/** Ways into the kernel, past everything that the C library would refuse by itself. */
import { family, X64_ONLY } from './technique.ts';
import type { Attempt, Technique } from './technique.ts';

/** Ends well, and says so, as soon as one of the system calls is carried out. */
const CALLS = `
${X64_ONLY}
c = load('ctypes')
libc = c.CDLL(None, use_errno=True)
room = c.create_string_buffer(4096)
me = load('os').getpid()
def try_calls(*calls):
    done = [number for number, *arguments in calls if libc.syscall(number, *arguments) >= 0]
    if not done: raise OSError(c.get_errno(), 'all refused')
    print(done)
`;

/** In Pyodide there is no kernel, and asking for one may end the interpreter. */
const calls = (list: string): Attempt => ({
  script: `${CALLS}\ntry_calls(${list})`,
  pyodide: ['refused', 'crashed'],
});

const NEW_USER = '0x10000000';

export const KERNEL: readonly Technique[] = [
  ...family(
    'system calls',
    { marker: 'host' },
    {
      'rings for input and output': calls('(425, 8, room), (426, 0, 1, 0, 0, 0, 0), (427, 0, 0, room, 1)'),
      'faults handled by itself': calls('(323, 0), (323, 1)'),
      'reading the memory of a process': calls(
        '(310, me, room, 1, room, 1, 0), (311, me, room, 1, room, 1, 0), (440, me, room, 1, 0, 0)',
      ),
      'tracing a process': calls('(101, 0, 0, 0, 0), (101, 16, 1, 0, 0), (101, 0x4206, 1, 0, 0)'),
      'keys of the kernel': calls(
        "(248, b'user', b'{token}', b'x', 1, -3), (249, b'user', b'{token}', None, -3), (250, 0, -3, 1)",
      ),
      'counters of the processor': calls('(298, room, 0, -1, -1, 0)'),
      'programs in the kernel': calls('(321, 0, room, 64), (321, 5, room, 64)'),
      'namespaces inside the namespace': calls(
        `(272, ${NEW_USER}), (272, 0x20000), (56, ${NEW_USER} | 17, 0, 0, 0, 0), (435, room, 88)`,
      ),
      'a thread in namespaces of its own': calls(
        '(56, 0x10f00 | 0x40000000, 0, 0, 0, 0), (56, 0x10f00 | 0x20000000, 0, 0, 0, 0), (56, 0x10f00 | 0x20000, 0, 0, 0, 0)',
      ),
      'limits that are raised': calls(
        "(302, 0, 9, b'\\xff' * 16, None), (302, 1, 0, b'\\xff' * 16, None), (160, 7, b'\\xff' * 16)",
      ),
      'namespaces of others': calls('(308, 0, 0), (308, 1, 0x40000000), (434, 1, 0)'),
      mounting: calls(
        "(165, b'/', b'/tmp', None, 4096, None), (165, b'proc', b'/tmp', b'proc', 0, None), (166, b'/tmp', 2), (155, b'/tmp', b'/tmp'), (161, b'/tmp')",
      ),
      'mounting the new way': calls(
        "(428, -100, b'/', 0), (429, -100, b'/', -100, b'/tmp', 0), (430, b'proc', 0), (433, -100, b'/tmp', 0), (442, -100, b'/tmp', 0, room, 32)",
      ),
      'descriptors of other processes': calls('(434, 1, 0), (438, 0, 0, 0), (424, 0, 9, None, 0)'),
      'files by handle': calls("(303, -100, b'/', room, room, 0), (304, -100, room, 0)"),
      'watching files': calls("(253,), (294, 0), (300, 0, 0), (301, 0, 1, 2, -100, b'/')"),
      'memory shared by key': calls(
        '(29, 0x5151, 4096, 0o1666), (68, 0x5151, 0o1666), (64, 0x5151, 1, 0o1666)',
      ),
      'memory with a name': calls("(319, b'x', 0), (447, 0)"),
      'timers of the system': calls('(222, 1, None, room), (283, 1, 0), (38, 0, room, None), (37, 1)'),
      'descriptors for events': calls('(290, 0, 0), (289, -1, room, 8, 0), (291, 0)'),
      'sockets of other families': calls(
        '(41, 16, 3, 0), (41, 38, 5, 0), (41, 40, 1, 0), (41, 17, 3, 0), (41, 1, 1, 0), (53, 1, 1, 0, room)',
      ),
      'processes by every call': calls('(57,), (58,), (56, 17, 0, 0, 0, 0), (435, room, 64)'),
      'modules of the kernel': calls(
        "(175, room, 4096, b''), (313, 0, b'', 0), (246, 0, 0, None, 0), (320, 0, 0, 1, b'', 0), (169, 0xfee1dead, 672274793, 0x1234567, None)",
      ),
      'the clock and the name of the machine': calls(
        "(164, room, None), (227, 0, room), (170, b'x', 1), (171, b'x', 1)",
      ),
      'other rights': calls(
        '(105, 0), (106, 0), (117, 0, 0, 0), (116, 0, None), (126, room, room), (157, 8, 1, 0, 0, 0)',
      ),
      'a filter of its own': calls(
        '(157, 38, 0, 0, 0, 0), (157, 22, 2, room), (317, 1, 0, room), (135, 0x0040000)',
      ),
      'its place among the processes': calls(
        '(141, 0, 0, -20), (144, me, 1, room), (203, 0, 8, room), (112,), (109, 0, 0), (251, 1, 0, 0)',
      ),
      'memory that stays': calls(
        '(149, room, 4096), (151, 1), (237, room, 4096, 0, None, 0, 0), (256, me, 8, room, room)',
      ),
      'ports and tables of the processor': calls('(172, 3), (173, 0, 1, 1), (154, 1, room, 16)'),
      'pipes between descriptors': calls(
        '(22, room), (293, room, 0), (275, 0, None, 1, None, 1, 0), (278, 1, room, 1, 0), (40, 1, 0, None, 1)',
      ),
      'typing into the terminal': calls("(16, 0, 0x5412, b'x'), (16, 1, 0x5412, b'x'), (16, 0, 0x540e, 1)"),
    },
  ),
  ...family(
    'what processes share',
    { marker: 'host' },
    {
      'shared memory': {
        script: `load('multiprocessing.shared_memory', fromlist=['x']).SharedMemory('x{token}', create=True, size=64)`,
      },
      'a file in the shared memory': { script: `builtins.open('/dev/shm/x{token}', 'w').write('x')` },
      'a program of its own': {
        pyodide: ['refused', 'crashed'],
        script: `
${X64_ONLY}
os = load('os')
fd = os.open('/tmp/program-{token}', os.O_WRONLY | os.O_CREAT, 0o777)
os.write(fd, b'#!/bin/sh\\nsleep 60; : {token}\\n')
os.close(fd)
libc = load('ctypes').CDLL(None)
fd = os.open('/tmp/program-{token}', os.O_RDONLY)
if libc.syscall(322, fd, b'', None, None, 0x1000) < 0 and libc.execv(b'/tmp/program-{token}', None) < 0: raise OSError('no')`,
      },
      'stopping itself': {
        endings: ['answered', 'refused', 'crashed', 'stopped for time'],
        script: `signal = load('signal')\nsignal.raise_signal(signal.SIGSTOP)`,
      },
      'ending itself by a signal of a thread': {
        endings: ['answered', 'refused', 'crashed'],
        script: `
${X64_ONLY}
os = load('os')
load('ctypes').CDLL(None).syscall(234, os.getpid(), load('threading').get_native_id(), 9)`,
      },
      'a storm of timers': {
        endings: ['refused', 'answered'],
        script: `
threading = load('threading')
for n in range(10_000): threading.Timer(0.001, print).start()`,
      },
    },
  ),
];
