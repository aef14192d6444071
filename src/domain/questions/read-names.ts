/** What a clause names, for programs that have topics of their own; nothing that they read is read here in another way. */
import { namedOrder, namesBothEnds, ORDER_WORDS } from './order.ts';
import { readable } from './lexicon.ts';
import { shorten } from '../text/stored-text.ts';
import { NO_NAMES, type Ask } from './query.ts';
import { WINDOW_WORDS } from './left-over.ts';
import { conditionTexts, readNamed, type Named } from './named.ts';
import { blanked, chipIn, COUNT, LAST, namePattern } from './slots.ts';
import { unreadWords } from './unread.ts';

/** What a clause names. */
export type Names = Pick<
  Named,
  'metrics' | 'qids' | 'excluded' | 'count' | 'windowHours' | 'period' | 'before' | 'rest'
> & {
  readonly chipId: string | null;
  /** Null where it says none. */
  readonly order: Ask['order'] | null;
  readonly isFromBothEnds: boolean;
  /** Conditions, and errors that belong to a fidelity, as they are written. */
  readonly conditions: readonly string[];
  readonly errors: readonly string[];
  readonly periodText: string;
  /** The clause with all blanked that was read. */
  readonly left: string;
  /** The words that nothing has read. */
  readonly unread: readonly string[];
};

type Reader = { readonly now: Date; readonly chips: readonly string[]; readonly own: readonly RegExp[] };

/** Reads a clause of a program that knows some chips, and itself reads what its `own` patterns match. */
export function readNames(whole: string, { now, chips, own }: Reader): Names {
  const context = { base: null, answer: '', qid: null, now, names: NO_NAMES };
  const { text, beyond } = readable(whole);
  const named = readNamed(text, context);
  const { clause, found, periodText } = named;
  const chipId = chipIn(named.rest, chips);
  const windowHours = WINDOW_SAID.test(named.rest) ? named.windowHours : null;
  const order = namedOrder(clause);
  const used = [
    ...(chipId === null ? [] : [namePattern([chipId])]),
    ...(windowHours === null ? [] : [...LAST, WINDOW_WORDS]),
    ...(order === null ? [] : [COUNT, ORDER_WORDS]),
    ...own,
  ];
  const left = used.reduce(
    (text, { source }) => blanked(text, new RegExp(source, 'giu')),
    found.conditions.length > 0 ? found.rest : named.rest,
  );
  const errors = named.mentions.flatMap(({ isError, at, end }) => (isError ? [clause.slice(at, end)] : []));
  return {
    ...named,
    chipId,
    windowHours,
    order,
    isFromBothEnds: namesBothEnds(clause),
    conditions: conditionTexts(named),
    errors,
    periodText,
    left,
    unread: [...unreadWords(left), ...(beyond === '' ? [] : [shorten(beyond, 60)])],
  };
}

const WINDOW_SAID =
  /\b(?:last|past|previous|recent|this|today|yesterday)\b|直近|過去|最近|ここ|先[週月]|今[週月日]|昨日/iu;
