/** Which of the slots that a question may fill the plan of each kind uses; what it does not is named, not answered. */
import type { Ask, AskKind, Slot } from '../../domain/questions/query.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';
import { isOfCouplings } from './calls.ts';
import { isCourse, isCourseFigure } from './course.ts';
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
  trend: 'parts comparative listed',
  changes: `parts ${DATED} order count`,
  periods: `parts ${DATED} order count`,
  plausible: 'parts comparative',
  ratio: 'parts',
  outliers: 'parts',
  age: 'parts when',
  notes: 'parts when listed',
  lineage: 'parts when listed',
  health: 'order',
  runs: 'count when listed',
  parameters: '',
  heatmap: '',
  executions: 'when listed',
  tasks: '',
  laboratory: 'when',
  action: '',
};

/** The slots that the calls and the text of an ask use. */
function usesOf(ask: Ask): readonly string[] {
  const { kind, qids, metrics, before, statistic, conditions, said } = ask;
  const { order } = said;
  const isOne = qids.length === 1;
  const also = (is: boolean, slots: string): string => (is ? ` ${slots}` : '');
  const uses = isCourse(ask)
    ? `parts period before listed number${also(isOne, 'order comparative')}${also(isOne && order !== undefined, 'when')}${also(isCourseFigure(statistic), 'statistic')}`
    : isDrawn(ask)
      ? 'statistic'
      : [
          kind === 'action' ? Object.keys(said).join(' ') : USES[kind],
          also(kind === 'topology' && isOfNeighbours(ask), `${ROWS} comparative`),
          also(kind === 'values' && !isPlain(ask), ROWS),
          also(kind === 'compare' && qids.length === 2, 'order'),
          also(kind === 'states' && before !== null, 'period before'),
          also(kind === 'states' && before === null && qids.length > 0, 'when'),
          also((kind === 'runs' || kind === 'parameters') && isOne, 'parts'),
          also(isOfCouplings(metrics) || qids.some(isCoupling), 'beside'),
          also(kind === 'select' && conditions.every(({ of }) => of === null), 'statistic'),
          also(DATES.has(kind) && /^(?:mean|median)$/u.test(statistic?.type ?? 'mean'), 'statistic'),
          also(!UNCOUNTED.has(kind), 'number'),
          // A chart shows the course; no text lists it.
          also(DATES.has(kind) && /^(?:history|推移|履歴)$/iu.test(said.listed ?? ''), 'listed'),
        ].join('');
  return uses.split(' ');
}
const DATES: ReadonlySet<AskKind> = new Set(['changes', 'periods']);
/** Their answers give values and orders, and count nothing that a condition or a change makes. */
const UNCOUNTED: ReadonlySet<AskKind> = new Set(['periods', 'compare', 'rank', 'ratio']);

/** Words that hold for all that a clause asks: none of its plans may pass them over. */
const OF_ALL: ReadonlySet<string> = new Set('period before excluded unit conditions when listed'.split(' '));

/** The words of a question that no plan for its clause uses. */
export function unusedWords(asks: readonly Ask[]): readonly string[] {
  const isUsed = (slot: string, words: string): boolean => {
    const own = asks.filter(({ said }) => said[slot as Slot] === words);
    const uses = (ask: Ask): boolean => usesOf(ask).includes(slot);
    return OF_ALL.has(slot) ? own.every(uses) : own.some(uses);
  };
  const left = asks.flatMap(({ said }) =>
    Object.entries(said).flatMap(([slot, words]) =>
      words === undefined || isUsed(slot, words) ? [] : [words],
    ),
  );
  return [...new Set(left)];
}
