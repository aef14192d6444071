import { openTurnLive, type TurnLive } from '../../src/agent/live/turn-live.ts';
import { createLiveSource, type LiveSource } from '../../src/sources/live/live-source.ts';
import { createLogger } from '../../src/base/log.ts';

/** The live source of a server that has none. */
export const noLiveSource: LiveSource = createLiveSource({
  url: null,
  limiter: { take: async () => ({ allowed: true }), quota: async () => null },
  now: () => new Date(),
  log: createLogger('silent'),
});

/** The same as a turn has it. */
export const noLive = (): TurnLive =>
  openTurnLive({
    source: noLiveSource,
    question: '',
    emit: () => {},
    signal: new AbortController().signal,
  });
