/** Calls that a person has to approve: they wait, and with them the time of the turn, until somebody decides. */
import { redactValue } from '../../base/redaction/redact.ts';
import { MAX_ARGUMENTS_BYTES, previewArguments } from '../../domain/conversation/event-limits.ts';
import type { ApprovalOutcome, ApprovalRequest } from '../../domain/conversation/tool-approval.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import type { RunnableCall } from './prepare-call.ts';
import { failed, stopped, type CallEnding } from './tool-call.ts';

/** Asks a person about a call. @throws the reason of the signal */
export type ApproveCall = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalOutcome>;

type ApprovalOptions = {
  /** Absent: nobody can be asked. */
  readonly approve?: ApproveCall;
  /** Lets the turn's time stand still until what it returns is called. */
  readonly holdTime: () => () => void;
  readonly onBug: (error: unknown, tool: string) => void;
};

/** Arguments as a person is shown them; null where that is not all of them, for a person must see what they approve. */
export function shownWhole(args: Readonly<Record<string, unknown>>): JsonObject | null {
  const shown = previewArguments(redactValue(args));
  return JSON.stringify(shown) === JSON.stringify(args) ? shown : null;
}

/** How a call ends that may not be made; null for one that may. Never throws. */
export async function unlessApproved(
  { approve, holdTime, onBug }: ApprovalOptions,
  call: RunnableCall,
  callId: string,
  signal: AbortSignal,
): Promise<CallEnding | null> {
  const { approval, name } = call.tool;
  if (approval === undefined) return null;
  if (approve === undefined) return refused('NEEDS_APPROVAL', UNASKED);
  const shown = shownWhole(call.checked);
  if (shown === null) return refused('NOT_SHOWABLE', NOT_SHOWABLE);
  const goOn = holdTime();
  try {
    const outcome = await approve({ ...approval, callId, arguments: shown }, signal);
    return outcome === 'APPROVED' ? null : refused(outcome, REFUSALS[outcome]);
  } catch (error) {
    if (signal.aborted) return stopped(signal.reason);
    onBug(error, name);
    return refused('NEEDS_APPROVAL', 'nobody could be asked to approve this call');
  } finally {
    goOn();
  }
}

const UNASKED = 'this call changes something, so a person has to approve it, and nobody can be asked here';
/** Why a person is not asked. */
export const NOT_SHOWABLE = `the arguments have more than ${MAX_ARGUMENTS_BYTES} bytes or hold what looks like a secret, so nobody can be shown all of what to approve; make them shorter`;
const REFUSALS: Readonly<Record<Exclude<ApprovalOutcome, 'APPROVED'>, string>> = {
  DECLINED: 'a person declined this call; do not make it again unless the user asks for it',
  EXPIRED: 'nobody approved this call in time; it was not made',
  OVER: 'the turn ended before anybody approved this call; it was not made',
};

const refused = (code: string, message: string): CallEnding =>
  failed('SKIPPED', { code, message, retryable: false });
