import { expect } from '@jest/globals';
import { createScriptedModel, say, type callTool } from './scripted-model.ts';
import type { Tool } from '../../src/agent/tool.ts';
import type { LoopLimits } from '../../src/agent/loop/loop-options.ts';
import { ofType, runTurn } from './agent-run.ts';

/** Runs one round with the calls, and gives what the model read for each and how each ended. */
export async function answersTo(
  calls: readonly ReturnType<typeof callTool>[],
  tools: readonly Tool[],
  limits: Partial<LoopLimits> = {},
) {
  const model = createScriptedModel([calls, say('I see.')]);
  const { activities, outcome, bugs } = await runTurn(model, tools, { limits });
  expect(outcome.status).toBe('COMPLETED');
  const outputs = model.requests[1]!.input.filter((entry) => entry.type === 'tool-output');
  return {
    outputs: outputs.map(({ output }) => output),
    errors: outputs.map(({ output }) => (JSON.parse(output) as { error?: string }).error),
    endings: ofType(activities, 'tool-finished').map(({ call }) => call),
    bugs,
  };
}
