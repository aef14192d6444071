/** What answers speak of and every language has words for. */

/** A part of what the instructions say of a result. */
export type ResultPart = 'result' | 'history' | 'neighbours' | 'couplings' | 'remedies' | 'meaning';

/** A task result as the instructions tell it. */
export type ToldResult = {
  readonly task: string;
  readonly label: string;
  readonly chipId: string;
  /** Null for a coupling. */
  readonly qid: string | null;
  readonly parts: ReadonlyMap<ResultPart, readonly string[]>;
};

/** What was looked at in a qubit and is as it should be. */
export type Usual = 'values' | 'ratings' | 'course' | 'notes';

/** What there is to say first: something stands apart or gets worse, some values are only not good, or nothing. */
export type Verdict = 'unusual' | 'weak' | 'nothing';
