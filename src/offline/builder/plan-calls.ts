/** Turns requests into calls of the artifact tools on the current artifacts, or into the reason why there is none. */
import { applyArtifactCall } from '../../domain/artifacts/apply-artifact-call.ts';
import type { ArtifactToolName } from '../../domain/artifacts/artifact-calls.ts';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import type { Json } from '../../domain/visuals.ts';
import { CATEGORY_RULES } from '../../experts/tool-categories.ts';
import type { Place, Request } from './request.ts';
import { findSection, linesOf, sectionsOf, stepsOf, type LineRange } from './sections.ts';

/** A call of an artifact tool. */
export type PlannedCall = { readonly tool: ArtifactToolName; readonly args: object };

/** Why a request cannot be carried out, as the key of a message, and what that names or counts. */
export type Obstacle = {
  readonly why: 'noSection' | 'noText' | 'noLine' | 'noStep' | 'noTools';
  readonly names?: readonly string[];
  readonly count?: number;
};

/** A request with its call or obstacle; questions and undo have neither. */
export type Step = { readonly request: Request } & (
  | { readonly type: 'call'; readonly call: PlannedCall }
  | { readonly type: 'obstacle'; readonly obstacle: Obstacle }
  /** `seen`: the artifacts after the requests before it. */
  | { readonly type: 'answer'; readonly seen: Artifacts }
);

/** Plans requests in order, each on the result of those before it. */
export function planSteps(requests: readonly Request[], artifacts: Artifacts): readonly Step[] {
  let current = artifacts;
  return requests.map((request): Step => {
    const planned = plan(request, current.instructions ?? '');
    if (planned === null) return { request, type: 'answer', seen: current };
    if ('why' in planned) return { request, type: 'obstacle', obstacle: planned };
    const rules = { categories: CATEGORY_RULES, strict: false };
    current = applyArtifactCall(current, planned.tool, planned.args, rules).artifacts;
    return { request, type: 'call', call: planned };
  });
}

function plan(request: Request, text: string): PlannedCall | Obstacle | null {
  switch (request.type) {
    case 'temperature':
    case 'reasoning_level':
    case 'model': {
      const unset = { model: null, temperature: null, reasoning_level: null };
      return update({ llm: { ...unset, [request.type]: request.value } });
    }
    case 'describe':
      return { tool: 'update_description', args: { content: request.text } };
    case 'switch': {
      const { name: category, tools: all } = request.category;
      if (request.isOn && all.length === 0) return { why: 'noTools' };
      return update({ tools: [{ category, tools: request.isOn ? all.map(({ name }) => name) : [] }] });
    }
    case 'replace':
      return request.everywhere && text.includes(request.old)
        ? rewrite(text.replaceAll(request.old, () => request.by))
        : edit(request.old, request.by);
    case 'insert':
      return insert(request.text, request.place, text);
    case 'lines': {
      const { from, to, by } = request;
      const count = linesOf(text).length;
      const isThere = from >= 1 && from <= to && to <= count;
      if (!isThere) return { why: 'noLine', count };
      return replaceLines(text, { start: from - 1, end: to }, by === null ? [] : [by]);
    }
    case 'steps': {
      const [first, last] = [stepsOf(text, request.from), stepsOf(text, request.to)];
      if (first.length !== 1 || last.length !== 1) return { why: 'noStep', count: first.length };
      const [{ start, mark } = NO_STEP, { end } = NO_STEP] = [first[0], last[0]];
      return replaceLines(text, { start, end }, request.by === null ? [] : [`${mark}${request.by}`]);
    }
    case 'add-step': {
      const [last, ...others] = stepsOf(text, 0);
      if (last === undefined || others.length > 0) return { why: 'noStep', count: others.length };
      return insertAt(last.mark.replace(/\d+/u, String(last.number + 1)) + request.text, last.end + 1);
    }
    case 'add-section': {
      const gap = text === '' || text.endsWith('\n\n') ? '' : '\n';
      const heading = `## ${request.title.charAt(0).toUpperCase()}${request.title.slice(1)}`;
      const body = request.body === '' ? '' : `\n\n${request.body}`;
      return insert(`${gap}${heading}${body}`, { at: 'END' }, text);
    }
    case 'remove-section':
    case 'rewrite-section':
    case 'rename-section':
      return changeSection(request, text);
    case 'undo':
    case 'ask':
      return null;
    default:
      return request satisfies never;
  }
}

const NO_STEP = { start: 0, end: 0, mark: '' };

type SectionChange = Extract<Request, { type: 'remove-section' | 'rewrite-section' | 'rename-section' }>;

function changeSection(request: SectionChange, text: string): PlannedCall | Obstacle {
  const section = findSection(text, request.title);
  if (section === null) return noSection(text);
  const { start, end, rank } = section;
  switch (request.type) {
    case 'remove-section':
      return replaceLines(text, section, []);
    case 'rewrite-section': {
      const gap = end === text.split('\n').length ? [] : [''];
      return replaceLines(text, { start: start + 1, end }, ['', request.body, ...gap]);
    }
    case 'rename-section':
      return replaceLines(text, { start, end: start + 1 }, [`${'#'.repeat(rank)} ${request.to}`]);
    default:
      return request satisfies never;
  }
}

const noSection = (text: string): Obstacle => ({
  why: 'noSection',
  names: sectionsOf(text).map(({ title }) => title),
});

function insert(content: string, place: Place, text: string): PlannedCall | Obstacle {
  const lines = linesOf(text);
  switch (place.at) {
    case 'START':
      return insertAt(content, 1);
    case 'END':
      return insertAt(content, lines.length < text.split('\n').length ? lines.length + 1 : null);
    case 'LINE':
      if (place.line < 1 || place.line > lines.length) return { why: 'noLine', count: lines.length };
      return insertAt(content, place.isBefore ? place.line : place.line + 1);
    case 'TEXT': {
      const at = lines.findIndex((line) => line.includes(place.text));
      return at < 0
        ? { why: 'noText', names: [place.text] }
        : insertAt(content, place.isBefore ? at + 1 : at + 2);
    }
    case 'SECTION': {
      const section = findSection(text, place.title);
      if (section === null) return noSection(text);
      const written = lines.slice(section.start, section.end).findLastIndex((line) => line.trim() !== '');
      return insertAt(content, section.start + written + 2);
    }
    default:
      return place satisfies never;
  }
}

const insertAt = (content: string, line: number | null): PlannedCall => ({
  tool: 'insert_instructions',
  args: { content, line },
});
const edit = (oldText: string, newText: string): PlannedCall => ({
  tool: 'edit_instructions',
  args: { old_text: oldText, new_text: newText },
});
const rewrite = (content: string): PlannedCall => ({ tool: 'update_instructions', args: { content } });
const update = (set: Readonly<Record<string, Json>>): PlannedCall => ({
  tool: 'update_config',
  args: { llm: null, tools: null, clear: null, ...set },
});

/** Replaces lines by an edit; by a rewrite where the same lines occur elsewhere, too. */
function replaceLines(text: string, { start, end }: LineRange, by: readonly string[]): PlannedCall {
  const lines = text.split('\n');
  const isRest = end >= lines.length;
  const old = lines.slice(start, end).join('\n') + (isRest ? '' : '\n');
  const next = by.join('\n') + (by.length > 0 && !isRest ? '\n' : '');
  const isUnique = old.trim() !== '' && text.indexOf(old) === text.lastIndexOf(old);
  return isUnique ? edit(old, next) : rewrite(lines.toSpliced(start, end - start, ...by).join('\n'));
}
