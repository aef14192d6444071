import { cellOf, headingText, plainCell, shownColumns } from '../../lib/format/cell.ts';
import type { EntryExhibit, Fact, LogbookEntry } from './entry.ts';

/** An entry as Markdown: title, facts, words, and the tables behind them, those of charts too. */
export function entryMarkdown(entry: LogbookEntry, facts: readonly Fact[]): string {
  return [
    `# ${escapeMarkdown(entry.title)}`,
    facts
      .map(({ label, value }) => `- ${label}: ${isLink(value) ? `<${value}>` : escapeMarkdown(value)}`)
      .join('\n'),
    inertMarkdown(entry.markdown).trim(),
    ...entry.exhibits.flatMap(({ chart, table }) => [
      `## ${escapeMarkdown(chart?.title ?? table?.title ?? '')}`,
      ...(table === null ? [] : [tableMarkdown(table)]),
    ]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

const isLink = (value: string): boolean => /^https?:\/\/[^\s<>]+$/u.test(value);

type Table = NonNullable<EntryExhibit['table']>;

/** The cells of a table as they are read, with their headings. */
export function tableCells({ columns: all, rows }: Table): readonly (readonly string[])[] {
  const columns = shownColumns(all);
  const list = Array.isArray(rows) ? (rows as readonly Readonly<Record<string, unknown>>[]) : [];
  return [columns.map(headingText), ...list.map((row) => columns.map((column) => cellOf(row, column)))];
}

function tableMarkdown(table: Table): string {
  const [head = [], ...rows] = tableCells(table);
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')).replaceAll(String.raw`\-`, '-'), ...rows.map(line)].join(
    '\n',
  );
}

/** Words as Markdown that reads as they do: nothing in them is a mark, a tag or a second line. */
export const escapeMarkdown = (words: string): string =>
  plainCell(words)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\\`*_[\]{}<>|~#$&]/gu, String.raw`\$&`)
    .replace(/^([-+=])(?=[\s+=-]|$)/u, String.raw`\$1`)
    .replace(/^(\d+)([.)])(?=\s|$)/u, String.raw`$1\$2`);

/**
 * Markdown of a model or a person for other programs: tags are words there as they are here, and nothing is loaded from
 * elsewhere. Code stays as it is.
 */
export const inertMarkdown = (markdown: string): string =>
  markdown.replaceAll(
    /(^(?:```|~~~)[\s\S]*?(?:^(?:```|~~~)[^\n]*$|(?![\s\S])))|((?<!`)`+[^`\n]+`+)|!(?=\[)|<(?=[a-z/!?])/gimu,
    (found: string, fence: string | undefined, code: string | undefined) => {
      if (fence !== undefined || code !== undefined) return found;
      return found === '!' ? '' : '&lt;';
    },
  );
