/**
 * What stands for the oldest messages of a conversation when a model is asked: everything up to and with one turn. A
 * branch that leaves before that turn does not share it.
 */
export type HistorySummary = {
  readonly id: string;
  readonly sessionId: string;
  /** The newest turn that it stands for. */
  readonly throughTurnId: string;
  /** Messages that it stands for, those of the summary that went into it included. */
  readonly messageCount: number;
  readonly text: string;
  /** The model that wrote it. */
  readonly model: string;
  readonly createdAt: Date;
};
