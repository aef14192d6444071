/** Which of the slots that a question may fill the plan of each kind uses; what it does not is named, not answered. */
import type { Ask, Slot } from '../../domain/questions/query.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';
import { isOfCouplings } from './calls.ts';
import { isCourse } from './course.ts';
import { isDrawn, isOfNeighbours, isPlain } from './plan.ts';

const ROWS: readonly Slot[] = ['order', 'count', 'excluded', 'unit'];
const SUMMED: ReadonlySet<string> = new Set(['mean', 'median']);

/** The slots that the calls and the text of an ask use. */
function usesOf(ask: Ask): readonly Slot[] {
  const { kind, qids, metrics, before, statistic } = ask;
  const ofPairs: readonly Slot[] = isOfCouplings(metrics) || qids.some(isCoupling) ? ['beside'] : [];
  if (isCourse(ask)) {
    return [
      'period',
      'before',
      'statistic',
      ...(qids.length === 1 ? (['order', 'comparative'] as const) : []),
    ];
  }
  switch (kind) {
    case 'rank':
      return [...ROWS, ...ofPairs, 'place', 'comparative'];
    case 'select':
      return [...ROWS, 'beside', 'conditions', 'statistic'];
    case 'topology':
      return isOfNeighbours(ask) ? [...ROWS, 'beside', 'comparative'] : ['beside'];
    case 'values':
      return [...(isPlain(ask) ? [] : ROWS), ...ofPairs];
    case 'compare':
      return [
        'excluded',
        'unit',
        'comparative',
        ...ofPairs,
        ...(qids.length === 2 ? (['order'] as const) : []),
      ];
    case 'figures':
      return ['excluded', 'unit'];
    case 'statistic':
      return ['statistic', ...(isDrawn(ask) ? [] : (['excluded', 'unit'] as const))];
    case 'states':
      return before === null ? ofPairs : ['period', 'before'];
    case 'trend':
      return ['comparative'];
    case 'changes':
    case 'periods':
      return [
        'period',
        'before',
        'comparative',
        'order',
        'count',
        ...(statistic === null || SUMMED.has(statistic.type) ? (['statistic'] as const) : []),
      ];
    case 'health':
      return ['order'];
    case 'action':
      return Object.keys(ask.said) as Slot[];
    case 'runs':
      return ['count'];
    case 'plausible':
      return ['comparative'];
    case 'heatmap':
    case 'ratio':
    case 'outliers':
    case 'parameters':
    case 'age':
    case 'tasks':
    case 'laboratory':
    case 'executions':
    case 'notes':
    case 'lineage':
      return [];
  }
}

/** The words of a question that no plan for its clause uses. */
export function unusedWords(asks: readonly Ask[]): readonly string[] {
  const isUsed = (slot: Slot, words: string): boolean =>
    asks.some((ask) => ask.said[slot] === words && usesOf(ask).includes(slot));
  return [
    ...new Set(
      asks.flatMap(({ said }) =>
        (Object.entries(said) as [Slot, string | undefined][]).flatMap(([slot, words]) =>
          words === undefined || isUsed(slot, words) ? [] : [words],
        ),
      ),
    ),
  ];
}
