/** `git_log`, `git_diff`: earlier versions of the workspace's files. QPilot stores them itself, without git. */
import { createTwoFilesPatch } from 'diff';
import { z } from 'zod';
import { newestWords } from '../../../domain/claims/timed.ts';
import { countOf } from '../../../domain/text/display-text.ts';
import { InvalidInputError, NotFoundError } from '../../../base/errors.ts';
import type { FileVersion } from '../../../workspace/versions.ts';
import { workspacePath } from '../../../workspace/workspace-path.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Tool } from '../../tool.ts';
import { sentenceResult, workspaceTool } from './workspace-tool.ts';

const SHOWN_VERSIONS = 50;
const MAX_DIFF_CHARACTERS = 20_000;

/** The tools of category `git`. */
export const historyTools = (workspace: Workspace): readonly Tool[] => [
  workspaceTool({
    name: 'git_log',
    category: 'git',
    rule: 'editor: own',
    label: 'Reading the history',
    title: { en: 'Versions of the workspace', ja: 'ファイルの版の履歴' },
    example: {},
    description:
      "Versions of the workspace's files, newest first. QPilot keeps them itself: there is no git repository, no branches and no commits.",
    args: z.object({ path: z.string().nullable().describe('One file; null for all') }),
    describe: ({ path }) => path ?? 'all files',
    run: async ({ path }) => {
      const versions = await versionsOf(workspace, path);
      const shown = versions.toReversed().slice(0, SHOWN_VERSIONS);
      return sentenceResult(
        versions.length > shown.length
          ? `${countOf(versions.length, 'version')}; ${newestWords(shown, { at: ({ at }) => new Date(at), noun: 'version', hasMore: true })} shown.`
          : `${countOf(versions.length, 'version')}.`,
        {
          versions: shown.map(({ number, path: file, at, what, sizeBytes }) => ({
            version: number,
            path: file,
            at,
            what,
            bytes: sizeBytes,
          })),
        },
      );
    },
  }),
  workspaceTool({
    name: 'git_diff',
    category: 'git',
    rule: 'editor: own',
    label: 'Comparing versions',
    title: { en: 'What changed between versions', ja: '版の差分' },
    example: { path: 'report.md' },
    description:
      'What changed in a file between two of its versions, as a unified diff; numbers are those of git_log.',
    args: z.object({
      path: z.string().min(1),
      from_version: z.int().positive().nullable().describe('null: the one before to_version'),
      to_version: z.int().positive().nullable().describe('null: the newest'),
    }),
    describe: ({ path }) => path,
    run: async ({ path, from_version, to_version }) => {
      const versions = await versionsOf(workspace, path);
      const to = to_version === null ? versions.at(-1) : find(versions, to_version, 'to_version');
      if (to === undefined) throw new NotFoundError(`${path} has no versions yet`);
      const from =
        from_version === null
          ? (versions[versions.indexOf(to) - 1] ?? null)
          : find(versions, from_version, 'from_version');
      const [before, after] = [
        from === null ? '' : await textOf(workspace, from),
        await textOf(workspace, to),
      ];
      const name = (version: FileVersion | null) =>
        version === null ? 'nothing' : `version ${version.number}`;
      const patch = createTwoFilesPatch(path, path, before, after, name(from), name(to), { context: 2 });
      const isCut = patch.length > MAX_DIFF_CHARACTERS;
      return sentenceResult(
        // no claim: where the text was cut
        `${path}: ${name(from)} to ${name(to)}${isCut ? `; only the first ${MAX_DIFF_CHARACTERS} characters are shown` : ''}.`,
        { path, diff: patch.slice(0, MAX_DIFF_CHARACTERS) },
        'DATASET',
      );
    },
  }),
];

async function versionsOf(workspace: Workspace, given: string | null): Promise<readonly FileVersion[]> {
  const all = await workspace.versions.list();
  if (given === null) return all;
  const path = workspacePath(given);
  const own = all.filter((version) => version.path === path);
  if (own.length > 0) return own;
  const names = [...new Set(all.map((version) => version.path))].join(', ');
  throw new NotFoundError(`no version of ${path} is kept; there are versions of ${names || 'no file yet'}`);
}

function find(versions: readonly FileVersion[], number: number, argument: string): FileVersion {
  const found = versions.find((version) => version.number === number);
  if (found !== undefined) return found;
  const numbers = versions.map((version) => version.number).join(', ');
  const message = `is no version of this file; it has ${numbers}`;
  throw new InvalidInputError([{ path: [argument], message }]);
}

async function textOf(workspace: Workspace, version: FileVersion): Promise<string> {
  const text = await workspace.versions.text(version);
  if (text !== null) return text;
  const message = `the text of version ${version.number} was not kept: the file was large or no text`;
  throw new InvalidInputError([{ path: ['path'], message }]);
}
