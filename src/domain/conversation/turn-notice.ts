import type { SessionEvent, SessionEventType } from './session-event.ts';

/** Events that a reader should still know of when the answer is there. */
export const NOTICE_EVENTS = ['SourceFallbackEvent', 'StepResetEvent'] as const satisfies SessionEventType[];

/** What happened beside the steps of an answer: another source was asked, or a step was repeated. */
export type NoticeKind = 'SOURCE_FALLBACK' | 'STEP_RESET';

/** Something that a reader should know of how an answer came about; `text` is for people. */
export type TurnNotice = { readonly kind: NoticeKind; readonly text: string };

/** What an event leaves to be known; null for all but {@link NOTICE_EVENTS}. */
export function noticeOf({ type, payload }: SessionEvent): TurnNotice | null {
  if (type === 'SourceFallbackEvent') return { kind: 'SOURCE_FALLBACK', text: payload.text };
  if (type === 'StepResetEvent') return { kind: 'STEP_RESET', text: payload.reason };
  return null;
}
