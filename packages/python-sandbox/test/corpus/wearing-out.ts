/** Ways to take more than is due, to deceive the host, and to go on when the run is over. */
import { family } from './technique.ts';
import type { Technique } from './technique.ts';

const ENDLESS = { marker: 'excess', endings: ['stopped for time'] } as const;
const GREEDY = {
  marker: 'excess',
  endings: ['out of memory', 'stopped for memory', 'stopped for time', 'crashed', 'refused'],
} as const;
/** Writes to every descriptor that there is. */
const WRITE_TO_ALL = `
os = load('os')
def say(text):
    for fd in range(64):
        try: os.write(fd, text)
        except OSError: pass
`;
const ANYTHING = ['answered', 'refused', 'crashed', 'unreadable', 'stopped for time'] as const;

export const WEARING_OUT: readonly Technique[] = [
  ...family('loops that do not end', ENDLESS, {
    'an endless loop': { script: 'while True: pass' },
    'a loop that swallows everything': {
      script: `
while True:
    try:
        while True: pass
    except BaseException: pass`,
    },
    'a finally block that goes on': {
      script: `
try: raise KeyboardInterrupt
finally:
    while True: pass`,
    },
    'handlers for every signal': {
      script: `
signal = load('signal')
for number in range(1, 65):
    try: signal.signal(number, lambda *a: None)
    except (OSError, ValueError, AttributeError): pass
while True: pass`,
    },
    'signals that are blocked': {
      script: `
signal = load('signal')
try: signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
except (AttributeError, OSError): pass
while True: pass`,
    },
    'a thread beside the end': {
      pyodide: ['refused'],
      endings: ['answered', 'stopped for time'],
      script: `
def spin():
    while True: pass
load('threading').Thread(target=spin).start()`,
    },
    'a destructor that goes on': {
      script: `
class End:
    def __del__(self):
        while True: pass
end = End()
del end`,
    },
    'a lock taken twice': {
      pyodide: ['stopped for time', 'refused', 'answered', 'crashed'],
      script: `lock = load('_thread').allocate_lock()\nlock.acquire()\nlock.acquire()`,
    },
    'a regular expression': { script: `import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')` },
    'a huge power': { script: 'print(9**9**8 % 7)' },
    'a native sum': { script: 'sum(range(10**12))' },
    'a sleep': { script: 'import time\ntime.sleep(60)' },
    'a figure without an end': {
      endings: ['stopped for time', 'out of memory', 'stopped for memory', 'crashed'],
      script: `
import itertools
result = {'chart': {'data': itertools.count()}}`,
    },
    'a product in numpy': {
      script: `import numpy\nx = numpy.ones((3000, 3000))\nwhile True: x @ x`,
      pyodide: ['refused'],
    },
  }),
  ...family('memory and recursion', GREEDY, {
    'one large block': { endings: ['out of memory'], script: 'x = bytearray(10**9)' },
    'many small blocks': { script: 'x = []\nwhile True: x.append(bytearray(10**6))' },
    'errors that are swallowed': {
      script: `
x = []
while True:
    try:
        while True: x.append(bytearray(10**7))
    except MemoryError: pass`,
    },
    'a text that doubles': { script: `x = 'x'\nwhile True: x += x` },
    'memory from the system': {
      pyodide: ['refused', 'out of memory', 'crashed', 'stopped for memory'],
      script: `m = load('mmap')\nkept = []\nwhile True:\n    kept.append(m.mmap(-1, 10**8))\n    kept[-1].write(bytes(10**8))`,
    },
    'recursion in Python': { endings: ['refused'], script: 'def f(): f()\nf()' },
    'recursion without a limit': { script: 'sys.setrecursionlimit(10**9)\ndef f(): f()\nf()' },
    'recursion in native code': {
      endings: ['refused', 'crashed', 'out of memory'],
      script: `import json\njson.loads('[' * 10**6)`,
    },
    'a deep expression': {
      endings: ['refused', 'out of memory', 'crashed'],
      script: `builtins.eval('(' * 5000 + ')' * 5000)`,
    },
    'a large power of an array': {
      endings: ['out of memory'],
      pyodide: ['refused'],
      script: `import numpy\nnumpy.ones((10**5, 10**5))`,
    },
    'files that grow': {
      endings: ['refused'],
      script: `
with builtins.open('/tmp/big-{token}', 'wb') as file:
    while True: file.write(bytes(10**6))`,
    },
    'many files': {
      endings: ['refused', 'stopped for time'],
      script: `
n = 0
while True:
    builtins.open('/tmp/{token}-%d' % n, 'w').write('x' * 4096)
    n += 1`,
    },
    'many open files': {
      endings: ['refused'],
      script: `kept = []\nwhile True: kept.append(builtins.open(statistics.__file__))`,
    },
    'many threads': {
      endings: ['refused', 'out of memory', 'stopped for time', 'stopped for memory'],
      script: `
import time
threading = load('threading')
while True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()`,
    },
    'many processes': { endings: ['refused'], script: 'while True: load("os").fork()' },
  }),
  ...family(
    'floods',
    { marker: 'excess' },
    {
      'printing without an end': { endings: ['stopped for time'], script: `while True: print('x' * 1000)` },
      'one large text': { endings: ['answered'], script: `print('x' * 50_000_000)` },
      'standard error': {
        endings: ['stopped for time', 'refused', 'crashed'],
        script: `while True: load('os').write(2, b'x' * 65536)`,
      },
      'standard output': {
        endings: ['stopped for time', 'refused', 'crashed'],
        script: `while True: load('os').write(1, b'x' * 65536)`,
      },
      'a large figure': {
        endings: ['refused'],
        script: `result = {'chart': {'data': [{'y': list(range(10**6))}]}}`,
      },
      'large tables': {
        endings: ['refused'],
        script: `result = {'tables': {str(i): [{'x': 'y' * 1000}] * 10 for i in range(1000)}}`,
      },
      'a deep figure': {
        endings: ['unreadable'],
        script: `
x = 1
for _ in range(500): x = [x]
result = {'chart': {'data': x}}`,
      },
      'many figures': { endings: ['answered'], script: `result = {'chart': [{'data': []}] * 10_000}` },
    },
  ),
  ...family(
    'frames of the protocol',
    { marker: 'host', endings: ANYTHING },
    {
      'an answer on every descriptor': {
        script: `${WRITE_TO_ALL}\nsay(b'{"output": "forged", "truncated": false, "error": null, "charts": 7, "chart": {"__proto__": {"data": []}}}\\n')`,
      },
      'two answers': {
        script: `${WRITE_TO_ALL}\nsay(b'{"output": "one", "truncated": false, "error": null}\\n' * 2)`,
      },
      'an answer without types': {
        script: `${WRITE_TO_ALL}\nsay(b'{"output": {"length": -1}, "truncated": 1, "error": []}\\n')`,
      },
      'half an answer': { script: `${WRITE_TO_ALL}\nsay(b'{"output": "')\nload('time').sleep(60)` },
      'a frame without an end': { script: `${WRITE_TO_ALL}\nwhile True: say(b'x' * 65536)` },
      'progress without an end': {
        script: `${WRITE_TO_ALL}\nwhile True: say(b'{"printed":"' + b'x' * 60000 + b'"}\\n')`,
      },
      'progress that is large': {
        script: `${WRITE_TO_ALL}\nfor _ in range(100): say(b'{"printed":"' + b'x' * 4_000_000 + b'"}\\n')`,
      },
      'progress that is no text': { script: `${WRITE_TO_ALL}\nsay(b'{"printed":{"a":1}}\\n')` },
      'bytes that are no text': { script: `${WRITE_TO_ALL}\nsay(bytes(range(256)) + b'\\n')` },
      'being ready again': { script: `${WRITE_TO_ALL}\nsay(b'{"ready":true}\\n')` },
      'closing every descriptor': { script: `load('os').closerange(0, 64)` },
      'reading what the host sends': { script: `print(len(load('os').read(0, 10)))` },
      'halves of characters': { endings: ['answered'], script: `print('\\ud800', '\\udfff')` },
      'names of prototypes': {
        endings: ['answered'],
        script: `result = {'tables': {'__proto__': [{'__proto__': {'x': 1}, 'constructor': 1}]}, 'chart': {'data': [{'__proto__': 1}]}}`,
      },
      'numbers beyond numbers': {
        endings: ['answered'],
        script: `result = {'tables': {'t': [{'a': 10**400, 'b': float('nan'), 'c': -0.0}]}}`,
      },
    },
  ),
  ...family(
    'work after the answer',
    { marker: 'process' },
    {
      'a process that stays': {
        marker: 'process',
        script: `load('subprocess').Popen(['sleep', '60', '{token}'])`,
      },
      'a daemon': {
        script: `
os = load('os')
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.execvp('sh', ['sh', '-c', 'sleep 60; : {token}'])
    os._exit(0)`,
      },
      'a thread that waits': {
        marker: 'file',
        pyodide: ['refused'],
        native: ['answered'],
        script: `
import time
load('threading').Thread(target=lambda: (time.sleep(0.3), builtins.open('{marker}', 'w'))).start()`,
      },
      'a handler at the exit': {
        marker: 'file',
        endings: ['answered'],
        script: `load('atexit').register(lambda: builtins.open('{marker}', 'w'))`,
      },
      'a destructor at the end': {
        marker: 'file',
        endings: ['answered'],
        script: `
class End:
    def __del__(self): load('os').system('echo > {marker}')
end = End()`,
      },
      'a timer of the system': {
        marker: 'host',
        endings: ['refused', 'answered', 'crashed'],
        script: `signal = load('signal')\nsignal.setitimer(signal.ITIMER_REAL, 0.001)`,
      },
    },
  ),
  ...family(
    'state for the next run',
    { marker: 'state', endings: ['answered'] },
    {
      'patched modules': { script: `statistics.fmean = lambda x: '{token}'\nprint('{token}')` },
      'patched builtins': {
        script: `builtins.print = lambda *a: sys.stdout.write('{token}')\nprint('{token}')`,
      },
      'a patched encoder': {
        script: `load('json').JSONEncoder.encode = lambda self, o: '"{token}"'`,
        endings: ['answered', 'refused', 'unreadable'],
      },
      'a module that stays': { script: `sys.modules['left_{token}'] = sys\nprint('{token}')` },
      'a file that stays': {
        endings: ['answered'],
        pyodide: ['refused'],
        script: `builtins.open('/tmp/left-{token}', 'w').write('{token}')`,
      },
      'changed data': { script: `data['left'] = '{token}'` },
    },
  ),
];
