/** A section of Markdown: its heading and all below it, up to the next heading of its rank. Lines count from 0. */
export type Section = {
  readonly title: string;
  /** Number of `#`. */
  readonly rank: number;
  readonly start: number;
  /** The line after its last. */
  readonly end: number;
};

/** The sections of a text, those within others too; headings within code fences do not count. */
export function sectionsOf(text: string): readonly Section[] {
  const lines = text.split('\n');
  const headings: Omit<Section, 'end'>[] = [];
  let fence: string | null = null;
  for (const [start, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1]?.slice(0, 3) ?? null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    const [, marks, title] = (fence === null && /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/u.exec(line)) || [];
    if (marks !== undefined && title) headings.push({ title, rank: marks.length, start });
  }
  return headings.map((heading, index) => {
    const next = headings.slice(index + 1).find(({ rank }) => rank <= heading.rank);
    return { ...heading, end: next?.start ?? lines.length };
  });
}

/** The first section of a title, regardless of case, signs and number; null for none. */
export const findSection = (text: string, title: string): Section | null =>
  sectionsOf(text).find((section) => plain(section.title) === plain(title)) ?? null;

const plain = (title: string): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/^[\d.]+\s+|[^\p{L}\p{N}]+/gu, '');
