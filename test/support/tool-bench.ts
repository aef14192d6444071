/** Calls the real tools as the loop does: from the model's text to the text the model reads. */
import type { Datasets } from '../../src/agent/data/datasets.ts';
import { createSessionData } from '../../src/agent/data/session-data.ts';
import type { TurnLive } from '../../src/agent/live/turn-live.ts';
import { prepareCall } from '../../src/agent/loop/prepare-call.ts';
import { runCall, type CallEnding } from '../../src/agent/loop/tool-call.ts';
import { createToolRegistry } from '../../src/agent/tool-registry.ts';
import type { ToolContext, ToolResult } from '../../src/agent/tool.ts';
import { ALL_TOOLS } from '../../src/agent/tools/all-tools.ts';
import { getLiveParameters } from '../../src/agent/tools/get-live-parameters.ts';
import { proposeJob } from '../../src/agent/tools/propose-job.ts';
import { verifyAgainstLive } from '../../src/agent/tools/verify-against-live.ts';
import type { Viewer } from '../../src/domain/conversation/session.ts';
import { createLoaders } from '../../src/services/loaders/loaders.ts';
import type { PythonResult, PythonSandbox } from '@qpilot/python-sandbox';
import type { CalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { forgetfulDrafts } from '../../src/operations/tool-table/demo-bench.ts';
import { memorySessionData } from './memory-session-store.ts';
import { noLive } from './no-live-source.ts';
import { noDatasets } from './no-uploads.ts';

const PACKAGES = ['math', 'statistics'];

/** The tools that every chat has. */
export const allTools = createToolRegistry(ALL_TOOLS, () => PACKAGES);

/** The same with those of a chat that has a live source and drafts. */
export const everyTool = createToolRegistry(
  [...ALL_TOOLS, getLiveParameters, verifyAgainstLive, proposeJob(forgetfulDrafts(() => new Date(0)))],
  () => PACKAGES,
);

/** Arguments with null for all that are not named, as a model in strict mode sends them. */
export function argumentsOf(name: string, given: object): object {
  const schema = everyTool.schemas.find((each) => each.name === name);
  const properties = Object.keys(schema?.parameters['properties'] ?? {});
  return { ...Object.fromEntries(properties.map((property) => [property, null])), ...given };
}

/** A sandbox that answers what it is told to, for tests of what stands around it. */
export function sandboxAnswering(
  answer: (code: string, data: unknown) => Partial<PythonResult>,
): PythonSandbox {
  const nothing: PythonResult = {
    output: null,
    charts: [],
    refused: [],
    tables: {},
    error: null,
    durationMs: 1,
  };
  return {
    run: async (code, dataJson) => ({ ...nothing, ...answer(code, JSON.parse(dataJson)) }),
    packages: () => ['math', 'statistics'],
    selfTests: async () => [],
    availability: async () => ({ available: true, engine: 'pyodide', modules: ['math', 'statistics'] }),
    load: async () => null,
    close: async () => {},
  };
}

/** A session in which tools are called one after another. */
export type ToolBench = {
  readonly context: Omit<ToolContext, 'signal'>;
  /** Calls that succeeded, oldest first. */
  readonly made: readonly { readonly name: string; readonly args: object; readonly output: string }[];
  /** However it ends. */
  call(name: string, args: object): Promise<CallEnding>;
  /** A call that must succeed. */
  result(name: string, args: object): Promise<ToolResult>;
};

/** Opens a session about `chipId` without history. */
export function openToolBench(options: {
  readonly services: CalibrationServices;
  readonly viewer: Viewer;
  readonly chipId: string | null;
  readonly now: Date;
  readonly sandbox?: PythonSandbox;
  readonly live?: TurnLive;
  readonly datasets?: Datasets;
  /** False for the short texts that language models read. */
  readonly readsWhole?: boolean;
}): ToolBench {
  const { services, viewer, chipId, now, sandbox = sandboxAnswering(() => ({})), live = noLive() } = options;
  const { readsWhole = true } = options;
  const context = {
    viewer,
    chipId,
    services,
    loaders: createLoaders(services, viewer),
    sandbox,
    dataStore: createSessionData(memorySessionData(), 'session'),
    live,
    datasets: options.datasets ?? noDatasets,
    now: () => now,
    progress: () => undefined,
    callId: 'call',
  };
  const onBug = (error: unknown): void => {
    throw error;
  };
  const made: { name: string; args: object; output: string }[] = [];
  const call: ToolBench['call'] = async (name, args) => {
    const prepared = prepareCall({ callId: 'c', name, arguments: JSON.stringify(args) }, everyTool, onBug);
    if (!prepared.runnable) throw new Error(`${name} was not run: ${prepared.error.message}`);
    const limits = { toolTimeoutMs: 60_000, resultCharacters: 30_000, readsWhole, onBug };
    const ending = await runCall(prepared, context, limits, new AbortController().signal);
    if (ending.status === 'OK') made.push({ name, args, output: ending.output });
    return ending;
  };
  return {
    context,
    made,
    call,
    result: async (name, args) => {
      const { result, error } = await call(name, args);
      if (result === null) throw new Error(`${name} failed: ${error?.message}`);
      return result;
    },
  };
}
