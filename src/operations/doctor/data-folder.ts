import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findingsOf, type Finding } from './finding.ts';

const MB = 1024 * 1024;
/** The embedded stores and the sandbox's cache do not fit into less. */
const NEEDED_BYTES = 200 * MB;
const COMFORTABLE_BYTES = 1024 * MB;

/** Whether what QPilot keeps on disk can be kept. Looks only; a folder that is not there yet is judged by its parent. */
export async function dataFolderFindings(dataDir: string): Promise<readonly Finding[]> {
  const say = findingsOf('data folder');
  const folder = await nearestExisting(dataDir);
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      say.problem(`${folder} cannot be written to`, 'give this user the folder, or set DATA_DIR to another'),
    ];
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const message = `${dataDir} ${folder === dataDir ? 'can be written to' : 'can be made'}, ${Math.floor(free / MB).toLocaleString('en')} MB are free`;
  const advice = 'make room on that disk, or set DATA_DIR to a folder on another one';
  if (free < NEEDED_BYTES) return [say.problem(message, advice)];
  return [free < COMFORTABLE_BYTES ? say.warning(message, advice) : say.ok(message)];
}

/** Whether the pictures of task results can be shown. */
export async function figureFolderFindings(calibDataPath: string | null): Promise<readonly Finding[]> {
  const say = findingsOf('figures');
  if (calibDataPath === null) return [say.ok('none are shown: CALIB_DATA_PATH is not set')];
  try {
    await access(calibDataPath, constants.R_OK | constants.X_OK);
    if ((await stat(calibDataPath)).isDirectory())
      return [say.ok('the folder of CALIB_DATA_PATH can be read')];
  } catch {
    // Said below, as for a file in the place of the folder.
  }
  return [
    say.problem(
      `CALIB_DATA_PATH=${calibDataPath} is no folder that can be read`,
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
