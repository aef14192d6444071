/**
 * Readings of a live source: a control server or backend-properties endpoint. Live does not mean new: every value has
 * its own time, which may be older than the stored one.
 */

/** One value of a live source, its unit spelled as stored values spell theirs. */
export type LiveValue = {
  /** Qubit `7` or coupling `control-target`. */
  readonly qid: string;
  readonly parameter: string;
  /** Finite, in `unit`; so is `error`, one standard deviation, null where the source gives none. */
  readonly value: number;
  readonly unit: string;
  readonly error: number | null;
  /** When it was measured or set. */
  readonly at: Date;
  /** Why it is not a measurement, for example a gate error of 1; null for a usable value. */
  readonly unusable: string | null;
};

/** State that a control server reports; null where it does not. */
export type LiveState = {
  /** Name of what runs now. */
  readonly running: string | null;
  /** Jobs that wait. */
  readonly queue: number | null;
  readonly fridgeTemperatureMk: number | null;
};

/** One answer of a live source about one chip. */
export type LiveReading = {
  readonly chipId: string;
  /** The source's own time of its answer. */
  readonly at: Date;
  /** When QPilot asked. */
  readonly readAt: Date;
  /** At most one for each qid and parameter. */
  readonly values: readonly LiveValue[];
  /** Parts of the answer that could not be read, in words. */
  readonly leftOut: readonly string[];
  readonly state: LiveState | null;
};

/** Why stored values replace live ones. */
export type LiveFallbackReason = 'TIMEOUT' | 'RATE_LIMITED' | 'UNREACHABLE';

/**
 * Outcome of a read. `message` completes "the live source was not used: …". `refused`: the source rejects our
 * credentials; retrying does not help.
 */
export type LiveOutcome =
  | {
      readonly type: 'values';
      readonly reading: LiveReading;
      /** The notice that an earlier reading is repeated because the limit is reached; else null. */
      readonly repeated: string | null;
    }
  | {
      readonly type: 'fallback';
      readonly reason: LiveFallbackReason;
      readonly message: string;
      /** When a retry may help, null where unknown. */
      readonly retryAfterMs: number | null;
    }
  | { readonly type: 'refused'; readonly message: string };

/** Live calls that are left in the current minute. */
export type LiveQuota = {
  readonly chip: { readonly limit: number; readonly left: number };
  readonly project: { readonly limit: number; readonly left: number };
};
