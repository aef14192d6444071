import { JSONParser } from '@streamparser/json';
import { z } from 'zod';
import { ASSESSMENTS, readAssessment } from '../../domain/conversation/session.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import type { AnswerSchema } from '../model.ts';
import type { AnswerPiece } from './answer-piece.ts';

const answer = z.strictObject({
  blocks: z.array(
    z.strictObject({
      type: z.enum(['text', 'chart']),
      content: z.string().nullable(),
      // Plotly's own: too free for a strict schema, and checked when it is shown.
      chart: z.looseObject({}).nullable(),
    }),
  ),
  assessment: z.enum(ASSESSMENTS.map((word) => word.toLowerCase())).nullable(),
});

const { $schema: _version, ...schema } = z.toJSONSchema(answer);

/** The schema of an answer in blocks, as models are asked for it. */
export const BLOCKS_SCHEMA: AnswerSchema = { name: 'blocks_response', schema: schema as JsonObject };

export type DocumentReader = ReturnType<typeof createDocumentReader>;

/** Paths of text and charts: in blocks, or in the fields of the older schema, where a list may be a single string. */
const PATHS = [
  '$.blocks.*.content',
  '$.blocks.*.chart',
  '$.assessment',
  '$.summary',
  '$.explanation',
  '$.potential_issues',
  '$.potential_issues.*',
  '$.recommendations',
  '$.recommendations.*',
];

const HEADINGS: ReadonlyMap<string, { readonly en: string; readonly ja: string }> = new Map([
  ['potential_issues', { en: 'Potential issues', ja: '考えられる問題' }],
  ['recommendations', { en: 'Recommendations', ja: '推奨事項' }],
]);

/**
 * Reads one document `{blocks, assessment}` or `{summary, assessment, explanation, potential_issues, recommendations}`
 * while it streams. The field names distinguish the two forms. Values of unexpected types are ignored.
 */
export function createDocumentReader() {
  let isBroken = false;
  let pieces: AnswerPiece[] = [];
  let current = { path: '', length: 0 };
  let currentList: string | null = null;
  let summary = '';

  /** Adds a break or heading before the first words of a value. */
  function openText(field: string): void {
    const heading = HEADINGS.get(field);
    if (heading === undefined || currentList !== field) pieces.push({ type: 'break' });
    if (heading === undefined) return;
    const title = /[\u3040-\u30ff]/u.test(summary) ? heading.ja : heading.en;
    pieces.push({ type: 'text', text: currentList === field ? '\n- ' : `**${title}**\n\n- ` });
    currentList = field;
  }

  function addText(field: string, path: string, value: string): void {
    if (field === 'summary') summary = value;
    if (field === 'explanation' && summary.startsWith(value)) return; // some models repeat it
    if (value.length === 0) return;
    if (path !== current.path) {
      openText(field);
      current = { path, length: 0 };
    }
    const text = value.slice(current.length);
    current.length = value.length;
    pieces.push({ type: 'text', text: HEADINGS.has(field) ? text.replaceAll('\n', '\n  ') : text });
  }

  const parser = new JSONParser({ paths: PATHS, emitPartialTokens: true, emitPartialValues: true });
  parser.onValue = ({ value, key, stack, partial }) => {
    const path = [...stack.slice(1).map((entry) => entry.key), key];
    const [field = ''] = path.map(String);
    if (key === 'chart' && field === 'blocks') {
      if (partial !== true && value !== null) pieces.push({ type: 'chart', figure: value });
    } else if (field === 'assessment') {
      if (partial === true) return;
      const assessment = typeof value === 'string' ? readAssessment(value) : null;
      pieces.push({ type: 'assessment', assessment });
    } else if (typeof value === 'string') {
      addText(field, path.join('.'), value);
    }
  };
  parser.onError = () => {
    isBroken = true;
  };

  return {
    /** Pieces of the next part of the document. Text comes as it streams, a chart when it is complete. */
    push(json: string): readonly AnswerPiece[] {
      pieces = [];
      if (!isBroken) parser.write(json);
      return pieces;
    },
    /** Whether the document is not JSON, so that no more of it can be read. */
    get isBroken() {
      return isBroken;
    },
  };
}
