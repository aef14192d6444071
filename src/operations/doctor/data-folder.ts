import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findingsOf, type Finding } from './finding.ts';

const MB = 1024 * 1024;
/** Minimum for the embedded stores and the sandbox's cache. */
const NEEDED_BYTES = 200 * MB;
const COMFORTABLE_BYTES = 1024 * MB;

/** Checks permissions and free space without writing; a missing folder is judged by its parent. */
export async function dataFolderFindings(dataDir: string): Promise<readonly Finding[]> {
  const report = findingsOf('data folder');
  const folder = await nearestExisting(dataDir);
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      report.problem(
        `${folder} is not writable`,
        'change its permissions, or set DATA_DIR to another folder',
      ),
    ];
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const message = `${dataDir} ${folder === dataDir ? 'is writable' : 'can be created'}, ${Math.floor(free / MB).toLocaleString('en')} MB free`;
  const advice = 'free some space, or set DATA_DIR to a folder on another disk';
  if (free < NEEDED_BYTES) return [report.problem(message, advice)];
  return [free < COMFORTABLE_BYTES ? report.warning(message, advice) : report.ok(message)];
}

/** Checks the folder with figures of task results. */
export async function figureFolderFindings(calibDataPath: string | null): Promise<readonly Finding[]> {
  const report = findingsOf('figures');
  if (calibDataPath === null) return [report.ok('not shown: CALIB_DATA_PATH is not set')];
  try {
    await access(calibDataPath, constants.R_OK | constants.X_OK);
    if ((await stat(calibDataPath)).isDirectory()) return [report.ok('CALIB_DATA_PATH is readable')];
  } catch {
    // Reported below, like a file instead of a folder.
  }
  return [
    report.problem(
      `CALIB_DATA_PATH=${calibDataPath} is not a readable folder`,
      "set it to the folder that QDash's containers see as /app/calib_data",
    ),
  ];
}

async function nearestExisting(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const exists = await stat(folder).then(
      () => true,
      () => false,
    );
    if (exists || folder === dirname(folder)) return folder;
  }
}
