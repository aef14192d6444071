/**
 * A bubblewrap container for one interpreter: own namespaces, read access to the interpreter's files only, a small
 * in-memory folder to write to, no environment, no capabilities, few system calls.
 */
import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ContainedCommand } from '../contained-process.ts';
import type { PythonInstall } from './python-install.ts';

/** `nobody`: inside the container, and outside too if we are root, because root's processes escape some limits. */
const NOBODY = 65_534;
const USUAL_PLACES = ['/usr/bin/bwrap', '/usr/local/bin/bwrap'];
const FOLDER = '/tmp';
/** Descriptor of the first of {@link ContainedCommand.inputs}. */
const FILTER_DESCRIPTOR = '3';

const NAMESPACES = ['user', 'ipc', 'pid', 'net', 'uts', 'cgroup-try'].map((name) => `--unshare-${name}`);
const IDENTITY = `--uid ${NOBODY} --gid ${NOBODY} --cap-drop ALL --hostname analysis --clearenv`.split(' ');
/** The interpreter is process 1 of its namespace: when it dies, everything in there dies. */
const LIFE = ['--new-session', '--die-with-parent', '--as-pid-1'];
/** Links in the root folder of systems that keep everything in `/usr`. */
const ROOT_LINKS = ['/lib', '/lib64', '/lib32', '/bin', '/sbin'];
/** Read by interpreters and libraries if present; neither holds data specific to this machine. */
const DATA = ['/etc/alternatives', '/usr/share/zoneinfo'];

/** User of contained processes as seen from outside; undefined for our own. */
export function outsideUser(): ContainedCommand['user'] {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
}

/** Path of bubblewrap. Throws if it is not installed. */
export function findBubblewrap(): string {
  const found = USUAL_PLACES.find((place) => existsSync(place));
  if (found === undefined) {
    throw new Error(`bubblewrap is not installed (looked for ${USUAL_PLACES.join(' and ')})`);
  }
  return found;
}

/** Parts of a container. */
export type Container = {
  readonly bubblewrap: string;
  readonly python: PythonInstall;
  /** Size of the only writable folder. */
  readonly folderBytes: number;
  readonly filter: Buffer;
};

/** The command that runs the interpreter with `args` in a container of its own. */
export function containedPython(container: Container, args: readonly string[]): ContainedCommand {
  const { bubblewrap, python, folderBytes, filter } = container;
  const user = outsideUser();
  return {
    file: bubblewrap,
    args: [
      ...NAMESPACES,
      ...IDENTITY,
      ...LIFE,
      ...mountsOf(python),
      '--size',
      String(folderBytes),
      '--tmpfs',
      FOLDER,
      '--remount-ro',
      '/',
      '--chdir',
      FOLDER,
      '--seccomp',
      FILTER_DESCRIPTOR,
      '--',
      python.executable,
      ...args,
    ],
    cwd: '/',
    folder: FOLDER,
    ...(user && { user }),
    inputs: [filter],
  };
}

function mountsOf({ executable, loader, path, mapped, data }: PythonInstall): string[] {
  const folders = outermost([...path, ...data, ...mapped.map((file) => dirname(file))]);
  return [
    ...rootLinks(),
    ...[...folders, executable].flatMap((each) => ['--ro-bind', each, each]),
    ...(loader === null ? [] : ['--ro-bind', realpathSync(loader), placeOf(loader)]),
    ...DATA.flatMap((each) => ['--ro-bind-try', each, each]),
  ];
}

/** The path with links in its folder resolved, as it will exist in the container. */
function placeOf(file: string): string {
  return join(realpathSync(dirname(file)), basename(file));
}

/** Without folders that lie inside others. */
function outermost(folders: readonly string[]): string[] {
  const all = [...new Set(folders)].toSorted();
  return all.filter((folder) => !all.some((other) => folder.startsWith(`${other}/`)));
}

function rootLinks(): string[] {
  return ROOT_LINKS.flatMap((link) => {
    try {
      return ['--symlink', readlinkSync(link), link];
    } catch {
      return []; // A real folder, or missing.
    }
  });
}
