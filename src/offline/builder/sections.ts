/** Sections and numbered steps of instructions, in Markdown. Lines count from 0. */

export type LineRange = {
  readonly start: number;
  /** The line after its last. */
  readonly end: number;
};

/** A section: its heading and all below it, up to the next heading of its rank. */
export type Section = LineRange & {
  readonly title: string;
  /** Number of `#`. */
  readonly rank: number;
};

/** Lines of a text; a line break at its end starts none. */
export const linesOf = (text: string): readonly string[] => text.replace(/\n$/u, '').split('\n');

/** The lines of a text, those within code fences empty. */
function proseOf(text: string): readonly string[] {
  let fence: string | null = null;
  return text.split('\n').map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1]?.slice(0, 3) ?? null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    return fence === null ? line : '';
  });
}

/** The sections of a text, those within others too. */
export function sectionsOf(text: string): readonly Section[] {
  const lines = proseOf(text);
  const headings = lines.flatMap((line, start) => {
    const [, marks = '', title] = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/u.exec(line) ?? [];
    return title ? [{ title, rank: marks.length, start }] : [];
  });
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

/** A numbered item of a list with the lines that continue it; `mark` is all before its text: indent, number, dot and blank. */
export type ListStep = LineRange & { readonly number: number; readonly mark: string };

/** The steps of a number in all lists; for 0 the last step of each list. */
export function stepsOf(text: string, number: number): readonly ListStep[] {
  const lines = proseOf(text);
  const steps = lines.flatMap((line, start) => {
    const [mark, written] = /^\s*(\d+)[.)]\s+/u.exec(line) ?? [];
    if (mark === undefined) return [];
    const after = lines
      .slice(start + 1)
      .findIndex((next) => !/^\s{2,}\S/u.test(next) || /^\s*\d+[.)]\s/u.test(next));
    return [{ start, end: after < 0 ? lines.length : start + 1 + after, number: Number(written), mark }];
  });
  const isLast = (_: ListStep, at: number): boolean =>
    (steps[at + 1]?.number ?? 0) <= (steps[at]?.number ?? 0);
  return number === 0 ? steps.filter(isLast) : steps.filter((step) => step.number === number);
}
