import type { SessionEventPayloads } from '../domain/conversation/session-event.ts';

/** A call that waits for a person, or does no more, as a line for programs that show the progress of a turn. */
export const approvalWords = ({ state, server, tool }: SessionEventPayloads['ToolApprovalEvent']): string =>
  state === 'WAITING'
    ? `${tool} of ${server} waits for approval in the web client of QPilot`
    : `${tool} of ${server}: ${state.toLowerCase()}`;
