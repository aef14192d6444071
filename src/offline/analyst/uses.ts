/** Which of the slots that a question may fill the plan of each kind uses; what it does not is named, not answered. */
import type { Ask, AskKind, Slot } from '../../domain/questions/query.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';
import { isOfCouplings } from './calls.ts';
import { isCourse } from './course.ts';
import { isDrawn, isOfNeighbours, isPlain } from './plan.ts';

const ROWS = 'order count excluded unit';
const DATED = 'period before comparative';
const USES: Readonly<Record<AskKind, string>> = {
  rank: `parts ${ROWS} place comparative`,
  select: `parts ${ROWS} beside conditions`,
  topology: 'parts beside',
  values: 'parts',
  compare: 'parts excluded unit comparative',
  figures: 'excluded unit',
  statistic: 'parts statistic excluded unit',
  states: 'parts',
  trend: 'parts comparative',
  changes: `parts ${DATED} order count`,
  periods: `parts ${DATED} order count`,
  plausible: 'parts comparative',
  ratio: 'parts',
  outliers: 'parts',
  age: 'parts',
  notes: 'parts',
  lineage: 'parts',
  health: 'order',
  runs: 'count',
  parameters: '',
  heatmap: '',
  executions: '',
  tasks: '',
  laboratory: '',
  action: '',
};

/** The slots that the calls and the text of an ask use. */
function usesOf(ask: Ask): readonly string[] {
  const { kind, qids, metrics, before, statistic, conditions } = ask;
  const isOne = qids.length === 1;
  const also = (is: boolean, slots: string): string => (is ? ` ${slots}` : '');
  const uses = isCourse(ask)
    ? `parts period before statistic${also(isOne, 'order comparative')}`
    : isDrawn(ask)
      ? 'statistic'
      : [
          kind === 'action' ? Object.keys(ask.said).join(' ') : USES[kind],
          also(kind === 'topology' && isOfNeighbours(ask), `${ROWS} comparative`),
          also(kind === 'values' && !isPlain(ask), ROWS),
          also(kind === 'compare' && qids.length === 2, 'order'),
          also(kind === 'states' && before !== null, 'period before'),
          also((kind === 'runs' || kind === 'parameters') && isOne, 'parts'),
          also(isOfCouplings(metrics) || qids.some(isCoupling), 'beside'),
          also(kind === 'select' && conditions.every(({ of }) => of === null), 'statistic'),
          also(DATES.has(kind) && /^(?:mean|median)$/u.test(statistic?.type ?? 'mean'), 'statistic'),
        ].join('');
  return uses.split(' ');
}
const DATES: ReadonlySet<AskKind> = new Set(['changes', 'periods']);

/** The words of a question that no plan for its clause uses. */
export function unusedWords(asks: readonly Ask[]): readonly string[] {
  const isUsed = (slot: string, words: string): boolean =>
    asks.some((ask) => ask.said[slot as Slot] === words && usesOf(ask).includes(slot));
  const left = asks.flatMap(({ said }) =>
    Object.entries(said).flatMap(([slot, words]) =>
      words === undefined || isUsed(slot, words) ? [] : [words],
    ),
  );
  return [...new Set(left)];
}
