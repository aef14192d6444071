/** The tools of the copilot, called by another program: the same definitions, checks, bounds and texts as in a turn. */
import type { CallToolResult, Tool as ToolListing } from '@modelcontextprotocol/server';
import { openTurnLive } from '../../agent/live/turn-live.ts';
import { loopLimits } from '../../agent/turn/settings-limits.ts';
import { prepareCall } from '../../agent/loop/prepare-call.ts';
import { runCall } from '../../agent/loop/tool-call.ts';
import { queryDataset } from '../../agent/tools/query-dataset.ts';
import type { AnswerTurnDeps } from '../../agent/turn/answer-turn.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { TurnError } from '../../domain/conversation/session.ts';
import { sourceOf } from '../../domain/pictures/source.ts';
import { isJsonObject, type JsonObject } from '../../domain/visuals.ts';
import { createLoaders } from '../../services/loaders/loaders.ts';
import { contentOf, type PictureDeps } from './chart-pictures.ts';
import type { Shelf } from './shelf.ts';

export type ToolCallDeps = Pick<
  AnswerTurnDeps,
  'tools' | 'services' | 'sandbox' | 'live' | 'settings' | 'logger' | 'now'
> &
  PictureDeps & { readonly shelf: Shelf };

/** What a call hears and says while it runs. */
export type CallScope = {
  /** Fires when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
  /** Whether charts come as pictures, too. */
  readonly withPictures: boolean;
};

export type ToolCalls = ReturnType<typeof createToolCalls>;

/** Of a call, in the unit of queries: that of a query for a few values of all qubits. */
export const CALL_COST = 10_000;

/** What each tool returns: what our own models read. */
const RESULT_SCHEMA = {
  type: 'object',
  properties: {
    formattedSummary: { type: 'string', description: 'Sentences for verbatim use, in display units' },
    data: { description: 'Rows and figures; lists of objects may be given as {each, columns, rows}' },
    freshness: { type: ['object', 'null'], description: 'Age of the rows: newestAt, oldestAt' },
    source: { type: 'string', description: 'SNAPSHOT: stored values. LIVE: read from the control system' },
    _note: { type: 'string', description: 'What was left out, and how to ask for it' },
  },
  required: ['formattedSummary', 'data', 'freshness', 'source'],
} as const satisfies JsonObject;

/** Those that read; nothing here changes anything. */
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export function createToolCalls(deps: ToolCallDeps) {
  const { services, sandbox, settings, live: source, logger, now, shelf } = deps;
  // Uploaded tables belong to conversations.
  const tools = deps.tools.without(queryDataset.name);
  const { toolTimeoutMs, resultCharacters } = loopLimits(settings.limits.turn, Number.MAX_SAFE_INTEGER);
  const onBug = (error: unknown, tool: string): void =>
    logger.error({ err: error, tool }, 'a tool that was called by MCP failed');
  return {
    names: new Set(tools.names),

    list: (): readonly ToolListing[] =>
      tools.schemas.map(({ name, description, parameters }) => ({
        name,
        title: tools.get(name)?.title.en ?? name,
        description,
        inputSchema: optionalWhereNullable(parameters),
        outputSchema: RESULT_SCHEMA,
        annotations: READS,
      })),

    /** Never rejects: a failure is a result that says what was wrong. */
    async call(viewer: Viewer, name: string, args: unknown, scope: CallScope): Promise<CallToolResult> {
      const { signal, report } = scope;
      const call = prepareCall({ callId: name, name, arguments: JSON.stringify(args ?? {}) }, tools, onBug);
      if (!call.runnable) return failure(call.error);
      const live = openTurnLive({
        source,
        question: '',
        signal,
        emit: (activity) => activity.type === 'source-fallback' && report(activity.text),
      });
      try {
        const context = {
          viewer,
          chipId: null,
          services,
          loaders: createLoaders(services, viewer),
          sandbox,
          dataStore: shelf.dataOf(viewer),
          datasets: NO_DATASETS,
          live,
          now,
          progress: report,
          callId: name,
        };
        const limits = { toolTimeoutMs, resultCharacters, onBug };
        const { output, error, result } = await runCall(call, context, limits, signal);
        if (error !== null) return failure(error);
        const source = sourceOf(chipIn(result?.data), result?.freshness ?? null);
        const visuals = (result?.visuals ?? []).map((visual) => {
          return { id: shelf.keep(viewer, visual, source), visual, source };
        });
        return {
          content: [
            { type: 'text', text: output },
            ...(await contentOf(deps, viewer, visuals, scope.withPictures)),
          ],
          structuredContent: JSON.parse(output) as JsonObject,
        };
      } finally {
        live.close();
      }
    },
  };
}

const NO_DATASETS = {
  all: [],
  query: () => Promise.reject(new Error('a call of MCP has no uploaded tables')),
};

/** A result that says what went wrong, and whether to try again. */
export function failure({ code, message, retryable }: TurnError): CallToolResult {
  const again = retryable ? ' Try again.' : '';
  return { isError: true, content: [{ type: 'text', text: `${code}: ${message}${again}` }] };
}

/** The chip that a result says it is about. */
const chipIn = (data: object | undefined): unknown =>
  data !== undefined && 'chip_id' in data ? data.chip_id : null;

/** Models of ours name every argument; others may leave out those that can be null. */
function optionalWhereNullable(schema: JsonObject): ToolListing['inputSchema'] {
  const { properties = {} } = schema;
  const all = isJsonObject(properties) ? properties : {};
  const required = Object.entries(all).flatMap(([name, each]) => (isNullable(each) ? [] : [name]));
  return { ...schema, type: 'object', properties: all, required } as ToolListing['inputSchema'];
}

function isNullable(schema: unknown): boolean {
  const { type, anyOf } = schema as { type?: unknown; anyOf?: unknown };
  if (Array.isArray(type)) return type.includes('null');
  return Array.isArray(anyOf) && anyOf.some((each) => (each as { type?: unknown }).type === 'null');
}
