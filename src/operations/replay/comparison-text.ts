import { countOf } from '../../domain/text/display-text.ts';
import type { Attempt } from './attempt.ts';
import { callText, type Comparison } from './comparison.ts';

/** A comparison for people: both answers beside each other in `width` columns, then what differs. */
export function comparisonText(
  recorded: Attempt,
  replayed: Attempt,
  comparison: Comparison,
  width: number,
): string {
  const columns: readonly (readonly [string, string])[] = [
    [`RECORDED: ${headOf(recorded)}`, `REPLAYED: ${headOf(replayed)}`],
    ['', ''],
    [callsOf(recorded), callsOf(replayed)],
    ['', ''],
    [answerOf(recorded), answerOf(replayed)],
  ];
  return [
    ...columns.flatMap(([left, right]) => beside(left, right, width)),
    '',
    ...differences(comparison),
  ].join('\n');
}

const headOf = ({ model, modelCalls, usage, costUsd, durationMs }: Attempt): string =>
  [
    model,
    countOf(modelCalls, 'model call'),
    `${usage.inputTokens} + ${usage.outputTokens} tokens`,
    costUsd === null ? 'no price' : `$${costUsd.toFixed(4)}`,
    `${(durationMs / 1000).toFixed(1)} s`,
  ].join(', ');

const callsOf = ({ calls }: Attempt): string =>
  calls.length === 0 ? 'no tool calls' : calls.map((call) => `→ ${callText(call)}`).join('\n');

const answerOf = ({ text, error }: Attempt): string =>
  [text === '' ? '(no answer)' : text, ...(error === null ? [] : [`(${error})`])].join('\n');

function differences(comparison: Comparison): readonly string[] {
  const { tokens, costUsd } = comparison;
  const lines = [
    listed('Calls only in the record', comparison.callsOnlyRecorded),
    listed('Calls only in the replay', comparison.callsOnlyReplayed),
    listed('Numbers only in the record', comparison.numbersOnlyRecorded),
    listed('Numbers only in the replay', comparison.numbersOnlyReplayed),
    `Tokens: ${signed(tokens.input)} in, ${signed(tokens.output)} out${costUsd === null ? '' : `; cost ${signed(Number(costUsd.toFixed(6)))} USD`}`,
  ].filter((line) => line !== null);
  return [comparison.sameText ? 'The answers are the same.' : 'The answers differ.', ...lines];
}

const listed = (title: string, items: readonly string[]): string | null =>
  items.length === 0 ? null : `${title}: ${items.join(', ')}`;

const signed = (number: number): string => (number > 0 ? `+${number}` : String(number));

/** Two texts as two columns. */
function beside(left: string, right: string, width: number): readonly string[] {
  const columnWidth = Math.max(20, Math.floor((width - 3) / 2));
  const [lefts, rights] = [wrap(left, columnWidth), wrap(right, columnWidth)];
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, row) =>
    `${pad(lefts[row] ?? '', columnWidth)} │ ${rights[row] ?? ''}`.trimEnd(),
  );
}

/** Cut at spaces where there are some. */
function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const rows: string[] = [];
    let rest = line;
    while (cellsOf(rest) > width) {
      const end = fitting(rest, width);
      const space = rest.lastIndexOf(' ', end);
      const cut = space > 0 ? space : end;
      rows.push(rest.slice(0, cut));
      rest = rest.slice(cut).trimStart();
    }
    return [...rows, rest];
  });
}

/** Length of the beginning of `text` that fits into `width` cells, at least one character. */
function fitting(text: string, width: number): number {
  let cells = 0;
  let end = 0;
  for (const character of text) {
    cells += cellsOf(character);
    if (cells > width) break;
    end += character.length;
  }
  // A single character that is wider than the column still gets a line of its own.
  return Math.max(end, 1);
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - cellsOf(text)));

/** Cells of a terminal: letters of East Asia take two. */
const cellsOf = (text: string): number =>
  Array.from(text).reduce(
    (cells, character) => cells + (/[\u1100-\u115f\u2e80-\uffe6]/u.test(character) ? 2 : 1),
    0,
  );
