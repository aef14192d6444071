/** Every version of a platform's `calibration.json` that the user points at, each with the time it became known. */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { InvalidInputError } from '../base/errors.ts';
import { unreadable } from '../base/read-error.ts';
import { readQibolabCalibration, type QibolabCalibration } from '../sources/qibolab/qibolab-json.ts';
import { dayInName } from './day-in-name.ts';
import { readInputText } from './read-input.ts';

const FILE = 'calibration.json';
/** Bytes of one version, and of the log. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/** A version of the file. */
export type QibolabVersion = {
  readonly name: string;
  readonly at: Date;
  /** How exactly `at` is known. */
  readonly precision: 'moment' | 'day';
  /** Empty where the file was not taken from git. */
  readonly commit: string;
  readonly content: QibolabCalibration;
};

/** All versions in order of time, where their times come from, and the platform's name. */
export type QibolabHistory = {
  readonly platform: string;
  readonly timesFrom: string;
  readonly versions: readonly QibolabVersion[];
};

/**
 * Reads files, or the git history of the file in one folder. `time` is given for a file that has none.
 * @throws InvalidInputError naming the file, and what would be right.
 */
export async function readQibolabHistory(
  paths: readonly string[],
  time: Date | null,
  signal?: AbortSignal,
): Promise<QibolabHistory> {
  const [path, ...others] = paths;
  if (path === undefined)
    throw invalid('give calibration.json files, or the folder of a platform in its git repository');
  const isFolder = await stat(path).then(
    (it) => it.isDirectory(),
    (cause: unknown) => {
      throw unreadable(path, cause);
    },
  );
  if (isFolder && others.length > 0) throw invalid(`${path} is a folder: give it alone`);
  return isFolder ? historyOf(resolve(path), signal) : versionsOf(paths, time);
}

async function versionsOf(paths: readonly string[], time: Date | null): Promise<QibolabHistory> {
  const versions: QibolabVersion[] = [];
  for (const path of paths) {
    const name = basename(path);
    const day = dayInName(name);
    if (day !== null && time !== null) throw invalid(`${name} has its day in its name: remove --time`);
    if (time !== null && paths.length > 1)
      throw invalid('--time is for one file; date the names of several: NAME.2026-05-20.json');
    const at = day ?? time;
    if (at === null) {
      throw invalid(
        `nothing says when ${name} was written: pass --time, name it like NAME.2026-05-20.json, or give the folder in its git repository`,
      );
    }
    const content = readQibolabCalibration(name, await readInputText(path));
    versions.push({ name, at, precision: day === null ? 'moment' : 'day', commit: '', content });
  }
  const platforms = new Set(paths.map(platformOf));
  const [platform = '', ...others] = platforms;
  if (others.length > 0)
    throw invalid(`the files are of several platforms (${[...platforms].join(', ')}): import each alone`);
  return {
    platform,
    timesFrom: time === null ? 'the days in the names of the files' : '--time',
    versions: inOrder(versions),
  };
}

/** `qw5q.2026-05-20.json` and `qw5q/calibration.json` are of qw5q. */
function platformOf(path: string): string {
  const [name = ''] = basename(path).split('.');
  return name === 'calibration' ? basename(dirname(resolve(path))) : name;
}

/** Versions of one day keep the order in which they were given, a second apart. */
function inOrder(versions: readonly QibolabVersion[]): readonly QibolabVersion[] {
  const sorted = versions.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  let last = Number.NEGATIVE_INFINITY;
  return sorted.map((version) => {
    last = Math.max(version.at.getTime(), last + 1000);
    return { ...version, at: new Date(last) };
  });
}

async function historyOf(folder: string, signal?: AbortSignal): Promise<QibolabHistory> {
  const git = async (...args: string[]): Promise<string> => {
    try {
      const options = { maxBuffer: MAX_OUTPUT, ...(signal ? { signal } : {}) };
      const { stdout } = await promisify(execFile)('git', ['-C', folder, ...args], options);
      return stdout;
    } catch (cause) {
      signal?.throwIfAborted();
      const said = (cause as { stderr?: string }).stderr?.trim() || (cause as Error).message;
      throw Object.assign(invalid(`git cannot read the history of ${folder}: ${said}`), { cause });
    }
  };
  const log = await git('log', '--reverse', '--format=%H %cI', '--', FILE);
  const commits = log.split('\n').flatMap((line) => {
    const [commit, at] = line.split(' ');
    return commit && at ? [{ commit, at: new Date(at) }] : [];
  });
  if (commits.length === 0) {
    const tracked = (await git('ls-files', '--', `*/${FILE}`)).split('\n').filter((line) => line !== '');
    const known = tracked.map((file) => join(folder, dirname(file)));
    throw invalid(
      known.length === 0
        ? `${folder} has no ${FILE} in its git history`
        : `${folder} holds several platforms: give the folder of one, such as ${known.slice(0, 5).join(', ')}`,
    );
  }
  const versions: QibolabVersion[] = [];
  for (const { commit, at } of commits) {
    const blob = (await git('ls-tree', '--object-only', commit, '--', FILE)).trim();
    if (blob === '') continue; // The commit removed the file.
    const name = `${FILE} of commit ${commit.slice(0, 10)}`;
    const content = readQibolabCalibration(name, await git('cat-file', 'blob', blob));
    versions.push({ name, at, precision: 'moment', commit, content });
  }
  return {
    platform: basename(folder),
    timesFrom: 'the times of the commits',
    versions: inOrder(versions),
  };
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
