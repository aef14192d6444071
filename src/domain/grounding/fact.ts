/** Facts: single numbers and times of tool results, each with what it is about. */
import { unitOf, type TextUnit } from './text-units.ts';

/** Kind of a number in a record. */
export type FactKind =
  | 'value'
  | 'error'
  | 'mean'
  | 'median'
  | 'stdev'
  | 'min'
  | 'max'
  | 'quantile'
  | 'change'
  | 'sigma'
  | 'count'
  | 'threshold'
  | 'duration'
  | 'other';

/** Things that are counted; a number of qubits is not one of couplings. */
export type CountedNoun =
  | 'qubit'
  | 'coupling'
  | 'result'
  | 'parameter'
  | 'note'
  | 'outlier'
  | 'execution'
  | 'chip'
  | 'version'
  | 'point'
  | 'row';

/** Where a fact was read. */
export type FactSource = {
  readonly callId: string | null;
  readonly chipId: string | null;
  readonly recordId: string | null;
  /** Milliseconds since 1970. */
  readonly measuredAtMs: number | null;
};

/** One number. `value` and `stored` are the same quantity in display scale and as stored. */
export type Fact = FactSource & {
  readonly kind: FactKind;
  readonly value: number;
  readonly unit: TextUnit | null;
  readonly stored: { readonly value: number; readonly unit: TextUnit | null } | null;
  readonly parameter: string | null;
  /** Qubit id (`12`) or coupling id (`4-1`); null for figures over many. */
  readonly subject: string | null;
  readonly noun: CountedNoun | null;
  /** Of counts of a class of rows: `bad`, `failed`, `down`; in lower case. */
  readonly tag: string | null;
  /** Read from a sentence of the result rather than from its data. */
  readonly isText: boolean;
  /** How finely a sentence shows it, in `unit`; 0 for data. */
  readonly resolution: number;
  /** Computed over rows rather than written in the result. */
  readonly isComputed: boolean;
};

/** A moment of a record. */
export type TimeFact = FactSource & {
  readonly atMs: number;
  readonly subject: string | null;
  readonly parameter: string | null;
};

export type KnownParameter = {
  readonly name: string;
  readonly title: string;
  readonly unit: TextUnit | null;
};

const OPEN: Omit<Fact, 'kind' | 'value'> = {
  callId: null,
  chipId: null,
  recordId: null,
  measuredAtMs: null,
  unit: null,
  stored: null,
  parameter: null,
  subject: null,
  noun: null,
  tag: null,
  isText: false,
  resolution: 0,
  isComputed: false,
};

/** A fact; fields that are not given stay open. */
export const fact = (given: Partial<Fact> & Pick<Fact, 'kind' | 'value'>): Fact => ({ ...OPEN, ...given });

const NOUNS: readonly (readonly [noun: CountedNoun, pattern: RegExp])[] = [
  ['coupling', /^(?:couplings?|pairs?|edges?|gates?|カップリング|結合|ペア)/iu],
  ['outlier', /^(?:outliers?|外れ値)/iu],
  ['parameter', /^(?:parameters?|metrics?|パラメータ|指標)/iu],
  ['result', /^(?:task[ _-]results?|results?|measurements?|runs?|データ点|結果|測定|回)/iu],
  ['point', /^(?:(?:data[ -])?points?|values?|samples?)/iu],
  ['note', /^(?:human[ _]notes?|machine[ _]notes?|notes?|ノート|メモ)/iu],
  ['execution', /^(?:executions?|実行)/iu],
  ['version', /^(?:versions?|バージョン)/iu],
  ['chip', /^(?:chips?|devices?|チップ)/iu],
  [
    'qubit',
    /^(?:(?:measured|rated|calibrated|good|bad|fair|excellent|poor|remaining|other|more|of the|worst|best)\s)?(?:qubits?|量子ビット|キュービット|qubit)/iu,
  ],
  ['row', /^(?:rows?|entries)/iu],
];

/** What the words begin with, as a noun that is counted. */
export const nounAt = (words: string): CountedNoun | null =>
  NOUNS.find(([, pattern]) => pattern.test(words))?.[0] ?? null;

/** The unit of a record's field, null for none. */
export const unitOrNull = (symbol: unknown): TextUnit | null =>
  typeof symbol === 'string' && symbol !== '' ? unitOf(symbol) : null;
