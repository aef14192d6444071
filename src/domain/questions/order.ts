/** Which end of an order a clause asks for, by its words. */
import type { Ask, AskKind, Condition, Quantity } from './query.ts';
import { LOWER_IS_BETTER } from './vocabulary.ts';

/** Whether the highest or the lowest values of a quantity are at an end; of one that is neither good nor bad best is high. */
export function endOf(order: Ask['order'], { metric, isError }: Quantity): 'highest' | 'lowest' {
  if (order === 'highest' || order === 'lowest') return order;
  const isLower = (isError && metric.endsWith('fidelity')) || LOWER_IS_BETTER.has(metric);
  return (order === 'best') === isLower ? 'lowest' : 'highest';
}

/** The end that a clause asks for, by its words for one, or for one of two. */
export const orderOf = (clause: string, kind: AskKind): Ask['order'] =>
  kind === 'compare'
    ? (COMPARED.find(([, words]) => words.test(clause))?.[0] ?? 'best')
    : (namedOrder(clause) ?? 'worst');

const COMPARED: readonly (readonly [order: Ask['order'], words: RegExp])[] = [
  ['worst', /\b(?:worse|worst)\b|悪/iu],
  ['lowest', /\b(?:lower|lowest|less|shorter|shortest|smaller|smallest)\b|低|短|小さ/iu],
  [
    'highest',
    /\b(?:higher|highest|more|longer|longest|larger|largest|bigger|biggest|greater)\b|高|長|大き/iu,
  ],
];

const WORSE = /\b(?:degrad\w*|worse\w*|deteriorat\w*|worst|suffer\w*|poorer)\b|悪化|劣化|悪くな/iu;
const BETTER = /\b(?:improv\w*|better|recover\w*|best)\b|改善|向上|良くな|よくな/iu;
const DOWN =
  /\b(?:lost|los[et]s?|losers?|losing|loss(?:es)?|dropp?(?:ed|s|ing)?|fell|fallen|falls?|falling|declin\w*|decreas\w*|shr[aiu]nk\w*|shorter|less|lower|smaller|reduc\w*|down)\b|低下|下が|落ち|減|短くな|低くな/iu;
const UP =
  /\b(?:gain\w*|gr[eo]w(?:n|s|th)?|rose|risen|ris(?:e|es|ing)|increas\w*|longer|more|higher|larger|bigger|rais\w*|up|jump\w*|won)\b|上が|上昇|伸び|増|長くな|高くな/iu;

/** Whether a change is asked for that is for the worse, for the better, or to less or more. */
export function directionOf(clause: string): Ask['direction'] {
  if (WORSE.test(clause)) return 'worse';
  if (BETTER.test(clause)) return 'better';
  if (DOWN.test(clause)) return 'down';
  return UP.test(clause) ? 'up' : 'any';
}

/** What is below a limit is shown lowest first, unless an order is named. */
export function selectOrder(clause: string, [first]: readonly Condition[]): Ask['order'] {
  const isAbove = first?.is === 'above' || first?.is === 'at_least';
  return namedOrder(clause) ?? (isAbove ? 'highest' : 'lowest');
}

const ORDERS: readonly (readonly [order: Ask['order'], words: RegExp])[] = [
  ['worst', /\b(?:worst|bottom|poorest|weakest|bad|avoid)\b|ワースト|避け|悪[いか]|下位/iu],
  [
    'lowest',
    /\b(?:shortest|lowest|smallest|least|minimum)\b|短[いか]|低[いか]|小さ[いか]|少な[いか]|最低|最小/iu,
  ],
  [
    'highest',
    /\b(?:longest|highest|largest|biggest|most|maximum)\b|長[いか]|高[いか]|大き[いか]|多[いか]|最高|最大/iu,
  ],
  [
    'best',
    /\b(?:best|top|strongest|good|use|pick|choose|recommend\w*)\b|ベスト|良[いか]|いい|よい|よかった|優れ|上位/iu,
  ],
];

/** Any of the words for an order. */
export const ORDER_WORDS = new RegExp(ORDERS.map(([, { source }]) => source).join('|'), 'iu');

/** The order that a clause names; null for none. */
export const namedOrder = (clause: string): Ask['order'] | null =>
  ORDERS.find(([, words]) => words.test(clause))?.[0] ?? null;

/** `third best`, in plain words. */
export const PLACE = /\bplace (\d)\b/iu;

/** `top 3 and bottom 3`. */
export const namesBothEnds = (clause: string): boolean =>
  /\b(?:top|best|highest|longest|largest|maximum)\b|上位|ベスト|最高/iu.test(clause) &&
  /\b(?:bottom|worst|lowest|shortest|smallest|minimum)\b|下位|ワースト|最低/iu.test(clause);

/** `top 3 and bottom 3`: a ranking from either end; `best and worst CZ`: one from each. */
export function fromBothEnds(ask: Ask, clause: string): readonly Ask[] {
  if (ask.kind !== 'rank' || !namesBothEnds(clause)) return [ask];
  const isOfSize = /\b(?:highest|lowest|longest|shortest|largest|smallest|minimum|maximum)\b/iu.test(clause);
  const count = ask.count ?? (OF_SEVERAL.test(clause) ? null : 1);
  return (isOfSize ? (['highest', 'lowest'] as const) : (['best', 'worst'] as const)).map((order) => ({
    ...ask,
    order,
    count,
  }));
}
const OF_SEVERAL =
  /\b(?:qubits|couplings|couplers|pairs|gates|edges|links|ones|c[xz]s|ecrs|top|bottom)\b|上位|下位/iu;
