import { createLoaders } from '../../services/loaders/loaders.ts';
import type { Logger } from '../../base/log.ts';
import type { Settings } from '../../config/settings.ts';
import type { LoopOptions } from '../loop/loop-options.ts';
import type { RoundContext } from '../tool.ts';
import { priceOf } from './settings-limits.ts';
import type { TurnRun } from './turn-run.ts';

/** What the tools of a turn work with, but for what follows from the turn itself. */
export type ToolParts = Omit<RoundContext, 'viewer' | 'loaders' | 'progress'>;

/** What the loop is given in the same way for a turn of any kind. */
export type LoopParts = Pick<
  LoopOptions,
  | 'createToolContext'
  | 'forcedTool'
  | 'sessionId'
  | 'budget'
  | 'priceOf'
  | 'emit'
  | 'signal'
  | 'clock'
  | 'onBug'
  | 'onDropped'
>;

/** The parts of one turn. */
export function loopParts(
  { settings, logger }: { readonly settings: Settings; readonly logger: Logger },
  { viewer, session, turn, budget, emit, signal }: TurnRun,
  tools: ToolParts,
): LoopParts {
  return {
    createToolContext: () => ({
      ...tools,
      viewer,
      loaders: createLoaders(tools.services, viewer),
      progress: (text) => emit({ type: 'status', phase: 'CALLING_TOOLS', text }),
    }),
    forcedTool: null,
    sessionId: session.id,
    budget,
    priceOf: (name, usage) => priceOf(settings.models, name, usage),
    emit,
    signal,
    clock: () => performance.now(),
    onBug: (error, tool) => logger.error({ err: error, tool, turnId: turn.id }, 'a tool failed'),
    onDropped: (what) => logger.warn({ what, turnId: turn.id }, 'a part of an answer is not shown'),
  };
}
