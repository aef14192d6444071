/**
 * `ask_qpilot`: a question to the copilot as one long call. The turn is durable and runs on whether or not anybody listens: a call only waits
 * for it, reports its events as progress, and can be made again with the turn to go on from a cursor.
 */
import { randomUUID } from 'node:crypto';
import type { CallToolResult, Tool as ToolListing } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { encodeNodeId, keyOf } from '../../../schema/node-ids.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { idsIn, type Actor } from '../../domain/audit/audit.ts';
import type { SessionEvent } from '../../domain/conversation/session-event.ts';
import type { Turn, Viewer } from '../../domain/conversation/session.ts';
import type { Rule } from '../../domain/members/rule.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { MAX_MESSAGE_LENGTH } from '../../services/copilot/copilot-input.ts';
import { approvalWords } from '../approval-words.ts';
import { ANSWER_SCHEMA, answerOf, type AnswerDeps } from './answer.ts';
import type { CallScope } from './tool-calls.ts';

export type AskDeps = AnswerDeps & { readonly audit: Pick<Audit, 'perform'> };

/** Who asks, and where their pages are. */
export type Asker = { readonly viewer: Viewer; readonly actor: Actor; readonly pages: string };

export const ASK = 'ask_qpilot';
export const ASK_RULE: Rule = 'viewer: own';

/** Below the 60 s after which most clients give up. */
const WAIT_SECONDS = 45;
const LONGEST_WAIT_SECONDS = 600;

const id = z.string().max(500).nullish();
const askArgs = z.strictObject({
  question: z
    .string()
    .trim()
    .min(1)
    .max(MAX_MESSAGE_LENGTH)
    .nullish()
    .describe('In words, in any language. Omit it with turn'),
  chip_id: z.string().max(200).nullish().describe("Omit it for the project's newest chip"),
  session: id.describe('Continues a conversation: session of an earlier answer'),
  model: z.string().max(200).nullish().describe('A model of the server; omit it for the default'),
  turn: id.describe('Asks nothing: waits on for this turn, or reads its answer again'),
  cursor: z
    .int()
    .min(0)
    .nullish()
    .describe('With turn: the cursor of the last result; progress goes on after it'),
  stop: z.boolean().nullish().describe('With turn: cancels it'),
  wait_seconds: z
    .int()
    .min(0)
    .max(LONGEST_WAIT_SECONDS)
    .nullish()
    .describe(`Then the result is RUNNING, and the turn goes on; omit it for ${WAIT_SECONDS}`),
});
type AskArgs = z.infer<typeof askArgs>;

export const ASK_LISTING: ToolListing = {
  name: ASK,
  title: 'Ask QPilot',
  description:
    "Asks QPilot's copilot, which calls these tools itself, and returns its answer with the source of each number, a link, and charts. For questions over several tools; call a tool itself for one figure. If the status is RUNNING, call again with turn and cursor.",
  inputSchema: inputSchema(),
  outputSchema: ANSWER_SCHEMA,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
};

function inputSchema(): ToolListing['inputSchema'] {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(askArgs, { io: 'input' });
  return schema as ToolListing['inputSchema'];
}

/** Asks, or goes on waiting. @throws what sending a message throws; NotFoundError for a turn of somebody else */
export async function ask(
  deps: AskDeps,
  asker: Asker,
  given: unknown,
  { signal, report, withPictures }: CallScope,
): Promise<CallToolResult> {
  const args = checked(given);
  const { turn, afterSeq } = args.turn ? await resumed(deps, asker, args) : await sent(deps, asker, args);
  const ids = {
    session: encodeNodeId('CopilotSession', turn.sessionId),
    turn: encodeNodeId('Turn', turn.id),
  };
  report(`Turn ${ids.turn} of conversation ${asker.pages}/copilot/${ids.session}`);
  const time = AbortSignal.timeout((args.wait_seconds ?? WAIT_SECONDS) * 1000);
  const cursor = await untilEnd(deps, asker.viewer, turn, {
    afterSeq,
    signal: AbortSignal.any([signal, time]),
    report,
  });
  signal.throwIfAborted();
  return answerOf(deps, { ...asker, withPictures }, turn.id, cursor);
}

function checked(given: unknown): AskArgs {
  const { data, error } = askArgs.safeParse(given ?? {});
  if (error) {
    throw new InvalidInputError(
      error.issues.map(({ path, message }) => ({ path: path.map(String), message })),
    );
  }
  const problem = problemOf(data);
  if (problem !== null) throw InvalidInputError.at([], problem);
  return data;
}

function problemOf({ question, turn, session, cursor, stop, chip_id: chip, model }: AskArgs): string | null {
  if (turn && (question || session || chip || model))
    return 'turn waits for a question that was asked: give it with cursor, stop and wait_seconds alone';
  if (turn) return null;
  if (cursor != null || stop != null) return 'cursor and stop need turn';
  return question ? null : 'give a question, or the turn of an earlier one';
}

type Open = { readonly turn: Turn; readonly afterSeq: number };

async function sent({ copilot, audit }: AskDeps, { viewer, actor }: Asker, args: AskArgs): Promise<Open> {
  const { question, chip_id: chipId, session, model } = args;
  const sessionId = session ? keyOf('CopilotSession', session, ['session']) : null;
  const ids = idsIn({ chipId, sessionId });
  const { turn, lastSeq } = await audit.perform({ ...actor, kind: 'SUBMIT', action: `mcp ${ASK}`, ids }, () =>
    copilot.sendMessage(viewer, {
      content: question ?? '',
      clientMessageId: randomUUID(),
      sessionId,
      // A conversation stays with its chip.
      chipId: sessionId === null ? chipId : null,
      model,
    }),
  );
  return { turn, afterSeq: lastSeq };
}

async function resumed({ copilot, audit }: AskDeps, { viewer, actor }: Asker, args: AskArgs): Promise<Open> {
  const turnId = keyOf('Turn', args.turn ?? '', ['turn']);
  const [turn] = await copilot.byId.turns(viewer, [turnId]);
  if (!turn) throw new NotFoundError(`you have no turn ${args.turn}`);
  await copilot.assertReadable(viewer, turn.sessionId);
  if (args.stop) {
    const act = { ...actor, kind: 'CHANGE', action: `mcp ${ASK} stop`, ids: idsIn({ turnId }) } as const;
    await audit.perform(act, () => copilot.cancelTurn(viewer, { turnId }));
  }
  return { turn, afterSeq: args.cursor ?? turn.beforeSeq };
}

type Wait = Omit<CallScope, 'withPictures'> & { readonly afterSeq: number };

/** Follows the log to the end of the turn, or until `signal` fires; returns the place in the log. */
async function untilEnd(
  { copilot }: AskDeps,
  viewer: Viewer,
  turn: Turn,
  { afterSeq, signal, report }: Wait,
): Promise<number> {
  let cursor = afterSeq;
  for await (const event of await copilot.follow(viewer, turn.sessionId, afterSeq, signal)) {
    cursor = event.seq;
    if (event.turnId !== turn.id) continue;
    const text = progressOf(event);
    if (text !== null) report(text);
    if (event.type === 'TurnFinishedEvent') break;
  }
  return cursor;
}

/** An event as a line of progress; null for those that say nothing new, as each piece of the answer. */
function progressOf({ type, payload }: SessionEvent): string | null {
  if (type === 'StatusEvent') return payload.text;
  if (type === 'ToolCallStartedEvent') return `${payload.label}: ${payload.description}`;
  if (type === 'ToolCallFinishedEvent')
    return `${payload.tool}: ${payload.error?.message ?? payload.preview}`;
  if (type === 'ToolApprovalEvent') return approvalWords(payload);
  if (type === 'SourceFallbackEvent') return payload.text;
  if (type === 'StepResetEvent') return payload.reason;
  return null;
}
