import { createConnection } from './connection.ts';
import { refusal } from './errors.ts';
import { EVENTS, type SessionEvent } from './events.ts';
import type { FollowOptions } from './follow-log.ts';
import type { AskMutationVariables, UploadMutation, UploadMutationVariables } from './gql/graphql.ts';
import type { RequestOptions } from './http.ts';
import { ASK, CANCEL, UPLOAD } from './operations.ts';
import type { ServerOptions } from './server.ts';

/** What to ask; all but the words may be left out. */
export type Question = Omit<AskMutationVariables['input'], 'clientMessageId'> & {
  /** Sending again with the same id returns the same turn; by default a new one. */
  readonly clientMessageId?: string;
};

/** A question that the server took: it is answered whether or not anybody follows. */
export type Asked = {
  readonly sessionId: string;
  readonly turnId: string;
  /** With `whenBusy: STEER` the turn that may answer it; else null. */
  readonly joinsId: string | null;
  /** The cursor just before its first event. */
  readonly lastSeq: number;
  /** The cursor before all of its answer: {@link lastSeq}, or that of the turn which may answer it. */
  readonly fromSeq: number;
};

/** A file that was stored; its `id` is for {@link Question} `uploadIds`. */
export type Uploaded = Extract<
  UploadMutation['createUpload'],
  { readonly __typename: 'CreateUploadPayload' }
>['upload'];

type UploadKind = NonNullable<UploadMutationVariables['input']['kind']>;

/** A server, as somebody uses it. Every error is a {@link import('./errors.ts').QPilotError}. */
export type QPilot = ReturnType<typeof createQPilot>;

/** Makes a client; nothing is sent before it is asked for. */
export function createQPilot(options: ServerOptions = {}) {
  const connection = createConnection(options);
  const { request } = connection;

  /** The events of a conversation; see `followEvents`. */
  const follow = (sessionId: string, followOptions?: FollowOptions) =>
    connection.followEvents(EVENTS, { sessionId }, followOptions);

  return {
    ...connection,
    follow,

    /** The events of a conversation from a question on, until it is answered. */
    async *followAnswer(asked: Asked, followOptions?: Omit<FollowOptions, 'after'>) {
      const events = follow(asked.sessionId, { ...followOptions, after: asked.lastSeq });
      yield* untilAnswered(asked, events, (event) =>
        event.__typename === 'TurnFinishedEvent' ? event.turnStatus : null,
      );
    },

    /** Asks, in a conversation of its own unless `sessionId` says which. */
    async ask(question: string | Question, requestOptions?: RequestOptions): Promise<Asked> {
      const given = typeof question === 'string' ? { content: question } : question;
      const input = { clientMessageId: newId(), ...given };
      const { sendMessage: result } = await request(ASK, { input }, requestOptions);
      if (result.__typename !== 'SendMessagePayload') throw refused(result);
      const { session, turn, lastSeq } = result;
      const { id: turnId, joins } = turn;
      const fromSeq = Math.min(lastSeq, joins?.afterSeq ?? lastSeq);
      return { sessionId: session.id, turnId, joinsId: joins?.id ?? null, lastSeq, fromSeq };
    },

    /** Stops a turn; what it said so far stays. One that has ended stays as it is. */
    async cancel(turnId: string, requestOptions?: RequestOptions): Promise<void> {
      const { cancelTurn: result } = await request(CANCEL, { input: { turnId } }, requestOptions);
      if (result.__typename !== 'CancelTurnPayload') throw refused(result);
    },

    /** Stores a table (CSV) to ask about, or a text. */
    async upload(file: File, kind: UploadKind = 'TABLE', requestOptions?: RequestOptions): Promise<Uploaded> {
      const { createUpload: result } = await request(UPLOAD, { input: { file, kind } }, requestOptions);
      if (result.__typename !== 'CreateUploadPayload') throw refused(result);
      return result.upload;
    },
  };
}

/**
 * The events of a conversation until a question is answered: by its own turn, or by the one that it joined. `endOf`
 * gives the status that an event ends its turn with.
 */
export async function* untilAnswered<Event extends Pick<SessionEvent, 'turnId'>>(
  { turnId, joinsId }: Pick<Asked, 'turnId' | 'joinsId'>,
  events: AsyncIterable<Event>,
  endOf: (event: Event) => string | null,
): AsyncGenerator<Event, void, undefined> {
  let answering = turnId;
  for await (const event of events) {
    const end = event.turnId === answering ? endOf(event) : null;
    yield event;
    if (end === 'JOINED' && joinsId !== null) answering = joinsId;
    else if (end !== null) return;
  }
}

type UserError = Parameters<typeof refusal>[2] & { readonly turn?: { readonly id: string } } & (
    { readonly code: string; readonly message: string } | object
  );

/** The error of a mutation's result. */
function refused(result: { readonly __typename: string } & UserError): Error {
  if (!('code' in result)) return refusal('UNKNOWN', `the server answered ${result.__typename}`);
  return refusal(result.code, result.message, { ...result, busyTurnId: result.turn?.id });
}

/** Browsers have `randomUUID` only on pages of https and of this machine. */
function newId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  return Array.from((crypto as Crypto).getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
