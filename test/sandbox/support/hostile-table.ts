import type { HostileScript } from './hostile.ts';

/** Past the import list, by a way that is open to every analysis; what follows is up to the other walls. */
export const LOAD = `
import statistics
sys = statistics.sys
load = sys.modules['builtins'].__import__
os = load('os')
`;

/** Ways to try to get out that mean the same on every engine. */
export const HOSTILE_SCRIPTS: readonly HostileScript[] = [
  {
    name: 'reading a file',
    family: 'files',
    script: `${LOAD}print(load('io').open('{secret}').read())`,
    marker: 'secret',
  },
  {
    name: 'a symbolic link',
    family: 'files',
    script: `${LOAD}os.symlink('{secret}', '/tmp/link')\nprint(load('io').open('/tmp/link').read())`,
    marker: 'secret',
  },
  {
    name: 'the root of a process',
    family: 'files',
    script: `${LOAD}print(load('io').open('/proc/1/root{secret}').read())`,
    marker: 'secret',
  },
  {
    name: 'writing a file',
    family: 'files',
    script: `${LOAD}load('io').open('{marker}', 'w').write('x')`,
    marker: 'file',
  },
  {
    name: 'a shell',
    family: 'programs',
    script: `${LOAD}os.system('echo > {marker}')`,
    marker: 'file',
  },
  {
    name: 'the environment',
    family: 'environment',
    script: `${LOAD}print(os.environ.get('{variable}'))`,
    marker: 'secret',
  },
  {
    name: 'the environment of the parent',
    family: 'environment',
    script: `${LOAD}print(load('io').open('/proc/%d/environ' % os.getppid()).read())`,
    marker: 'secret',
  },
  {
    name: 'a connection',
    family: 'network',
    script: `${LOAD}load('socket').create_connection(('127.0.0.1', {port}), 1)`,
    marker: 'connection',
  },
];
