import { randomUUID } from 'node:crypto';
import { post } from './graphql-client.ts';
import { subscribe } from './websocket-client.ts';

/** What a test reads of a builder session. */
export type SessionView = {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly revision: number;
  readonly lastSeq: number;
  readonly artifacts: {
    readonly instructions: string | null;
    readonly config: Record<string, unknown> | null;
    readonly description: string | null;
  };
  readonly activeTurn: { readonly id: string } | null;
  readonly proposal: {
    readonly diff: {
      readonly instructions: readonly { readonly id: string }[];
      readonly config: readonly { readonly id: string; readonly path: readonly string[] }[];
      readonly description: { readonly id: string } | null;
    };
  } | null;
  readonly edits: readonly {
    readonly callId: string;
    readonly artifact: string;
    readonly state: string;
    readonly turn: { readonly id: string } | null;
  }[];
  readonly messages: { readonly nodes: readonly { readonly role: string; readonly text: string }[] };
  readonly revisions: {
    readonly nodes: readonly {
      readonly revision: number;
      readonly author: string;
      readonly callId: string | null;
      readonly undoneTurn: { readonly id: string } | null;
      readonly restoredRevision: number | null;
      readonly artifacts: SessionView['artifacts'];
    }[];
  };
};

/** An event of a builder's turn as a client gets it. */
export type BuilderEvent = {
  readonly __typename: string;
  readonly seq: number;
  readonly turn: { readonly id: string };
  readonly callId?: string;
  readonly tool?: string;
  readonly outcome?: string;
  readonly note?: string | null;
  readonly arguments?: unknown;
  readonly revisionBefore?: number;
  readonly revisionAfter?: number;
  readonly isProposal?: boolean;
  readonly turnStatus?: string;
  readonly text?: string;
  readonly error?: { readonly code: string; readonly message: string } | null;
};

/** What a mutation answered: the payload's parts, or those of an error. */
export type Answer = {
  readonly __typename: string;
  readonly message?: string;
  readonly code?: string;
  readonly session: SessionView;
  readonly turn: { readonly id: string; readonly status: string };
  readonly lastSeq: number;
  readonly count?: number;
  readonly overlaps?: {
    readonly instructions: readonly {
      readonly id: string;
      readonly lines: readonly { readonly kind: string; readonly text: string }[];
    }[];
    readonly config: readonly { readonly id: string; readonly path: readonly string[] }[];
    readonly description: { readonly id: string; readonly before: string | null } | null;
  };
};

const SESSION = `id title status revision lastSeq artifacts { instructions config description } activeTurn { id }
  proposal { diff { instructions { id } config { id path } description { id } } }
  edits { callId artifact state turn { id } }
  messages { nodes { role text } } revisions { nodes { revision author callId undoneTurn { id } restoredRevision artifacts { instructions config description } } }`;
const STALE = `... on StaleArtifactsError { session { ${SESSION} } }`;
const BUSY = `${STALE} ... on SessionBusyError { turn { id status } }`;
const IN_PROGRESS = '... on TurnInProgressError { turn { id status } }';
const WRITING = `${STALE} ${IN_PROGRESS}`;
const OVERLAP = `... on UndoOverlapError { overlaps { instructions { id lines { kind text } } config { id path before after }
  description { id before after } } }`;
const EVENTS = `subscription ($id: ID!, $after: Int) { builderEvents(sessionId: $id, afterSeq: $after) { __typename
  ... on SequencedEvent { seq turn { id } }
  ... on TokenEvent { text }
  ... on ToolCallStartedEvent { callId tool } ... on ToolCallFinishedEvent { callId tool error { code message } }
  ... on ArtifactEvent { callId tool arguments outcome note revisionBefore revisionAfter isProposal }
  ... on TurnFinishedEvent { turnStatus error { code message } } } }`;

/** Speaks to the builder of a running server as the web client does. */
export function builderClient(url: string, headers: Record<string, string> = { 'x-project-id': 'demo' }) {
  const ask = async (query: string, variables: object): Promise<Record<string, unknown>> => {
    const { data, errors } = await post(url, query, { variables, headers });
    if (data === null || errors.length > 0) throw new Error(JSON.stringify(errors));
    return data;
  };
  const mutate = async (name: string, payload: string, input: object, errors = ''): Promise<Answer> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { it: ${name}(input: $input) { __typename ... on UserError { code message } ${errors} ... on ${type}Payload { ${payload} } } }`;
    return (await ask(query, { input }))['it'] as Answer;
  };
  const written = `session { ${SESSION} }`;
  return {
    send: (content: string, more: object = {}) =>
      mutate(
        'sendBuilderMessage',
        `${written} turn { id status } lastSeq`,
        {
          content,
          clientMessageId: randomUUID(),
          artifacts: {},
          ...more,
        },
        BUSY,
      ),
    create: (input: object) => mutate('createBuilderSession', written, input),
    update: (input: object) => mutate('updateArtifacts', written, input, WRITING),
    revert: (input: object) => mutate('revertArtifact', written, input, `${WRITING} ${OVERLAP}`),
    resolve: (input: object) => mutate('resolveArtifactHunks', written, input, IN_PROGRESS),
    reopen: (sessionId: string) => mutate('reopenBuilderSession', written, { sessionId }),
    purge: (input: object) => mutate('purgeOrphanBuilderSessions', 'count', input),
    cancel: (turnId: string) => mutate('cancelTurn', 'turn { id status }', { turnId }),
    async session(id: string): Promise<SessionView | null> {
      const { it } = await ask(`query ($id: ID!) { it: builderSession(id: $id) { ${SESSION} } }`, { id });
      return it as SessionView | null;
    },
    ask,
    /** The events of a turn, over a WebSocket of its own. */
    async turn({
      session,
      turn,
      lastSeq,
    }: Pick<Answer, 'session' | 'turn' | 'lastSeq'>): Promise<BuilderEvent[]> {
      const events: BuilderEvent[] = [];
      const params = { projectId: headers['x-project-id'] };
      for await (const { data, errors } of subscribe(
        url,
        EVENTS,
        { id: session.id, after: lastSeq },
        params,
      )) {
        if (data === null) throw new Error(JSON.stringify(errors));
        const event = data['builderEvents'] as BuilderEvent;
        events.push(event);
        if (event.__typename === 'TurnFinishedEvent' && event.turn.id === turn.id) break;
      }
      return events;
    },
  };
}
