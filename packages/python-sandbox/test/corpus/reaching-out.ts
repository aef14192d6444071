/** Ways to the host: its files, environment, processes and network, once the Python layer is behind. */
import { family, X64_ONLY } from './technique.ts';
import type { Technique } from './technique.ts';

const SECRET = { marker: 'secret' } as const;

export const REACHING_OUT: readonly Technique[] = [
  ...family('files and links', SECRET, {
    'opening a file': { script: `loot = builtins.open('{file}').read()` },
    'a path object': { script: `loot = load('pathlib').Path('{file}').read_text()` },
    'a symbolic link': {
      script: `load('os').symlink('{file}', '/tmp/link-{token}')\nloot = builtins.open('/tmp/link-{token}').read()`,
    },
    'a hard link': {
      script: `load('os').link('{file}', '/tmp/hard-{token}')\nloot = builtins.open('/tmp/hard-{token}').read()`,
    },
    'upwards by a folder handle': {
      script: `
os = load('os')
fd = os.open('..', os.O_RDONLY)
for _ in range(9): fd = os.open('..', os.O_RDONLY, dir_fd=fd)
loot = os.read(os.open('{file}'.lstrip('/'), os.O_RDONLY, dir_fd=fd), 99).decode()`,
    },
    'listing a folder': {
      script: `loot = [builtins.open(e.path).read() for e in load('os').scandir('{folder}')]`,
    },
    'copying a file': {
      script: `loot = builtins.open(load('shutil').copy('{file}', '/tmp/copy-{token}')).read()`,
    },
    'writing a file': { marker: 'file', script: `builtins.open('{marker}', 'w').write('x')` },
    'making a folder': { marker: 'file', script: `load('os').mkdir('{marker}')` },
    'a named pipe': { marker: 'file', script: `load('os').mkfifo('{marker}')` },
    'a database file': {
      marker: 'file',
      script: `load('sqlite3').connect('{marker}').execute('create table t(x)')`,
    },
    'descriptors that were inherited': {
      marker: 'host',
      script: `
os, stat = load('os'), load('stat')
for fd in range(3, 64):
    try: kind = os.fstat(fd).st_mode
    except OSError: continue
    if not stat.S_ISFIFO(kind) and not stat.S_ISSOCK(kind): loot = 'descriptor %d is of kind %o' % (fd, kind)
if loot is None: raise OSError('only what it answers by')`,
    },
    'devices of the machine': {
      marker: 'host',
      script: `
for name in ('mem', 'kmsg', 'fuse', 'kvm', 'net/tun', 'tty', 'ptmx', 'shm/x', 'disk'):
    try: loot = builtins.open('/dev/' + name, 'rb+')
    except OSError: pass
if loot is None: raise OSError('none is there')`,
    },
    'changing the root': {
      script: `os = load('os')\nos.chroot('/proc/1/root')\nloot = builtins.open('{file}').read()`,
    },
  }),
  ...family('environment and /proc', SECRET, {
    'os.environ': { script: `loot = load('os').environ['{variable}']` },
    'the environment of the process': {
      script: `loot = builtins.open('/proc/self/environ').read()\nif '{variable}' not in loot: raise OSError('not there')`,
    },
    'the environment of every process': {
      script: `
os = load('os')
for pid in os.listdir('/proc'):
    if pid.isdigit():
        text = builtins.open('/proc/%s/environ' % pid).read()
        if '{variable}' in text: loot = text
if loot is None: raise OSError('not there')`,
    },
    'the root of a process': { script: `loot = builtins.open('/proc/self/root{file}').read()` },
    'the root of the first process': { script: `loot = builtins.open('/proc/1/root{file}').read()` },
    'the working folder of the parent': {
      script: `loot = builtins.open('/proc/%d/cwd{file}' % load('os').getppid()).read()`,
    },
    'getenv of the C library': {
      pyodide: ['refused', 'crashed'],
      script: `
c = load('ctypes')
getenv = c.CDLL(None).getenv
getenv.restype = c.c_char_p
loot = getenv(b'{variable}').decode()`,
    },
    'its own memory': { script: `builtins.open('/proc/self/mem', 'rb+')` },
  }),
  ...family(
    'processes',
    { marker: 'file' },
    {
      'os.system': { script: `if load('os').system('echo > {marker}') != 0: raise OSError('no shell')` },
      subprocess: { script: `load('subprocess').run(['/bin/sh', '-c', 'echo > {marker}'], check=True)` },
      popen: {
        marker: 'secret',
        script: `loot = load('os').popen('cat {file}').read()\nif not loot: raise OSError('no shell')`,
      },
      posix_spawn: {
        script: `os = load('os')\nos.waitpid(os.posix_spawn('/bin/sh', ['sh', '-c', 'echo > {marker}'], {}), 0)`,
      },
      'becoming a shell': {
        pyodide: ['refused', 'crashed'],
        script: `load('os').execv('/bin/sh', ['sh', '-c', 'echo > {marker}'])`,
      },
      'becoming Python again': {
        script: `load('os').execv(sys.executable, [sys.executable, '-c', "open('{marker}', 'w')"])`,
      },
      'fork and exec': {
        script: `
os = load('os')
if os.fork() == 0: os.execv('/bin/sh', ['sh', '-c', 'echo > {marker}'])
os.wait()`,
      },
      'a fork of a terminal': {
        script: `pid, fd = load('pty').fork()\nif pid == 0: load('os').system('echo > {marker}')\nload('os').wait()`,
      },
      multiprocessing: {
        script: `
p = load('multiprocessing').get_context('fork').Process(target=load('os').system, args=('echo > {marker}',))
p.start()
p.join()`,
      },
      'a thread': {
        endings: ['answered'],
        pyodide: ['refused'],
        script: `
t = load('threading').Thread(target=lambda: load('os').system('echo > {marker}'))
t.start()
t.join()`,
      },
      'killing the parent': {
        marker: 'host',
        endings: ['refused', 'answered'],
        script: `os = load('os')\nos.kill(os.getppid(), 9)`,
      },
      'killing everybody': {
        marker: 'host',
        endings: ['refused', 'crashed'],
        script: `load('os').kill(-1, 9)`,
      },
      'killing itself': {
        marker: 'host',
        endings: ['crashed', 'refused'],
        script: `os = load('os')\nos.kill(os.getpid(), 9)\nraise OSError('alive')`,
      },
    },
  ),
  ...family(
    'ctypes',
    { marker: 'file' },
    {
      'a shell by the C library': {
        pyodide: ['refused', 'crashed'],
        script: `if load('ctypes').CDLL(None).system(b'echo > {marker}') != 0: raise OSError('no shell')`,
      },
      'a file by the C library': {
        pyodide: ['refused', 'crashed'],
        script: `
libc = load('ctypes').CDLL(None)
if libc.creat(b'{marker}', 0o666) < 0: raise OSError('not made')`,
      },
      'code run by the interpreter': {
        pyodide: ['refused', 'crashed'],
        script: `
if load('ctypes').pythonapi.PyRun_SimpleString(b"open('{marker}', 'w').write('x')") != 0: raise OSError('not run')`,
      },
      'a fork by the C library': {
        marker: 'process',
        pyodide: ['refused', 'crashed'],
        script: `
libc = load('ctypes').CDLL(None)
pid = libc.fork()
if pid < 0: raise OSError('no process')
if pid == 0: libc.execl(b'/bin/sh', b'sh', b'-c', b'sleep 60; : {token}', None)`,
      },
      'a bare system call': {
        pyodide: ['refused', 'crashed'],
        script: `
${X64_ONLY}
if load('ctypes').CDLL(None).syscall(59, b'/bin/touch', (load('ctypes').c_char_p * 3)(b'touch', b'{marker}', None), None) < 0: raise OSError('no')`,
      },
      'a system call of another table': {
        pyodide: ['refused', 'crashed'],
        script: `
${X64_ONLY}
if load('ctypes').CDLL(None).syscall(0x40000000 + 85, b'{marker}', 0o666) < 0: raise OSError('no')`,
      },
      'machine code with calls of another processor': {
        native: ['crashed'],
        script: `
${X64_ONLY}
c = load('ctypes')
libc = c.CDLL(None)
libc.mmap.restype = c.c_void_p
at = libc.mmap(None, 4096, 7, 0x62, -1, 0)
path = b'{marker}\\0'
code = b'\\x53\\xb8\\x08\\0\\0\\0\\xbb' + (at + 64).to_bytes(4, 'little') + b'\\xb9\\xb6\\x01\\0\\0\\xcd\\x80\\x5b\\xc3'
c.memmove(at, code, len(code))
c.memmove(at + 64, path, len(path))
if c.CFUNCTYPE(c.c_int)(at)() < 0: raise OSError('no')`,
      },
      'a library of its own': {
        marker: 'host',
        pyodide: ['refused', 'crashed'],
        script: `load('ctypes').CDLL('{file}')`,
      },
      'memory that is not there': {
        marker: 'host',
        endings: ['crashed', 'refused', 'answered'],
        script: `load('ctypes').string_at(1)`,
      },
    },
  ),
  ...family(
    'network',
    { marker: 'connection' },
    {
      'a socket': { script: `load('socket').create_connection(('127.0.0.1', {port}), 1).send(b'x')` },
      'the old address family': {
        script: `load('socket').create_connection(('::ffff:127.0.0.1', {port}), 1).send(b'x')`,
      },
      http: {
        script: `load('urllib.request', fromlist=['x']).urlopen('http://127.0.0.1:{port}/', timeout=1)`,
      },
      'an http client': {
        script: `load('http.client', fromlist=['x']).HTTPConnection('127.0.0.1', {port}, timeout=1).request('GET', '/')`,
      },
      asyncio: {
        script: `a = load('asyncio')\na.new_event_loop().run_until_complete(a.open_connection('127.0.0.1', {port}))`,
      },
      'pandas reads an address': {
        script: `import pandas\npandas.read_csv('http://127.0.0.1:{port}/x.csv')`,
      },
      'a socket by the C library': {
        pyodide: ['refused', 'crashed'],
        script: `
c = load('ctypes')
libc = c.CDLL(None)
fd = libc.socket(2, 1, 0)
address = (2).to_bytes(2, 'little') + ({port}).to_bytes(2, 'big') + bytes([127, 0, 0, 1]) + bytes(8)
if libc.connect(fd, address, 16) < 0: raise OSError('not connected')`,
      },
      'the metadata service of a cloud': {
        script: `load('socket').create_connection(('169.254.169.254', 80), 1)`,
      },
      'a name server': {
        // Emscripten makes up an address.
        pyodide: ['answered'],
        script: `load('socket').getaddrinfo('qpilot-{token}.invalid', 80)`,
      },
      'a port of its own': {
        marker: 'host',
        pyodide: ['refused', 'answered'],
        script: `load('socket').create_server(('127.0.0.1', 0)).accept()`,
      },
      'an abstract socket': {
        marker: 'host',
        script: `load('socket').socket(load('socket').AF_UNIX).connect('\\0qpilot-{token}')`,
      },
      'a raw socket': {
        marker: 'host',
        script: `s = load('socket')\ns.socket(s.AF_INET, s.SOCK_RAW, 1).sendto(b'x', ('127.0.0.1', 0))`,
      },
    },
  ),
  ...family('JavaScript behind Pyodide', SECRET, {
    'process of JavaScript': { script: `loot = load('js').process.env.{variable}` },
    'eval of JavaScript': { script: `loot = load('js').eval('process.env.{variable}')` },
    run_js: { script: `loot = load('pyodide.code', fromlist=['x']).run_js('process.env.{variable}')` },
    'a constructor chain': {
      script: `loot = sys.modules['_pyodide_core'].to_js([1]).constructor.constructor('return process.env.{variable}')()`,
    },
    'a chain over the API': {
      script: `loot = load('pyodide_js').runPython.constructor('return process.env.{variable}')()`,
    },
    'mounting a host folder': {
      script: `load('pyodide_js').mountNodeFS('/mnt', '{folder}')\nloot = builtins.open('/mnt/secret').read()`,
    },
    'a script by Emscripten': {
      pyodide: ['refused', 'crashed'],
      script: `
c = load('ctypes')
run = c.CDLL(None).emscripten_run_script_string
run.restype = c.c_char_p
loot = run(b'process.env.{variable}').decode()`,
    },
    'a module of the host': { script: `loot = load('js').require('fs').readFileSync('{file}', 'utf8')` },
  }),
];
