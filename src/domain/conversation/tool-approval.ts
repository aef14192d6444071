/** What a person decides about a call that changes something outside of this server. */
import type { JsonObject } from '../visuals.ts';

/** `EXPIRED`: nobody decided in time. Only an approved call is made, once, by the turn that asked. */
export const APPROVAL_STATES = ['WAITING', 'APPROVED', 'DECLINED', 'EXPIRED'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** How asking ended. `OVER`: the turn is lost or about to end, so the call must not be made. */
export type ApprovalOutcome = Exclude<ApprovalState, 'WAITING'> | 'OVER';

/** As the record of the call has it; times in ISO form. */
export type ToolApproval = {
  readonly state: ApprovalState;
  /** The server, and the tool by its name there. */
  readonly server: string;
  readonly tool: string;
  /** When it is too late. */
  readonly until: string;
  /** Id of the person; null while nobody has decided. */
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
};

/** A call that waits for a person. */
export type ApprovalRequest = {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  /** All of them, as they will be sent. */
  readonly arguments: JsonObject;
};
