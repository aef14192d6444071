/** A question with what a right answer must hold. */

/** What questions are about; scores are reported for each. */
export const KINDS = [
  'lookup',
  'ranking',
  'statistics',
  'threshold',
  'comparison',
  'trend',
  'periods',
  'couplings',
  'topology',
  'history',
  'notes',
  'outliers',
  'analysis',
  'health',
  'charts',
  'freshness',
  'live',
  'unknown',
  'off-topic',
  'follow-up',
  'japanese',
] as const;
/** One of {@link KINDS}. */
export type Kind = (typeof KINDS)[number];

/** A number that an answer must give; null where it is of the whole chip, or of no parameter. */
export type WantedValue = {
  /** Qubit (`7`) or coupling (`4-1`, either direction). */
  readonly subject: string | null;
  readonly parameter: string | null;
  readonly value: number;
  readonly unit: string;
};

/** One thing that a right answer does or does not do. */
export type Check =
  /** Gives each of these numbers, rounded as it likes within reason, of the right subject and in the right unit. */
  | { readonly type: 'values'; readonly values: readonly WantedValue[] }
  /** Gives this whole number. */
  | { readonly type: 'count'; readonly value: number }
  /** Names this day. */
  | { readonly type: 'day'; readonly at: Date }
  /**
   * Names these qubits or couplings: first and in this order, first in any order, or these and no others. `except`
   * lists those that the question named itself.
   */
  | {
      readonly type: 'names';
      readonly subjects: readonly string[];
      readonly how: 'in order' | 'first' | 'only';
      readonly except?: readonly string[];
    }
  | { readonly type: 'says'; readonly pattern: RegExp; readonly what: string }
  | { readonly type: 'never says'; readonly pattern: RegExp; readonly what: string }
  /** Gives no measured value at all, as is right where there is none. */
  | { readonly type: 'no values' }
  /** Shows at least one of these charts or tables. */
  | {
      readonly type: 'shows';
      readonly visuals: readonly (
        'TABLE' | 'HEATMAP' | 'LINE' | 'BAR' | 'SCATTER' | 'HISTOGRAM' | 'BOX' | 'GRAPH' | 'INDICATOR'
      )[];
    }
  /** Fulfils all checks of at least one way, where a question may be taken in more than one. */
  | { readonly type: 'any of'; readonly ways: readonly (readonly Check[])[] };

/** What a template makes of one draw. */
export type Asked = {
  /** Messages of one conversation; the answer to the last one is examined. */
  readonly messages: readonly string[];
  readonly checks: readonly Check[];
};

/** A question of a run. */
export type Question = Asked & {
  /** Stable for the same seed. */
  readonly id: string;
  readonly kind: Kind;
  /** The chip that the conversation is about. */
  readonly chipId: string;
};

const NEGATION = String.raw`\b(?:no(?! language model)|not|never|cannot|can't|couldn't|unable|unknown|only|neither|nor|isn't|aren't|doesn't|don't|won't|nobody|nothing|none)\b|ありません|できません|いません|ない|不明|存在し`;

/** An honest no: it says that something cannot be had or done, and makes up no value. */
export const refusal = (what: string): readonly Check[] => [
  { type: 'says', pattern: new RegExp(NEGATION, 'iu'), what },
  { type: 'no values' },
];

/** An honest no about `thing`, in one sentence with it. */
export function missing(thing: string): readonly Check[] {
  const name = thing.replaceAll(/[^\w\s-]/gu, '\\$&');
  const near = new RegExp(`(?:${NEGATION})[^\\n]{0,80}${name}|${name}[^\\n]{0,80}(?:${NEGATION})`, 'iu');
  return [{ type: 'says', pattern: near, what: `that there is no ${thing}` }, { type: 'no values' }];
}
