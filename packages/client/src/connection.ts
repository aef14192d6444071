import { followLog, type FollowOptions, type Log } from './follow-log.ts';
import { ownProjects, request, type RequestOptions } from './http.ts';
import { operation, payloadOf, type Operation } from './operation.ts';
import { readServer, type ServerOptions } from './server.ts';
import { createSocket } from './socket.ts';
import { watchPage } from './waking.ts';

/** An event with its sequence number in the log. */
type Numbered = { readonly seq: number };

/** The one field of a subscription. */
type EventOf<Data> = Data[Exclude<keyof Data, '__typename'>];

/** A way to a server for those who bring operations of their own. */
export type Connection = ReturnType<typeof createConnection>;

/**
 * Makes one; nothing is sent before it is asked for. All that is followed goes over one socket, which is open while
 * something is.
 */
export function createConnection(options: ServerOptions = {}) {
  const server = readServer(options);
  const subscribeOnce = createSocket(server);

  /** Tells why a socket does not open, where HTTP knows it. */
  const check = async (signal?: AbortSignal): Promise<void> => {
    await request(server, operation('{ __typename }'), {}, { signal });
  };

  const follow = <Event extends Numbered>(
    open: Log<Event>['open'],
    followOptions: FollowOptions,
  ): AsyncGenerator<Event, void, undefined> =>
    followLog<Event>(
      { open, check, name: server.url },
      { ...(typeof document === 'object' && { watchWaking: watchPage }), ...followOptions },
    );

  return {
    /** The projects of the caller, also before one is named. */
    projects: () => ownProjects(server),

    /** Sends a query or mutation. Files among the variables are sent along. */
    request: <Data, Variables extends Record<string, unknown>>(
      what: Operation<Data, Variables>,
      variables: Variables,
      requestOptions: RequestOptions = {},
    ): Promise<Data> => request(server, what, variables, requestOptions),

    /**
     * The events of any log, by a subscription that takes the cursor as `$afterSeq`, after `after`: each once and in
     * order, over as many sockets as it takes. It ends with its signal, or with the loop that reads it.
     */
    followEvents: <Data extends object, Variables extends Record<string, unknown>>(
      what: Operation<Data, Variables>,
      variables: Omit<Variables, 'afterSeq'>,
      followOptions: FollowOptions = {},
    ): AsyncGenerator<EventOf<Data>, void, undefined> =>
      follow<EventOf<Data> & Numbered>(
        (afterSeq, sink) =>
          subscribeOnce<Data>(payloadOf(what, { ...variables, afterSeq }), {
            ...sink,
            data: (data) => sink.event(eventOf(data) as EventOf<Data> & Numbered),
          }),
        followOptions,
      ),

    /**
     * What a subscription without a cursor sends, from now on. After a drop it is subscribed to anew, and what was sent
     * meanwhile is lost: read the state again whenever `onStatus` says `live`.
     */
    async *subscribe<Data extends object, Variables extends Record<string, unknown>>(
      what: Operation<Data, Variables>,
      variables: Variables,
      followOptions: Omit<FollowOptions, 'after'> = {},
    ): AsyncGenerator<Data, void, undefined> {
      const updates = follow<Numbered & { readonly data: Data }>((seq, sink) => {
        let last = seq;
        return subscribeOnce<Data>(payloadOf(what, variables), {
          ...sink,
          data: (data) => sink.event({ seq: (last += 1), data }),
          // Of one message; there is no cursor that it would come again from.
          refused: (error) => (error.code === 'INTERNAL_SERVER_ERROR' ? sink.dropped() : sink.refused(error)),
        });
      }, followOptions);
      for await (const { data } of updates) yield data;
    },
  };
}

/** A subscription has one field. */
const eventOf = (data: object): unknown => Object.entries(data).find(([name]) => name !== '__typename')?.[1];
