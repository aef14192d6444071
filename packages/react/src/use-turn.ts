import type { Asked, Question } from '@qpilot/client';
import { answerIn, textOf, type TurnView } from '@qpilot/client/view';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useQPilot } from './provider.ts';
import { turnNamed, type TurnState, type TurnStore } from './turn-store.ts';

/** How a turn begins by itself. */
export type TurnOptions = {
  /** A question that was asked before, as `asked` had it: its answer is shown from its beginning and followed. */
  readonly resume?: Asked | null | undefined;
  /** Asked once, if nothing else was asked or resumed under this name. */
  readonly question?: string | Question | undefined;
};

/** A question and its answer, as it arrives. */
export type Turn = Omit<TurnState, 'view'> &
  Pick<TurnStore, 'ask' | 'stop'> & {
    /** `IDLE` before the first question, `ASKING` until the server has taken one, then the status of the turn. */
    readonly status: 'IDLE' | 'ASKING' | TurnView['status'];
    /** Everything about the answer so far: parts, thoughts, steps, numbers, error; null before its first event. */
    readonly turn: TurnView | null;
    /** Its words so far. */
    readonly text: string;
  };

/**
 * Asks, and shows the answer as it arrives. All components that use the same `name` show the same, and so does one that
 * is mounted again: the answer is followed while one is there, and goes on where it was. A further question continues
 * the conversation, unless it says `sessionId: null`.
 */
export function useTurn(name = 'turn', { resume, question }: TurnOptions = {}): Turn {
  const qpilot = useQPilot();
  const store = useMemo(() => turnNamed(qpilot, name), [qpilot, name]);
  const { view, ...state } = useSyncExternalStore(store.subscribe, store.get, store.get);
  useEffect(() => store.watch(), [store]);
  useEffect(() => {
    if (resume) store.resume(resume);
    else if (question !== undefined) store.begin(question);
  }, [store, resume, question]);

  const { asked, isAsking } = state;
  const turn = view && asked && answerIn(view, asked);
  const text = useMemo(() => textOf(turn?.parts ?? []), [turn?.parts]);
  const status = isAsking ? 'ASKING' : (turn?.status ?? (asked ? 'QUEUED' : 'IDLE'));
  return { ...state, turn, text, status, ask: store.ask, stop: store.stop };
}
