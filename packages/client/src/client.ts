import { refusal } from './errors.ts';
import { EVENTS, type SessionEvent } from './events.ts';
import { followLog, type FollowOptions } from './follow-log.ts';
import type { AskMutationVariables, UploadMutation, UploadMutationVariables } from './gql/graphql.ts';
import { request, type RequestOptions } from './http.ts';
import { operation, type Operation } from './operation.ts';
import { ASK, CANCEL, UPLOAD } from './operations.ts';
import { readServer, type ServerOptions } from './server.ts';
import { openEvents } from './socket.ts';
import { watchPage } from './waking.ts';

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
};

/** A file that was stored; its `id` is for {@link Question} `uploadIds`. */
export type Uploaded = Extract<
  UploadMutation['createUpload'],
  { readonly __typename: 'CreateUploadPayload' }
>['upload'];

type UploadKind = NonNullable<UploadMutationVariables['input']['kind']>;

/** A numbered event, as any log has them. */
type Numbered = { readonly seq: number };

/** The one field of a subscription. */
type EventOf<Data> = Data[Exclude<keyof Data, '__typename'>];

/** A server, as somebody uses it. Every error is a {@link import('./errors.ts').QPilotError}. */
export type QPilot = ReturnType<typeof createQPilot>;

/** Makes a client; nothing is sent before it is asked for. */
export function createQPilot(options: ServerOptions = {}) {
  const server = readServer(options);
  /** Tells why a socket does not open, where HTTP knows it. */
  const check = async (): Promise<void> => {
    await request(server, operation('{ __typename }'), {});
  };

  /** Sends a query or mutation. Files among the variables are sent along. */
  const send = <Data, Variables extends Record<string, unknown>>(
    what: Operation<Data, Variables>,
    variables: Variables,
    requestOptions: RequestOptions = {},
  ): Promise<Data> => request(server, what, variables, requestOptions);

  /**
   * The events of any log, by a subscription that takes the cursor as `$afterSeq`, after `after`: each once and in
   * order, over as many sockets as it takes. It ends with its signal, or with the loop that reads it.
   */
  const followEvents = <Data extends object, Variables extends Record<string, unknown>>(
    what: Operation<Data, Variables>,
    variables: Omit<Variables, 'afterSeq'>,
    followOptions: FollowOptions = {},
  ): AsyncGenerator<EventOf<Data>, void, undefined> =>
    followLog<EventOf<Data> & Numbered>(
      { open: openEvents(server, what, variables), check, name: server.url },
      { ...(typeof document === 'object' && { watchWaking: watchPage }), ...followOptions },
    );

  /** The events of a conversation; see {@link followEvents}. */
  const follow = (sessionId: string, followOptions?: FollowOptions) =>
    followEvents(EVENTS, { sessionId }, followOptions);

  return {
    request: send,
    follow,
    followEvents,

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
      const { sendMessage: result } = await send(ASK, { input }, requestOptions);
      if (result.__typename !== 'SendMessagePayload') throw refused(result);
      const { session, turn, lastSeq } = result;
      return { sessionId: session.id, turnId: turn.id, joinsId: turn.joins?.id ?? null, lastSeq };
    },

    /** Stops a turn; what it said so far stays. One that has ended stays as it is. */
    async cancel(turnId: string, requestOptions?: RequestOptions): Promise<void> {
      const { cancelTurn: result } = await send(CANCEL, { input: { turnId } }, requestOptions);
      if (result.__typename !== 'CancelTurnPayload') throw refused(result);
    },

    /** Stores a table (CSV) to ask about, or a text. */
    async upload(file: File, kind: UploadKind = 'TABLE', requestOptions?: RequestOptions): Promise<Uploaded> {
      const { createUpload: result } = await send(UPLOAD, { input: { file, kind } }, requestOptions);
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
