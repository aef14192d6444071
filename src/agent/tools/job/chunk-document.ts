/**
 * `chunk_document`: a long text of the workspace in parts of bounded length, cut where it has headings or paragraphs.
 */
import { z } from 'zod';
import { countOf } from '../../../domain/text/display-text.ts';
import { InvalidInputError } from '../../../base/errors.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Tool } from '../../tool.ts';
import { sentenceResult, workspaceTool } from './workspace-tool.ts';

const MIN_PART = 500;
const MAX_PART = 20_000;
const DEFAULT_PART = 6_000;

/** The tool of category `document`. */
export const chunkDocument = (workspace: Workspace): Tool =>
  workspaceTool({
    name: 'chunk_document',
    category: 'document',
    rule: 'editor: own',
    label: 'Reading a document in parts',
    title: { en: 'Cut a document into parts', ja: '文書の分割読み取り' },
    example: { path: 'paper.txt', part: 2 },
    description:
      'Cuts a text file of the workspace at headings and paragraphs, lists the parts, and gives the text of one.',
    args: z.object({
      path: z.string().min(1),
      part: z.int().positive().nullable().describe('null: the first'),
      part_characters: z
        .int()
        .min(MIN_PART)
        .max(MAX_PART)
        .nullable()
        .describe(`Longest part; null: ${DEFAULT_PART}`),
    }),
    describe: ({ path, part }) => `${path}, part ${part ?? 1}`,
    run: async ({ path, part, part_characters }) => {
      const parts = documentParts(await workspace.readText(path), part_characters ?? DEFAULT_PART);
      const number = part ?? 1;
      const text = parts[number - 1];
      if (text === undefined) {
        const message = `${path} has ${countOf(parts.length, 'part')} of this length; give one of them`;
        throw new InvalidInputError([{ path: ['part'], message }]);
      }
      return sentenceResult(
        `${path}: part ${number} of ${parts.length}.`,
        {
          path,
          part: number,
          text,
          parts: parts.map((each, at) => ({
            part: at + 1,
            characters: each.length,
            begins: beginningOf(each),
          })),
        },
        'DATASET',
      );
    },
  });

const beginningOf = (text: string): string => text.trim().split('\n', 1)[0]?.slice(0, 80) ?? '';

/**
 * Parts of at most `most` characters that together are the text, cut at headings first, then paragraphs, then lines.
 */
export function documentParts(text: string, most: number): readonly string[] {
  return joined(pieces(text, most, [/^(?=#{1,6} )/mu, /(?<=\n\n)/u, /(?<=\n)/u]), most);
}

function pieces(text: string, most: number, [cut, ...finer]: readonly RegExp[]): readonly string[] {
  if (text.length <= most) return [text];
  if (cut === undefined) {
    const count = Math.ceil(text.length / most);
    return Array.from({ length: count }, (_, at) => text.slice(at * most, (at + 1) * most));
  }
  return text.split(cut).flatMap((piece) => pieces(piece, most, finer));
}

/** Puts small pieces together; a heading begins a new part once the one before it is half full. */
function joined(small: readonly string[], most: number): readonly string[] {
  const parts: string[] = [];
  for (const piece of small) {
    const last = parts.at(-1);
    const isFull = last !== undefined && /^#{1,6} /u.test(piece) && last.length >= most / 2;
    if (last !== undefined && !isFull && last.length + piece.length <= most)
      parts[parts.length - 1] = last + piece;
    else parts.push(piece);
  }
  return parts;
}
