import { textOf, type TurnView } from '@qpilot/client/view';
import { turnPath } from '../../../lib/part-path.ts';
import type { LogbookEntry } from '../../logbook/entry.ts';
import { answerLayout, type Exhibit } from './answer-layout.ts';

type Chips = {
  /** The chip that the conversation is about. */
  readonly chipId: string | null;
  /** Those of the project. */
  readonly chipIds: readonly string[];
};

type From = Chips & { readonly sessionId: string; readonly author: string | null };

/** The chip that an answer is about: the only one that its question, steps and visuals name, else that of its conversation. */
export function chipOfAnswer(
  { question, steps, parts }: TurnView,
  { chipId, chipIds }: Chips,
): string | null {
  const titles = parts.map((part) =>
    part.type === 'chart' ? part.chart.title : part.type === 'table' ? part.table.title : '',
  );
  const words = [question.text, ...steps.map(({ description }) => description), ...titles].join('\n');
  const isNamed = (id: string): boolean =>
    words.split(id).some((before, at, pieces) => {
      const after = pieces[at + 1];
      return after !== undefined && !/[\w-]$/u.test(before) && !/^[\w-]/u.test(after);
    });
  const named = chipIds.filter(isNamed);
  if (named.length > 1) return null;
  return named[0] ?? chipId;
}

/**
 * An answer as an entry of a logbook: its words, then its visuals in the order in which the page has them, each as
 * `inWords` gives it in the language of the page.
 */
export function entryOf(
  turn: TurnView,
  { createdAt, freshness, numbers }: NonNullable<TurnView['answer']>,
  { sessionId, author, ...chips }: From,
  inWords: (exhibit: Exhibit) => Exhibit,
): LogbookEntry {
  const { id, question, parts } = turn;
  const { picture, evidence } = answerLayout(parts, question.text);
  return {
    title: question.text,
    chipId: chipOfAnswer(turn, chips),
    author,
    writtenAt: createdAt,
    freshness,
    markdown: textOf(parts),
    exhibits: [...(picture === null ? [] : [picture]), ...evidence].map(inWords).map((exhibit) => ({
      chart: exhibit.type === 'chart' ? exhibit.chart : null,
      table: exhibit.table,
    })),
    records: [...new Set(numbers.flatMap(({ recordId }) => recordId ?? []))],
    path: turnPath(sessionId, id),
  };
}
