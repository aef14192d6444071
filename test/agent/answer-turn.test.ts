import { describe, expect, test } from '@jest/globals';
import { createModelCatalog } from '../../src/agent/models/catalog.ts';
import { noLabServers } from '../support/no-lab-servers.ts';
import { callTool, createScriptedModel, say, type ScriptedModel } from '../support/scripted-model.ts';
import { readPromptTexts } from '../../src/agent/prompt/prompt-texts.ts';
import { createToolRegistry } from '../../src/agent/tool-registry.ts';
import type { Tool, ToolContext } from '../../src/agent/tool.ts';
import { queryDataset } from '../../src/agent/tools/query-dataset.ts';
import { createAnswerTurn, type AnswerTurnDeps } from '../../src/agent/turn/answer-turn.ts';
import type { TurnRun } from '../../src/agent/turn-run.ts';
import type { Message, Session, Turn } from '../../src/domain/conversation/session.ts';
import type { TurnActivity } from '../../src/domain/conversation/turn-activity.ts';
import type { Upload } from '../../src/domain/datasets/dataset.ts';
import { createLogger } from '../../src/base/log.ts';
import type { PythonSandbox } from '@qpilot/python-sandbox';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { readSettings, type AnswerFormat } from '../../src/config/settings.ts';
import type { CalibrationStore, ChipRow } from '../../src/stores/calibration-store.ts';
import { noTracing } from '../../src/base/tracing/tracing.ts';
import { resultOf, testTool, textOf, unlimitedBudget } from '../support/agent-run.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { fakeProvider } from '../support/fake-provider.ts';
import { memorySessionStore } from '../support/memory-session-store.ts';
import { noLiveSource } from '../support/no-live-source.ts';
import { noUploads } from '../support/no-uploads.ts';
import { shippedKnowledge } from '../support/prompt-context.ts';
import { shippedModelTable } from '../support/known-models.ts';

const now = () => new Date('2026-03-04T05:06:07Z');
const viewer = { id: 'local', name: 'local', projectId: 'demo', role: 'owner' as const, isOperator: true };
const session: Session = {
  id: 'session-1',
  kind: 'COPILOT',
  projectId: 'demo',
  viewerId: 'local',
  title: 'T1',
  chipId: 'demo-64',
  qid: '7',
  taskId: null,
  lastSeq: 1,
  visibility: 'PRIVATE',
  shareKey: null,
  createdAt: now(),
  updatedAt: now(),
};
const turn: Turn = {
  id: 'turn-1',
  sessionId: session.id,
  parentId: null,
  replacesId: null,
  effort: null,
  answerSchema: null,
  disputedId: null,
  joinsId: null,
  status: 'RUNNING',
  questionId: 'm1',
  answerId: null,
  model: null,
  rounds: 0,
  usage: null,
  error: null,
  createdAt: now(),
  startedAt: now(),
  finishedAt: null,
  beforeSeq: 0,
};
const question: Message = {
  id: 'm1',
  sessionId: session.id,
  turnId: turn.id,
  role: 'USER',
  text: 'How is Q7?',
  blocks: [],
  freshness: [],
  assessment: null,
  strippedTables: 0,
  unverifiedTable: false,
  model: null,
  createdAt: now(),
};

const chipRow = (chipId: string): ChipRow => ({
  documentId: chipId,
  projectId: 'demo',
  chipId,
  size: 64,
  installedAt: now(),
  topologyId: 'square-lattice-mux-64',
  layout: null,
  currentCooldownId: null,
  isActive: true,
});

/** A store that holds chips and nothing else; a read of anything else fails the test. */
const chipStore = (chips: readonly ChipRow[]): CalibrationStore =>
  ({
    chips: async (projectId: string, ids: readonly string[] | null) =>
      chips.filter((chip) => chip.projectId === projectId && (ids === null || ids.includes(chip.chipId))),
  }) as unknown as CalibrationStore;

async function answer(
  model: ScriptedModel,
  {
    tools = [],
    run = {},
    chips = ['demo-64'],
    uploads = noUploads,
    answerFormat = 'markdown',
  }: {
    tools?: Tool[];
    run?: Partial<TurnRun>;
    chips?: string[];
    uploads?: AnswerTurnDeps['uploads'];
    answerFormat?: AnswerFormat;
  } = {},
) {
  const activities: TurnActivity[] = [];
  const shipped = await readSettings();
  const settings = { ...shipped, models: shipped.models.map((each) => ({ ...each, answerFormat })) };
  const deps: AnswerTurnDeps = {
    settings,
    models: createModelCatalog({
      models: settings.models,
      preferred: null,
      fallbackModel: null,
      unknownContextTokens: 16_000,
      table: shippedModelTable,
      providers: [fakeProvider('openai', { model })],
      offlineAnalyst: createScriptedModel([], 'offline-analyst'),
    }),
    tools: createToolRegistry(tools, () => []),
    labServers: noLabServers,
    prompts: await readPromptTexts(),
    services: createCalibrationServices({
      store: chipStore(chips.map(chipRow)),
      metrics: shippedMetrics,
      topologies: shippedTopologies,
      project: null,
      now,
    }),
    store: memorySessionStore([
      { question: { ...question, text: 'Hello' }, answer: { ...question, role: 'ASSISTANT', text: 'Hi.' } },
    ]),
    knowledge: shippedKnowledge,
    figures: { list: () => [], read: async () => ({ kind: 'MISSING' }) },
    live: noLiveSource,
    uploads,
    sandbox: {} as unknown as PythonSandbox,
    logger: createLogger('silent'),
    steps: null,
    tracing: noTracing,
    logModelOutput: false,
    now,
  };
  const outcome = await createAnswerTurn(deps)({
    viewer,
    session,
    turn,
    question,
    emit: (activity) => activities.push(activity),
    signal: new AbortController().signal,
    budget: unlimitedBudget,
    ...run,
  });
  return { outcome, text: textOf(activities) };
}

describe('Answering a turn', () => {
  test('asks for answers in the format of the model, in words and as a schema', async () => {
    const inText = createScriptedModel([say('Fine.')], 'gpt-4.1');
    await answer(inText);
    expect(inText.requests[0]).not.toHaveProperty('answerSchema');
    expect(inText.requests[0]?.instructions).toContain('[assessment: good]');

    const inBlocks = createScriptedModel(
      [say('{"blocks":[{"content":"Fine."}],"assessment":"good"}')],
      'gpt-4.1',
    );
    const { outcome, text } = await answer(inBlocks, { answerFormat: 'blocks' });
    expect(inBlocks.requests[0]?.answerSchema?.name).toBe('blocks_response');
    expect(inBlocks.requests[0]?.instructions).toContain('one JSON object');
    expect(inBlocks.requests[0]?.instructions).not.toContain('[assessment: good]');
    expect([text, outcome.assessment]).toEqual(['Fine.', 'GOOD']);
  });

  test('sends prompt, history and question, and answers with tokens and cost', async () => {
    const usage = { inputTokens: 5000, outputTokens: 100, cachedTokens: 1000 };
    const model = createScriptedModel(
      [[...say('Q07 is fine.'), { type: 'finished', reason: 'stop', usage, items: [] }]],
      'gpt-4.1',
    );
    const { outcome, text } = await answer(model);
    expect(text).toBe('Q07 is fine.');
    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      model: 'gpt-4.1',
      rounds: 1,
      usage: { totalTokens: 5100 },
    });
    expect(outcome.usage!.costUsd).toBeCloseTo((4000 * 2 + 1000 * 0.5 + 100 * 8) / 1e6);
    const [request] = model.requests;
    expect(request!.input).toEqual([
      { type: 'user', text: 'Hello' },
      { type: 'assistant', text: 'Hi.' },
      {
        type: 'user',
        text: 'How is Q7?',
        context: [
          expect.objectContaining({ id: 'language' }),
          { id: 'now', text: 'Now: 2026-03-04 05:06 UTC.', changes: 'ALWAYS' },
        ],
      },
    ]);
    expect(request!.sessionId).toBe('session-1');
    expect(request!.instructions).toContain(
      'Selected chip: demo-64, 64 qubits, topology square-lattice-mux-64 (grid).',
    );
    expect(request!.instructions).toContain('Selected qubit: Q07 (qid 7)');
  });

  test('mentions uploaded tables, and offers their tool only if there are some', async () => {
    const upload: Upload = {
      id: 'u',
      name: 'T1 sweep.csv',
      sizeBytes: 9,
      rowCount: 144,
      columns: [
        { name: 'qid', type: 'text', unit: null, missing: 0 },
        { name: 'T1', type: 'number', unit: 'μs', missing: 3 },
      ],
      createdAt: now(),
    };
    const withTable = { ...noUploads, ofSession: async () => [{ dataset: 'T1_sweep', upload }] };
    const requestWith = async (uploads: AnswerTurnDeps['uploads']) => {
      const model = createScriptedModel([say('Yes.')]);
      await answer(model, { tools: [testTool('look'), queryDataset], uploads });
      return model.requests[0]!;
    };
    const named = await requestWith(withTable);
    expect(JSON.stringify(named.input)).toContain('- T1_sweep: 144 rows; qid (text), T1 (number, μs)');
    expect(named.tools.map(({ name }) => name)).toEqual(['look', 'query_dataset']);
    const without = await requestWith(noUploads);
    expect(JSON.stringify(without.input)).not.toContain('uploaded');
    expect(without.tools.map(({ name }) => name)).toEqual(['look']);
  });

  test('gives tools the chip, the viewer, the data of the session and loaders that are new in each round', async () => {
    const contexts: ToolContext[] = [];
    const tool = testTool('look', async (_args, context) => {
      contexts.push(context);
      await context.dataStore.put('t1', '1');
      return resultOf('seen');
    });
    const model = createScriptedModel([[callTool('look')], [callTool('look', { id: 'b' })], say('Done.')]);
    await answer(model, { tools: [tool] });
    const [first, second] = contexts;
    expect(first).toMatchObject({ viewer, chipId: 'demo-64' });
    expect(first!.loaders).not.toBe(second!.loaders);
    expect(await second!.dataStore.get('t1')).toBe('1');
  });

  test('means the newest chip when the session names none', async () => {
    const seen: (string | null)[] = [];
    const tool = testTool('look', async (_args, { chipId }) => {
      seen.push(chipId);
      return resultOf('seen');
    });
    const model = createScriptedModel([[callTool('look')], say('Done.')]);
    await answer(model, { tools: [tool], run: { session: { ...session, chipId: null } } });
    expect(seen).toEqual(['demo-64']);
    expect(model.requests[0]!.instructions).toContain('No chip is selected; the newest one is meant');
  });

  test('does not take another chip for one that is gone', async () => {
    const model = createScriptedModel([say('It is gone.')]);
    await answer(model, { chips: ['other'] });
    expect(model.requests[0]!.instructions).toContain('demo-64, which this project does not have');
    expect(model.requests[0]!.instructions).not.toContain('other,');
  });

  test('fails in plain words when its model is no longer offered', async () => {
    const { outcome } = await answer(createScriptedModel([]), { run: { turn: { ...turn, model: 'gpt-1' } } });
    expect(outcome).toMatchObject({ status: 'FAILED', rounds: 0, error: { code: 'INVALID_INPUT' } });
    expect(outcome.error!.message).toContain('gpt-1 is not a model of this server');
  });

  test('spends no more than session, user and project have left, and says which of them it was', async () => {
    const model = createScriptedModel([]);
    const bound = 'you have used 9,500 of the 10,000 tokens of a day';
    const { outcome } = await answer(model, {
      run: { budget: { hold: async () => ({ tokens: 500, bound }) } },
    });
    expect(outcome).toMatchObject({ status: 'FAILED', error: { code: 'BUDGET_EXCEEDED' } });
    expect(outcome.error!.message).toContain(bound);
    expect(model.requests).toHaveLength(0);
  });

  test('rejects with the reason of an abort', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(answer(createScriptedModel([say('Hm.')]), { run: { signal } })).rejects.toThrow('stopped');
  });
});
