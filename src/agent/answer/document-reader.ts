import { JSONParser } from '@streamparser/json';
import { z } from 'zod';
import { ASSESSMENTS, readAssessment } from '../../domain/conversation/assessment.ts';
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

/** Reads one answer written as a JSON document while it comes. */
export type DocumentReader = {
  /** What the next piece of the document says. Text is told as far as it has come, a chart when it is whole. */
  push(json: string): readonly AnswerPiece[];
  /** Whether the document is not JSON, so that no more of it can be read. */
  readonly isBroken: boolean;
};

/** Where text and charts stand: in blocks, or in the fields of the older schema, whose lists may be single texts. */
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
 * A reader of one document `{blocks, assessment}` or `{summary, assessment, explanation, potential_issues,
 * recommendations}`. Which of them it is need not be known: each field says what it is by its name, and a block by which
 * of its fields is filled. Values of other kinds than expected are passed over.
 */
export function createDocumentReader(): DocumentReader {
  let isBroken = false;
  let pieces: AnswerPiece[] = [];
  let told = { path: '', length: 0 };
  let toldList: string | null = null;
  let summary = '';

  /** What stands before the first words of a value. */
  function openText(field: string): void {
    const heading = HEADINGS.get(field);
    if (heading === undefined || toldList !== field) pieces.push({ type: 'break' });
    if (heading === undefined) return;
    const title = /[\u3040-\u30ff]/u.test(summary) ? heading.ja : heading.en;
    pieces.push({ type: 'text', text: toldList === field ? '\n- ' : `**${title}**\n\n- ` });
    toldList = field;
  }

  function tellText(field: string, path: string, value: string): void {
    if (field === 'summary') summary = value;
    if (field === 'explanation' && summary.startsWith(value)) return; // some say the same twice
    if (value.length === 0) return;
    if (path !== told.path) {
      openText(field);
      told = { path, length: 0 };
    }
    const text = value.slice(told.length);
    told.length = value.length;
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
      tellText(field, path.join('.'), value);
    }
  };
  parser.onError = () => {
    isBroken = true;
  };

  return {
    push(json) {
      pieces = [];
      if (!isBroken) parser.write(json);
      return pieces;
    },
    get isBroken() {
      return isBroken;
    },
  };
}
