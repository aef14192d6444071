/** One measurement under our names. */
export type MeasuredValue = {
  /** Qubit `12` or coupling `control-target`. */
  readonly qid: string;
  readonly kind: 'qubit' | 'coupling';
  readonly parameter: string;
  /** The QDash task that measures this parameter. */
  readonly task: string;
  readonly value: number;
  readonly unit: string;
  /** One standard deviation in `unit`; 0 where the source gives none. */
  readonly error: number;
  readonly measuredAt: Date;
  /** Why the value deserves doubt; it counts nevertheless. */
  readonly doubt: string | null;
  /** Why the value is no measurement; it is kept, but excluded from every figure. */
  readonly unusable: string | null;
};
