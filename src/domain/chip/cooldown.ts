/** One cycle of a cryostat from cooling down to warming up. Values of different cool-downs are not of the same device state. */
export type Cooldown = {
  readonly cooldownId: string;
  readonly cryostatId: string | null;
  readonly description: string;
  readonly startedAt: Date | null;
  /** Null while it lasts. */
  readonly endedAt: Date | null;
  readonly chipIds: readonly string[];
  readonly note: string | null;
};
