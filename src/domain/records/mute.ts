/** That a value is known to be bad: it is not shown among what needs attention until then. */
export type Mute = {
  readonly chipId: string;
  /** Qubit `7` or coupling `4-1`. */
  readonly partId: string;
  /** Null: all values of the part. */
  readonly parameter: string | null;
  /** In the words of who muted it. */
  readonly reason: string;
  readonly mutedBy: string;
  readonly mutedAt: Date;
  readonly until: Date;
};
