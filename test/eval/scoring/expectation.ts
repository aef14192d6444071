/** What a right answer must hold, as data: facts that it gives, and what it must not say. */

/** Units that facts are given in; `count` is a bare whole number, `fraction` a bare number. */
export type FactUnit = 'μs' | 'ms' | 's' | 'ns' | 'GHz' | 'MHz' | 'Hz' | '%' | 'fraction' | 'count';

/** One thing that an answer must give. */
export type Fact =
  /**
   * A figure of a qubit, coupling or, with null, of the chip. `also` are other ways to say the same figure: an error as
   * the fidelity, a fraction as per cent.
   */
  | {
      readonly type: 'figure';
      readonly of: string | null;
      readonly value: number;
      readonly unit: FactUnit;
      /** This unit was asked for; others of its dimension are no answer. */
      readonly isExact: boolean;
      /** The day, month or year that it is of, as `2021-12`, where more than one is asked for. */
      readonly when?: string;
      readonly also?: readonly { readonly value: number; readonly unit: FactUnit }[];
    }
  /** A count, in digits or as a word. */
  | { readonly type: 'count'; readonly values: readonly number[]; readonly when?: string }
  /** Qubits or couplings: these and no others; or these in this order before all others. */
  | { readonly type: 'names'; readonly names: readonly string[]; readonly how: 'only' | 'in order' }
  | { readonly type: 'day'; readonly at: Date }
  | { readonly type: 'says'; readonly pattern: RegExp; readonly what: string }
  /** At least one of these lists of facts, where a question may be taken in more than one way. */
  | { readonly type: 'either'; readonly ways: readonly (readonly Fact[])[] };

/** What no right answer says, and what saying it makes of an answer. */
export type Forbidden = {
  readonly pattern: RegExp;
  readonly as: 'wrong' | 'misleading';
  readonly what: string;
};

/** What a question is scored by. */
export type Expectation = {
  readonly facts: readonly Fact[];
  readonly never: readonly Forbidden[];
  /** Subjects that an answer may name beside those of its facts. */
  readonly mayName: readonly string[];
  /** An honest no that names this is the right answer; null where there is an answer. */
  readonly no: RegExp | null;
  /** The question is of no laboratory: not to understand it is right, too. */
  readonly isBeyond?: true;
  /** How the bounds of periods may start that an answer names, as `2025-01`; null where none was asked for. */
  readonly within: readonly string[] | null;
};

/** An expectation of facts. */
export const expects = (...facts: readonly Fact[]): Expectation => ({
  facts,
  never: [],
  mayName: [],
  no: null,
  within: null,
});

/** An honest no about `thing` is right. */
export const nothing = (thing: RegExp): Expectation => ({
  facts: [],
  never: [],
  mayName: [],
  no: thing,
  within: null,
});

/** A question that has nothing to do with calibration: any refusal is right, and any answer is not. */
export const beyond = (): Expectation => ({ ...nothing(/(?!)/u), isBeyond: true });

/** The same expectation, with things that must not be said. */
export const without = (expectation: Expectation, ...never: readonly Forbidden[]): Expectation => ({
  ...expectation,
  never: [...expectation.never, ...never],
});

/** The same expectation, with subjects that may be named beside. */
export const naming = (expectation: Expectation, ...mayName: readonly string[]): Expectation => ({
  ...expectation,
  mayName: [...expectation.mayName, ...mayName],
});

/** Words that make an answer misleading. */
export const misleading = (pattern: RegExp, what: string): Forbidden => ({ pattern, as: 'misleading', what });

/** Figures in μs and GHz, or in another unit of theirs. */
export const us = (of: string | null, value: number): Fact => figure(of, value, 'μs');
export const ghz = (of: string | null, value: number): Fact => figure(of, value, 'GHz');
/** A figure in the unit that was asked for. */
export const inUnit = (unit: FactUnit, of: string | null, value: number): Fact => ({
  ...figure(of, value, unit),
  isExact: true,
});

/** The same figure or count, of a day, month or year. */
export const at = (when: string, fact: Fact): Fact =>
  fact.type === 'figure' || fact.type === 'count' ? { ...fact, when } : fact;

const figure = (of: string | null, value: number, unit: FactUnit) =>
  ({ type: 'figure', of, value, unit, isExact: false }) as const;

/** An error, a fraction in the file; as per cent, as a fraction, or as the fidelity that it leaves. */
export const error = (of: string | null, value: number): Fact => ({
  ...figure(of, value * 100, '%'),
  also: [
    { value, unit: 'fraction' },
    { value: 100 - value * 100, unit: '%' },
    { value: 1 - value, unit: 'fraction' },
  ],
});

export const count = (...values: readonly number[]): Fact => ({ type: 'count', values });
export const only = (rows: readonly { readonly id: string }[]): Fact => names(rows, 'only');
export const inOrder = (rows: readonly { readonly id: string }[]): Fact => names(rows, 'in order');
export const day = (at: Date): Fact => ({ type: 'day', at });
export const says = (pattern: RegExp, what: string): Fact => ({ type: 'says', pattern, what });
export const either = (...ways: readonly (readonly Fact[])[]): Fact => ({ type: 'either', ways });

const names = (rows: readonly { readonly id: string }[], how: 'only' | 'in order'): Fact => ({
  type: 'names',
  names: rows.map(({ id }) => id),
  how,
});
