/** Turns requests into calls of the artifact tools on the current artifacts, or into the reason why there is none. */
import { applyArtifactCall } from '../../domain/artifacts/apply-artifact-call.ts';
import type { ArtifactToolName } from '../../domain/artifacts/artifact-calls.ts';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import type { Json } from '../../domain/visuals.ts';
import { CATEGORY_RULES } from '../../experts/tool-categories.ts';
import type { Place, Request } from './request.ts';
import { findSection, sectionsOf } from './sections.ts';

/** A call of an artifact tool. */
export type PlannedCall = { readonly tool: ArtifactToolName; readonly args: object };

/** Why a request cannot be carried out. */
export type Obstacle =
  | { readonly type: 'no-section'; readonly title: string; readonly titles: readonly string[] }
  | { readonly type: 'no-text'; readonly text: string }
  | { readonly type: 'no-line'; readonly lines: number }
  /** A category without tools cannot be switched on. */
  | { readonly type: 'no-tools' };

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
    const planned = plan(request, current);
    if (planned === null) return { request, type: 'answer', seen: current };
    if (!('tool' in planned)) return { request, type: 'obstacle', obstacle: planned };
    const rules = { categories: CATEGORY_RULES, strict: false };
    current = applyArtifactCall(current, planned.tool, planned.args, rules).artifacts;
    return { request, type: 'call', call: planned };
  });
}

type Planned = PlannedCall | Obstacle | null;

function plan(request: Request, artifacts: Artifacts): Planned {
  const text = artifacts.instructions ?? '';
  switch (request.type) {
    case 'temperature':
      return setLlm({ temperature: request.value });
    case 'reasoning':
      return setLlm({ reasoning_level: request.level });
    case 'model':
      return setLlm({ model: request.name });
    case 'describe':
      return { tool: 'update_description', args: { content: request.text } };
    case 'switch': {
      const { name: category, tools: all } = request.category;
      if (request.isOn && all.length === 0) return { type: 'no-tools' };
      return update({ tools: [{ category, tools: request.isOn ? all.map(({ name }) => name) : [] }] });
    }
    case 'replace':
      return request.everywhere && text.includes(request.old)
        ? rewrite(text.replaceAll(request.old, () => request.by))
        : edit(request.old, request.by);
    case 'insert':
      return insert(request.text, request.place, text);
    case 'lines': {
      const count = linesOf(text).length;
      const isThere = request.from >= 1 && request.from <= request.to && request.to <= count;
      if (!isThere) return { type: 'no-line', lines: count };
      return replaceLines(text, request.from - 1, request.to, request.by === null ? [] : [request.by]);
    }
    case 'add-section':
      return insert(sectionText(request.title, request.body, text), { at: 'END' }, text);
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

type SectionChange = Extract<Request, { type: 'remove-section' | 'rewrite-section' | 'rename-section' }>;

function changeSection(request: SectionChange, text: string): Planned {
  const section = findSection(text, request.title);
  if (section === null) return noSection(request.title, text);
  const { start, end, rank } = section;
  switch (request.type) {
    case 'remove-section':
      return replaceLines(text, start, end, []);
    case 'rewrite-section': {
      const isLast = end === text.split('\n').length;
      return replaceLines(text, start + 1, end, ['', request.body, ...(isLast ? [] : [''])]);
    }
    case 'rename-section':
      return replaceLines(text, start, start + 1, [`${'#'.repeat(rank)} ${request.to}`]);
    default:
      return request satisfies never;
  }
}

const noSection = (title: string, text: string): Obstacle => ({
  type: 'no-section',
  title,
  titles: sectionsOf(text).map((section) => section.title),
});

/** A blank line before it, and one between heading and text. */
function sectionText(title: string, body: string, before: string): string {
  const gap = before === '' || before.endsWith('\n\n') ? '' : '\n';
  const heading = `## ${title.charAt(0).toUpperCase()}${title.slice(1)}`;
  return `${gap}${heading}${body === '' ? '' : `\n\n${body}`}`;
}

function insert(content: string, place: Place, text: string): Planned {
  const lines = linesOf(text);
  switch (place.at) {
    case 'START':
      return insertAt(content, 1);
    case 'END':
      return insertAt(content, lines.length < text.split('\n').length ? lines.length + 1 : null);
    case 'LINE':
      if (place.line < 1 || place.line > lines.length) return { type: 'no-line', lines: lines.length };
      return insertAt(content, place.side === 'AFTER' ? place.line + 1 : place.line);
    case 'TEXT': {
      const at = lines.findIndex((line) => line.includes(place.text));
      if (at < 0) return { type: 'no-text', text: place.text };
      return insertAt(content, place.side === 'AFTER' ? at + 2 : at + 1);
    }
    case 'SECTION': {
      const section = findSection(text, place.title);
      if (section === null) return noSection(place.title, text);
      const written = lines.slice(section.start, section.end).findLastIndex((line) => line.trim() !== '');
      return insertAt(content, section.start + written + 2);
    }
    default:
      return place satisfies never;
  }
}

/** Lines of a text; a line break at its end starts none. */
const linesOf = (text: string): readonly string[] => {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

const insertAt = (content: string, line: number | null): PlannedCall => ({
  tool: 'insert_instructions',
  args: { content, line },
});

const edit = (oldText: string, newText: string): PlannedCall => ({
  tool: 'edit_instructions',
  args: { old_text: oldText, new_text: newText },
});

const rewrite = (content: string): PlannedCall => ({ tool: 'update_instructions', args: { content } });

/** Replaces the lines from `start` up to `end` by an edit; by a rewrite where the same lines occur elsewhere, too. */
function replaceLines(text: string, start: number, end: number, by: readonly string[]): PlannedCall {
  const lines = text.split('\n');
  const isRest = end >= lines.length;
  const old = lines.slice(start, end).join('\n') + (isRest ? '' : '\n');
  const next = by.join('\n') + (by.length > 0 && !isRest ? '\n' : '');
  const isUnique = old.trim() !== '' && text.indexOf(old) === text.lastIndexOf(old);
  return isUnique
    ? edit(old, next)
    : rewrite([...lines.slice(0, start), ...by, ...lines.slice(end)].join('\n'));
}

const update = (set: Readonly<Record<string, Json>>): PlannedCall => ({
  tool: 'update_config',
  args: { llm: null, tools: null, clear: null, ...set },
});

const setLlm = (set: Readonly<Record<string, Json>>): PlannedCall =>
  update({ llm: { model: null, temperature: null, reasoning_level: null, ...set } });
