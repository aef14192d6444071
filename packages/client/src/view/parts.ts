import type { CopilotAnswerFragment, CopilotChartFragment } from '../gql/graphql.ts';
import { textOf, type Chart, type Part } from './session-view.ts';

/**
 * Puts text at its place in an answer. What lies before `offset` is there already; of text that overlaps it only the
 * rest is new. Text behind a hole is left out: the stored answer will bring it.
 */
export function withText(parts: readonly Part[], text: string, offset: number): readonly Part[] {
  const length = textOf(parts).length;
  if (offset > length) return parts;
  const added = text.slice(length - offset);
  if (added === '') return parts;
  const last = parts.at(-1);
  if (last?.type !== 'text') return [...parts, { type: 'text', text: added }];
  return [...parts.slice(0, -1), { type: 'text', text: last.text + added }];
}

/** Adds a chart, a table or a message of the user behind what there is; one that is there already keeps its place. */
export function withVisual(parts: readonly Part[], visual: Exclude<Part, { type: 'text' }>): readonly Part[] {
  return parts.some((part) => keyOf(part) === keyOf(visual)) ? parts : [...parts, visual];
}

/** Undoes the output of a repeated step: text from `length` on, and the named charts. All other visuals stay. */
export function afterReset(
  parts: readonly Part[],
  length: number,
  droppedChartIds: readonly string[],
): readonly Part[] {
  let kept: readonly Part[] = [];
  let read = 0;
  for (const part of parts) {
    if (part.type === 'chart' && droppedChartIds.includes(part.chart.id)) continue;
    if (part.type !== 'text') {
      kept = [...kept, part];
      continue;
    }
    kept = withText(kept, part.text.slice(0, Math.max(0, length - read)), Math.min(read, length));
    read += part.text.length;
  }
  return kept;
}

/** A chart as it was sent; its schema says what `data` and `layout` are. */
export const chartOf = (chart: CopilotChartFragment): Chart => chart as Chart;

/** The parts of a stored answer. Kinds of blocks that this client does not know are left out. */
export function partsOf(blocks: CopilotAnswerFragment['blocks']): readonly Part[] {
  return blocks.flatMap((block): readonly Part[] => {
    switch (block.__typename) {
      case 'TextBlock':
        return [{ type: 'text', text: block.text }];
      case 'ChartBlock':
        return [{ type: 'chart', chart: chartOf(block.chart) }];
      case 'MessageBlock':
        return [{ type: 'message', message: block.message }];
      case 'TableBlock':
        return [{ type: 'table', table: block.table }];
      default:
        block satisfies never;
        return [];
    }
  });
}

/** The key of a part among its siblings; texts are identified by their position. */
function keyOf(part: Part): string | null {
  switch (part.type) {
    case 'text':
      return null;
    case 'chart':
      return part.chart.id;
    case 'table':
      return part.table.id;
    case 'message':
      return part.message.id;
    default:
      return part satisfies never;
  }
}
