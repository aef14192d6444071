/** Text charts, which every Markdown viewer shows. */

/** A line of a chart. */
export type Bar = { readonly label: string; readonly value: number; readonly shown: string };

const WIDTH = 40;

/** A bar chart as a code block; bars begin at `from`, which the title states unless it is 0. */
export function barChart(title: string, bars: readonly Bar[], from = 0): string {
  const top = Math.max(...bars.map(({ value }) => value - from), 0);
  const labels = Math.max(...bars.map(({ label }) => label.length));
  const figures = Math.max(...bars.map(({ shown }) => shown.length));
  const lines = bars.map(({ label, value, shown }) => {
    const length = top === 0 ? 0 : Math.max(value > from ? 1 : 0, Math.round(((value - from) / top) * WIDTH));
    return `${label.padEnd(labels)}  ${shown.padStart(figures)}  ${'█'.repeat(length)}`.trimEnd();
  });
  return ['```text', title, ...lines, '```'].join('\n');
}

/** Where bars begin: at 0, or just below the lowest where all values are close together. */
export function baseOf(values: readonly number[]): number {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low > 0 && low > high / 2 ? low - (high - low) / 4 : 0;
}

const CLASSES = 8;

/** Counts of values in classes of equal width. */
export function classesOf(values: readonly number[], show: (value: number) => string): readonly Bar[] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (!(high > low)) return [{ label: show(low), value: values.length, shown: String(values.length) }];
  const width = (high - low) / CLASSES;
  return Array.from({ length: CLASSES }, (_, at) => {
    const isIn = (value: number): boolean => Math.min(CLASSES - 1, Math.floor((value - low) / width)) === at;
    const count = values.filter(isIn).length;
    return {
      label: `${show(low + at * width)} – ${show(low + (at + 1) * width)}`,
      value: count,
      shown: String(count),
    };
  });
}
