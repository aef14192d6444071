import { describe, expect, test } from '@jest/globals';
import type { PythonSandbox } from '@qpilot/python-sandbox';
import { createBuilderTurn } from '../../../src/agent/builder/answer-builder-turn.ts';
import type { Model } from '../../../src/agent/model.ts';
import { readPromptTexts } from '../../../src/agent/prompt/prompt-texts.ts';
import type { TurnRun } from '../../../src/agent/turn-run.ts';
import { createLogger } from '../../../src/base/log.ts';
import { noTracing } from '../../../src/base/tracing/tracing.ts';
import { readSettings } from '../../../src/config/settings.ts';
import type { Artifacts } from '../../../src/domain/artifacts/artifacts.ts';
import { NO_ARTIFACTS } from '../../../src/domain/conversation/builder-session.ts';
import type { TurnActivity } from '../../../src/domain/conversation/turn-activity.ts';
import { textOf, unlimitedBudget } from '../../support/agent-run.ts';
import { knownModel } from '../../support/known-models.ts';
import { shippedMetrics } from '../../support/catalogue.ts';
import { memorySessionStore } from '../../support/memory-session-store.ts';
import { noLiveSource } from '../../support/no-live-source.ts';
import { noUploads } from '../../support/no-uploads.ts';
import { shippedKnowledge } from '../../support/prompt-context.ts';
import { callTool, createScriptedModel } from '../../support/scripted-model.ts';
import { stubServices } from '../../support/stub-services.ts';

/** Answers one message of a builder session whose model has a context window of this size. */
async function answer(model: Model, artifacts: Artifacts, contextTokens: number) {
  const activities: TurnActivity[] = [];
  const answerTurn = createBuilderTurn({
    settings: await readSettings(),
    prompts: await readPromptTexts(),
    services: { ...stubServices({}), metrics: shippedMetrics },
    knowledge: shippedKnowledge,
    store: memorySessionStore([]),
    steps: null,
    uploads: noUploads,
    live: noLiveSource,
    sandbox: {} as PythonSandbox,
    logModelOutput: false,
    logger: createLogger('silent'),
    tracing: noTracing,
    now: () => new Date(),
    builderModels: {
      resolve: () => model,
      capabilitiesOf: (name) => knownModel(name, { contextTokens }).capabilities(),
    },
    drafts: {
      draft: async () => ({
        expertId: null,
        revision: 1,
        artifacts,
        proposed: null,
        strict: false,
        review: false,
      }),
      artifactsAfter: async () => artifacts,
      callsOf: async () => new Map(),
    },
    jobTools: { hasWebSearch: false, hasLiveSource: false, hasLabServers: false, datasources: new Set() },
    webSearch: null,
  });
  const outcome = await answerTurn({
    viewer: { id: 'local', name: 'local', projectId: 'demo', role: 'owner', isOperator: true },
    session: { id: 's', kind: 'BUILDER', chipId: null, qid: null, taskId: null },
    turn: { id: 't', sessionId: 's', model: null },
    question: { id: 'q', text: 'Go' },
    emit: (activity: TurnActivity) => activities.push(activity),
    signal: new AbortController().signal,
    budget: unlimitedBudget,
  } as unknown as TurnRun);
  return { outcome, text: textOf(activities) };
}

describe('the answer to a message of a builder session', () => {
  test('names the size of each artifact when the request does not fit the context window', async () => {
    const artifacts = { ...NO_ARTIFACTS, instructions: 'x'.repeat(20_000), description: 'T1 drift' };
    const { outcome } = await answer(createScriptedModel([]), artifacts, 4_000);
    expect(outcome).toMatchObject({ status: 'FAILED', error: { code: 'CONTEXT_TOO_LARGE' } });
    expect(outcome.error?.message).toContain(
      'Of the artifacts the instructions have 20,000 characters, the settings 0 characters, the description 8 characters.',
    );
  });

  test('is complete when the model only called its tools', async () => {
    const model = createScriptedModel([[callTool('update_description', { content: 'T1 drift' })], [], []]);
    const { outcome, text } = await answer(model, NO_ARTIFACTS, 128_000);
    expect(outcome).toMatchObject({ status: 'COMPLETED', error: null });
    expect(text).toBe('(The model gave no text.)');
  });
});
