import { z } from 'zod';
import type { LoopLimits, LoopOptions } from '../../src/agent/loop/loop-options.ts';
import { runLoop } from '../../src/agent/loop/loop.ts';
import type { Model } from '../../src/agent/model.ts';
import { createToolRegistry } from '../../src/agent/tool-registry.ts';
import { defineTool, type Tool, type ToolContext, type ToolResult } from '../../src/agent/tool.ts';
import type { TokenBudget } from '../../src/domain/conversation/tokens.ts';
import type { TurnActivity, TurnOutcome } from '../../src/domain/conversation/turn-activity.ts';
import type { Visual } from '../../src/domain/visuals.ts';
import { fakeWaiting } from './waiting.ts';
import type { Viewer } from '../../src/domain/conversation/session.ts';

/** May do everything in the project `demo`. */
export const OWNER: Viewer = {
  id: 'local',
  name: 'local',
  projectId: 'demo',
  role: 'owner',
  isOperator: true,
};

/** Limits of a turn that no test meets by accident. */
export const testLimits: LoopLimits = {
  rounds: 10,
  callsPerRound: 8,
  identicalCalls: 3,
  visuals: 8,
  toolTimeoutMs: 60_000,
  turnTimeoutMs: 120_000,
  turnCeilingMs: 120_000,
  lastAnswerMs: 60_000,
  modelSilenceMs: 60_000,
  stepTries: 3,
  tokens: 1_000_000,
  outputTokens: 1_000,
  contextTokens: 1_000_000,
  resultCharacters: 30_000,
  toolCalls: {},
};

/** A budget that no turn can use up. */
export const unlimitedBudget: TokenBudget = {
  hold: async () => ({ tokens: Number.MAX_SAFE_INTEGER, bound: 'there is no limit' }),
};

/** A result that says `summary`. */
export function resultOf(summary: string, more: Partial<ToolResult> = {}): ToolResult {
  return {
    data: { summary },
    formattedSummary: summary,
    preview: summary,
    freshness: null,
    source: 'SNAPSHOT',
    visuals: [] as readonly Visual[],
    ...more,
  };
}

/** A tool that no settings name, and that is in no page. */
export const NO_SETTINGS = {
  category: null,
  rule: 'viewer: own',
  title: { en: 'Test', ja: 'テスト' },
  example: {},
} as const;

/** A tool with one optional argument `id` that answers `ok ID`, or as told. */
export function testTool(
  name: string,
  run: (args: { id: string | null }, context: ToolContext) => Promise<ToolResult> = ({ id }) =>
    Promise.resolve(resultOf(`ok ${id}`)),
  more: Partial<Pick<Tool, 'conflictKey'>> = {},
): Tool {
  return defineTool({
    name,
    ...NO_SETTINGS,
    label: `Running ${name}`,
    description: `Answers ok. Use it to test ${name}.`,
    args: z.object({ id: z.string().nullable() }),
    describe: ({ id }) => `${name} of ${id}`,
    run,
    ...more,
  });
}

/** A run that has come to its end, and everything it told. */
export type FinishedRun = {
  readonly outcome: TurnOutcome;
  readonly activities: readonly TurnActivity[];
  /** The answer as a viewer has it in the end, resets applied. */
  readonly text: string;
  readonly bugs: readonly unknown[];
  /** What of the model's answer was not shown. */
  readonly dropped: readonly string[];
};

/** The answer that activities leave a viewer with. */
export function textOf(activities: readonly TurnActivity[]): string {
  let text = '';
  for (const activity of activities) {
    if (activity.type === 'text') text += activity.text;
    if (activity.type === 'reset') text = text.slice(0, activity.keepUntilOffset);
  }
  return text;
}

/** Activities of one type, in order. */
export function ofType<Type extends TurnActivity['type']>(
  activities: readonly TurnActivity[],
  type: Type,
): readonly Extract<TurnActivity, { type: Type }>[] {
  return activities.filter((activity) => activity.type === type) as Extract<TurnActivity, { type: Type }>[];
}

type Collected = {
  readonly activities: TurnActivity[];
  readonly bugs: unknown[];
  readonly dropped: string[];
};

/** Options of a run of `model` with `tools` that collects what it tells in `activities`. */
export function loopOptions(
  model: Model,
  tools: readonly Tool[],
  more: Partial<Omit<LoopOptions, 'limits'>> & { readonly limits?: Partial<LoopLimits> } = {},
): LoopOptions & Collected {
  const activities: TurnActivity[] = [];
  const bugs: unknown[] = [];
  const dropped: string[] = [];
  return {
    model,
    fallback: null,
    tools: createToolRegistry(tools, () => []),
    // The tools of these tests use nothing of a context but its viewer and signal.
    createToolContext: () => ({ viewer: OWNER }) as unknown as Omit<ToolContext, 'signal'>,
    instructions: 'Answer from the data.',
    answerSchema: null,
    input: [{ type: 'user', text: 'How is the chip?' }],
    preflight: null,
    forcedTool: null,
    sessionId: 'session-1',
    priceOf: () => null,
    spent: null,
    tokensPerEstimate: 1,
    budget: unlimitedBudget,
    emit: (activity) => activities.push(activity),
    signal: new AbortController().signal,
    clock: () => performance.now(),
    waiting: fakeWaiting().waiting,
    onBug: (error) => bugs.push(error),
    onDropped: (what) => dropped.push(what),
    ...more,
    limits: { ...testLimits, ...more.limits },
    activities,
    bugs,
    dropped,
  };
}

/** Runs a turn to its end. */
export async function runTurn(...args: Parameters<typeof loopOptions>): Promise<FinishedRun> {
  const options = loopOptions(...args);
  const outcome = await runLoop(options);
  const { activities, bugs, dropped } = options;
  return { outcome, activities, text: textOf(activities), bugs, dropped };
}
