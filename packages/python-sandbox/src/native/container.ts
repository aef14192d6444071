/**
 * A container for one interpreter, made by bubblewrap: namespaces of its own, the interpreter's files and nothing else to
 * read, a small folder in memory to write, no environment, no rights, few system calls.
 */
import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ContainedCommand } from '../contained-process.ts';
import type { PythonInstall } from './python-install.ts';

/** `nobody`, inside the container, and outside too where we are root: root's processes escape some limits. */
const NOBODY = 65_534;
const USUAL_PLACES = ['/usr/bin/bwrap', '/usr/local/bin/bwrap'];
const FOLDER = '/tmp';
/** Descriptor of the first of {@link ContainedCommand.inputs}. */
const FILTER_DESCRIPTOR = '3';

const NAMESPACES = ['user', 'ipc', 'pid', 'net', 'uts', 'cgroup-try'].map((name) => `--unshare-${name}`);
const IDENTITY = `--uid ${NOBODY} --gid ${NOBODY} --cap-drop ALL --hostname analysis --clearenv`.split(' ');
/** The interpreter is the first process in there: when it dies, by whatever signal, nothing goes on. */
const LIFE = ['--new-session', '--die-with-parent', '--as-pid-1'];
/** Links in the root folder where a system keeps everything in `/usr`. */
const ROOT_LINKS = ['/lib', '/lib64', '/lib32', '/bin', '/sbin'];
/** Read by interpreters and their libraries where they are; neither holds anything of this machine's own. */
const DATA = ['/etc/alternatives', '/usr/share/zoneinfo'];

/** Who contained processes are outside; undefined to stay who we are. */
export function outsideUser(): ContainedCommand['user'] {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
}

/** Path of bubblewrap. Throws with what to install where it is missing. */
export function findBubblewrap(): string {
  const found = USUAL_PLACES.find((place) => existsSync(place));
  if (found === undefined) {
    throw new Error(`bubblewrap is not installed: there is no ${USUAL_PLACES.join(' or ')}`);
  }
  return found;
}

/** What goes into a container. */
export type Container = {
  readonly bubblewrap: string;
  readonly python: PythonInstall;
  /** Room in the one folder that can be written. */
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

/** The same path without links on the way, which lead to folders that are made on the way here. */
function placeOf(file: string): string {
  return join(realpathSync(dirname(file)), basename(file));
}

/** Folders without those that lie in others of them. */
function outermost(folders: readonly string[]): string[] {
  const all = [...new Set(folders)].toSorted();
  return all.filter((folder) => !all.some((other) => folder.startsWith(`${other}/`)));
}

function rootLinks(): string[] {
  return ROOT_LINKS.flatMap((link) => {
    try {
      return ['--symlink', readlinkSync(link), link];
    } catch {
      return []; // It is a folder here, or is not there.
    }
  });
}
