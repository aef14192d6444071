/** What can be read by address: chips and their notes, boards, reports of jobs, charts and tables of results. */
import { encodeNodeId, keyOf } from '../../../schema/node-ids.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { assertAllowed, type Rule } from '../../domain/members/rule.ts';
import { sourceOfCall } from '../../domain/pictures/source.ts';
import type { Visual } from '../../domain/visuals.ts';
import { getCalibrationNotes } from '../../agent/tools/get-calibration-notes.ts';
import { getChipSummary } from '../../agent/tools/get-chip-summary.ts';
import type { Boards } from '../../services/boards/boards.ts';
import type { ChipsService } from '../../services/calibration/chips.ts';
import type { Pictures } from '../../pictures/pictures.ts';
import type { CopilotService } from '../../services/copilot/copilot.ts';
import type { JobFiles } from '../../services/jobs/job-files.ts';
import type { JobsService } from '../../services/jobs/jobs.ts';
import type { RateLimits } from '../../services/rate-limits.ts';
import { boardNow } from './board-now.ts';
import type { Shelf } from './shelf.ts';
import type { CallScope, ToolCalls } from './tool-calls.ts';
import { BOARDS_URI, boardUri, CHIPS_URI, chipUri, pictureUri, reportUri } from './uris.ts';

export type ResourceDeps = {
  readonly chips: ChipsService;
  readonly jobs: JobsService;
  readonly jobFiles: JobFiles;
  readonly copilot: CopilotService;
  readonly boards: Pick<Boards, 'list' | 'byIds' | 'content'>;
  readonly calls: ToolCalls;
  readonly pictures: Pictures;
  readonly shelf: Shelf;
  /** Null without sign-in. */
  readonly rates: Pick<RateLimits, 'pass'> | null;
};

type Read =
  | { readonly mimeType: 'application/json' | 'text/markdown'; readonly text: string }
  | { readonly mimeType: 'image/png'; readonly blob: string };
/** A resource that there is now. */
type Listed = { readonly uri: string; readonly name: string; readonly mimeType: string };

/**
 * A kind of resource. `template` has at most one variable, in braces, which is what `read` is given; without one it is an
 * address itself.
 */
export type ResourceKind = {
  readonly template: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: Read['mimeType'];
  readonly rule: Rule;
  /** @throws NotFoundError, InvalidInputError */
  read(deps: ResourceDeps, viewer: Viewer, id: string, scope: CallScope): Promise<string | Buffer>;
  /** Those to show in a list; absent: none. */
  list?(deps: ResourceDeps, viewer: Viewer): Promise<readonly Listed[]>;
  /** Values that the variable may have. */
  values?(deps: ResourceDeps, viewer: Viewer): Promise<readonly string[]>;
};

const MOST_LISTED = 100;

const chipIds = async ({ chips }: ResourceDeps, viewer: Viewer): Promise<readonly string[]> =>
  (await chips.list(viewer)).map(({ chipId }) => chipId);

/** Reads a resource by the tool that gives it. */
const byTool =
  (name: string): ResourceKind['read'] =>
  async ({ calls }, viewer, chipId, scope) => {
    const args = { chip_id: chipId };
    const { content, isError } = await calls.call(viewer, name, args, { ...scope, withPictures: false });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    if (isError) throw new NotFoundError(text.replace(/^NOT_FOUND: /u, ''));
    return text;
  };

/** All of them. A new kind is an entry here. */
export const RESOURCES: readonly ResourceKind[] = [
  {
    template: CHIPS_URI,
    name: 'Chips',
    description: 'The chips of the project, newest installation first',
    mimeType: 'application/json',
    rule: 'viewer: project',
    read: async ({ chips }, viewer) =>
      JSON.stringify(
        (await chips.list(viewer)).map(({ chipId, size, isActive }) => ({
          chipId,
          size,
          isActive,
          uri: chipUri(chipId),
        })),
      ),
  },
  {
    template: `${CHIPS_URI}/{chip}`,
    name: 'Chip',
    description: 'Health, statistics and problems of a chip, as get_chip_summary gives them',
    mimeType: 'application/json',
    rule: 'viewer: project',
    read: byTool(getChipSummary.name),
    values: chipIds,
    list: async (deps, viewer) =>
      (await chipIds(deps, viewer)).slice(0, MOST_LISTED).map((chipId) => ({
        uri: chipUri(chipId),
        name: chipId,
        mimeType: 'application/json',
      })),
  },
  {
    template: `${CHIPS_URI}/{chip}/notes`,
    name: 'Notes of a chip',
    description: 'What people wrote about a chip, and what machines kept, as get_calibration_notes gives it',
    mimeType: 'application/json',
    rule: 'viewer: project',
    read: byTool(getCalibrationNotes.name),
    values: chipIds,
  },
  {
    template: BOARDS_URI,
    name: 'Boards',
    description: 'The boards that you may read, the last changed first',
    mimeType: 'application/json',
    rule: 'viewer: shared',
    read: async ({ boards }, viewer) =>
      JSON.stringify(
        (await boards.list(viewer)).map(({ id, title, items, updatedAt }) => ({
          title,
          items: items.length,
          updatedAt,
          uri: boardUri(encodeNodeId('Board', id)),
        })),
      ),
  },
  {
    template: `${BOARDS_URI}/{board}`,
    name: 'Board',
    description: 'What the items of a board show now: their sentences, rows of tables, and links to charts',
    mimeType: 'application/json',
    rule: 'viewer: shared',
    read: async (deps, viewer, id, scope) => {
      const [board] = await deps.boards.byIds(viewer, [keyOf('Board', id, ['board'])]);
      if (!board) throw new NotFoundError(`there is no board ${id} that you may read`);
      return JSON.stringify(await boardNow(deps, viewer, board, scope));
    },
    values: async ({ boards }, viewer) =>
      (await boards.list(viewer)).map(({ id }) => encodeNodeId('Board', id)),
    list: async ({ boards }, viewer) =>
      (await boards.list(viewer)).slice(0, MOST_LISTED).map(({ id, title }) => ({
        uri: boardUri(encodeNodeId('Board', id)),
        name: title,
        mimeType: 'application/json',
      })),
  },
  {
    template: 'qpilot://jobs/{job}/report',
    name: 'Report of a job',
    description: 'The newest report that a job wrote',
    mimeType: 'text/markdown',
    rule: 'viewer: shared',
    read: async ({ jobs, jobFiles }, viewer, id) => {
      const jobId = keyOf('Job', id, ['job']);
      const [path = null] = await jobs.reportPaths(viewer, [jobId]);
      const body = path === null ? null : await jobFiles.read(viewer, jobId, path);
      if (body === null) throw new NotFoundError(`you have no job ${id} with a report`);
      return body.toString('utf8');
    },
    values: async (deps, viewer) => (await reported(deps, viewer)).map(({ id }) => encodeNodeId('Job', id)),
    list: async (deps, viewer) =>
      (await reported(deps, viewer)).map(({ id, description }) => ({
        uri: reportUri(encodeNodeId('Job', id)),
        name: description,
        mimeType: 'text/markdown',
      })),
  },
  ...(['chart', 'table'] as const).map((type): ResourceKind => ({
    template: `qpilot://${type}s/{id}`,
    name: type === 'chart' ? 'Chart' : 'Table',
    description:
      type === 'chart'
        ? 'A chart of a result as data and layout for Plotly; those of single calls are kept for 30 minutes'
        : 'A table of a result as columns and rows; those of single calls are kept for 30 minutes',
    mimeType: 'application/json',
    rule: 'viewer: shared',
    read: async ({ copilot, shelf }, viewer, id) => {
      const kept = shelf.visual(viewer, id);
      if (kept !== null) return kept.json;
      const [found] = UUID.test(id) ? await copilot.byId[`${type}s`](viewer, [id]) : [];
      if (found) return JSON.stringify(found);
      throw new NotFoundError(`there is no ${type} ${id}, or not any more; make the call again`);
    },
  })),
  {
    template: pictureUri('{id}'),
    name: 'Picture of a chart',
    description: 'The chart drawn, at most 1,000 pixels wide and 200 kB large',
    mimeType: 'image/png',
    rule: 'viewer: shared',
    read: async (deps, viewer, id) => {
      const found = await chartOf(deps, viewer, id);
      if (found === null)
        throw new NotFoundError(`there is no chart ${id}, or not any more; make the call again`);
      const drawn = await deps.pictures.draw(viewer.id, { ...found, format: 'png' });
      if ('body' in drawn) return drawn.body;
      throw InvalidInputError.at(['uri'], `names a chart that is not drawn, because ${drawn.refused}`);
    },
  },
];

/** A chart with its source, of a single call or of a conversation. */
async function chartOf({ copilot, shelf }: ResourceDeps, viewer: Viewer, id: string) {
  const kept = shelf.visual(viewer, id);
  if (kept !== null) {
    const visual = JSON.parse(kept.json) as Visual;
    return visual.type === 'chart' ? { chart: visual, source: kept.source } : null;
  }
  const [chart = null] = UUID.test(id) ? await copilot.byId.charts(viewer, [id]) : [];
  if (chart === null) return null;
  const [calls = []] = await copilot.toolCallsOfTurns(viewer, [chart.turnId]);
  return { chart, source: sourceOfCall(calls.find(({ callId }) => callId === chart.callId)) };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

/** The viewer's newest jobs with a report. */
async function reported({ jobs }: ResourceDeps, viewer: Viewer): Promise<readonly Job[]> {
  const { items } = await jobs.list(viewer, { first: MOST_LISTED });
  const found = items.map(({ item }) => item);
  const paths = await jobs.reportPaths(
    viewer,
    found.map(({ id }) => id),
  );
  return found.filter((_job, index) => paths[index] != null);
}

/** Reads a resource. @throws NotFoundError, InvalidInputError */
export async function readResource(
  deps: ResourceDeps,
  viewer: Viewer,
  uri: string,
  scope: CallScope,
): Promise<Read> {
  for (const kind of RESOURCES) {
    const id = variableIn(kind.template, uri);
    if (id === null) continue;
    assertAllowed(viewer, kind.rule);
    const { mimeType } = kind;
    const found = await kind.read(deps, viewer, id, scope);
    if (typeof found !== 'string') return { mimeType: 'image/png', blob: found.toString('base64') };
    if (mimeType !== 'image/png') return { mimeType, text: found };
    throw new Error('a picture was read as text');
  }
  const known = RESOURCES.map(({ template }) => template).join(', ');
  throw InvalidInputError.at(['uri'], `${JSON.stringify(uri.slice(0, 200))} is none of ${known}`);
}

/** The value of the variable of a template in an address; empty for a template without one, null where they differ. */
function variableIn(template: string, uri: string): string | null {
  const [before = '', after] = template.split(/\{\w+\}/u);
  if (after === undefined) return uri === before ? '' : null;
  if (!uri.startsWith(before) || !uri.endsWith(after)) return null;
  const value = uri.slice(before.length, uri.length - after.length);
  if (value === '' || value.includes('/')) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null; // a broken escape
  }
}
