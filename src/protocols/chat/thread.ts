/**
 * Which turn a request of a chat protocol means. Its clients make the ids of threads and messages themselves and send the whole
 * thread each time; ours are made by the server, and a message is sent once. A thread of a client is the conversation whose first
 * message has the client id {@link firstId}; where it is the id of a conversation of ours, that one.
 */
import { createHash } from 'node:crypto';
import { decodeNodeId, type NodeType } from '../../../schema/node-ids.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { idsIn, type Actor } from '../../domain/audit/audit.ts';
import type { Effort, Turn, Viewer } from '../../domain/conversation/session.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { toKeptWords } from '../../services/copilot/copilot-input.ts';
import type { CopilotService } from '../../services/copilot/copilot.ts';
import type { SentMessage } from '../../services/copilot/start-turn.ts';
import type { SentFile } from '../../services/uploads.ts';

export type ThreadDeps = { readonly copilot: CopilotService; readonly audit: Pick<Audit, 'perform'> };

/** Who asks, by which protocol. */
export type ChatAsker = { readonly viewer: Viewer; readonly actor: Actor; readonly protocol: string };

/** The newest message of a thread. */
export type ThreadMessage = {
  readonly threadId: string;
  readonly messageId: string;
  /** Whether the thread has no message of a user before it. */
  readonly isFirst: boolean;
  readonly text: string;
  readonly images: readonly SentFile[];
  readonly chipId: string | null;
  readonly model: string | null;
  readonly effort: Effort | null;
  /** Asks the same question again, where it was answered; requests with the same id ask it once. Null: shows the answer that it got. */
  readonly againAs: string | null;
};

const MAX_ID = 150;

/**
 * The turn that answers a message: the one that it started before, or a new one. A message that was sent with other words is an
 * edit; a turn that still runs in the thread is cancelled for a new message.
 * @throws what sending, editing and retrying a message throw
 */
export async function turnFor(deps: ThreadDeps, asker: ChatAsker, message: ThreadMessage): Promise<Turn> {
  const { copilot } = deps;
  const { threadId, messageId, isFirst, text, againAs } = message;
  assertIds([threadId, messageId]);
  const first = await startedIn(deps, asker.viewer, threadId);
  const earlier =
    (await copilot.startedTurn(asker.viewer, ownId(threadId, messageId))) ?? (isFirst ? first.turn : null);
  if (earlier === null) return send(deps, asker, message, first.sessionId);
  const [question] = await copilot.byId.messages(asker.viewer, [earlier.questionId]);
  if (!question) throw new NotFoundError('the conversation was deleted');
  const isSame = question.text === toKeptWords(text.trim());
  const asked = isSame ? earlier : await edit(deps, asker, message, question.id);
  const shown = await newest(deps, asker.viewer, asked);
  return againAs === null || isOpen(shown) ? shown : again(deps, asker, shown, againAs);
}

const isOpen = ({ status }: Turn): boolean => status === 'RUNNING' || status === 'QUEUED';

/** The newest turn of a thread of the viewer. @throws NotFoundError */
export async function newestTurn(deps: ThreadDeps, viewer: Viewer, threadId: string): Promise<Turn> {
  assertIds([threadId]);
  const { sessionId } = await startedIn(deps, viewer, threadId);
  const page = sessionId && (await deps.copilot.turns(viewer, sessionId, { first: 1, after: null }));
  const turn = page ? page.items[0]?.item : undefined;
  if (!turn) throw new NotFoundError(`you have no conversation ${threadId}`);
  return turn;
}

/** Cancels what runs in a thread. @throws NotFoundError */
export async function stopThread(
  { copilot, audit }: ThreadDeps,
  asker: ChatAsker,
  turn: Turn,
): Promise<Turn> {
  const { viewer, actor, protocol } = asker;
  const act = {
    ...actor,
    kind: 'CHANGE',
    action: `${protocol} stop`,
    ids: idsIn({ turnId: turn.id }),
  } as const;
  return audit.perform(act, () => copilot.cancelTurn(viewer, { turnId: turn.id }));
}

/** Client id of the first message of a thread, and of the others. */
const firstId = (threadId: string): string => `thread ${threadId}`;
const ownId = (threadId: string, messageId: string): string => `message ${digest(threadId)} ${messageId}`;
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

function assertIds(ids: readonly string[]): void {
  if (ids.some((id) => id === '' || id.length > MAX_ID))
    throw InvalidInputError.at(['id'], `ids of threads and messages have 1 to ${MAX_ID} characters`);
}

async function startedIn(
  { copilot }: ThreadDeps,
  viewer: Viewer,
  threadId: string,
): Promise<{ readonly sessionId: string | null; readonly turn: Turn | null }> {
  const own = keyIn('CopilotSession', threadId);
  if (own !== null) return { sessionId: own, turn: null };
  const turn = await copilot.startedTurn(viewer, firstId(threadId));
  return { sessionId: turn?.sessionId ?? null, turn };
}

/** The key of one of our ids; null for ids of clients. */
function keyIn(type: NodeType, id: string): string | null {
  try {
    const { typename, id: key } = decodeNodeId(id);
    return typename === type ? key : null;
  } catch {
    return null;
  }
}

async function send(
  { copilot, audit }: ThreadDeps,
  { viewer, actor, protocol }: ChatAsker,
  message: ThreadMessage,
  sessionId: string | null,
): Promise<Turn> {
  const { threadId, messageId, text: content, images, chipId, model, effort } = message;
  const act = { ...actor, kind: 'SUBMIT', action: protocol, ids: idsIn({ chipId, sessionId }) } as const;
  return started(
    audit.perform(act, () =>
      copilot.sendMessage(viewer, {
        content,
        images: [...images],
        model,
        effort,
        sessionId,
        // A conversation stays with its chip.
        chipId: sessionId === null ? chipId : null,
        clientMessageId: sessionId === null ? firstId(threadId) : ownId(threadId, messageId),
        // A thread of these protocols has one answer at a time: who asks anew has stopped waiting for the one before.
        whenBusy: 'SUPERSEDE',
      }),
    ),
  );
}

async function edit(
  { copilot, audit }: ThreadDeps,
  { viewer, actor, protocol }: ChatAsker,
  { threadId, messageId, text: content }: ThreadMessage,
  questionId: string,
): Promise<Turn> {
  const act = {
    ...actor,
    kind: 'SUBMIT',
    action: `${protocol} edit`,
    ids: idsIn({ messageId: questionId }),
  } as const;
  const clientMessageId = ownId(threadId, `${messageId} ${digest(content)}`);
  return started(
    audit.perform(act, () =>
      copilot.editMessage(viewer, { messageId: questionId, content, clientMessageId }),
    ),
  );
}

async function again(
  { copilot, audit }: ThreadDeps,
  { viewer, actor, protocol }: ChatAsker,
  { id: turnId }: Turn,
  againAs: string,
): Promise<Turn> {
  const act = { ...actor, kind: 'SUBMIT', action: `${protocol} again`, ids: idsIn({ turnId }) } as const;
  return started(
    audit.perform(act, () =>
      copilot.retryTurn(viewer, { turnId, clientMessageId: `again ${digest(turnId + againAs)}` }),
    ),
  );
}

/** Of the turns that answered the same question, the newest. */
async function newest({ copilot }: ThreadDeps, viewer: Viewer, turn: Turn): Promise<Turn> {
  const [siblings = []] = await copilot.siblingsOfTurns(viewer, [turn.id]);
  return siblings.findLast(({ questionId }) => questionId === turn.questionId) ?? turn;
}

const started = async (sent: Promise<SentMessage>): Promise<Turn> => (await sent).turn;
