import { useMemo } from 'react';
import { useClient, type Client, type CombinedError } from 'urql';
import {
  BuilderNewestRevisionsDocument,
  BuilderReopenDocument,
  BuilderResolveDocument,
  BuilderRevertDocument,
  BuilderSendDocument,
  BuilderUpdateDocument,
  CopilotCancelDocument,
  CopilotRetryDocument,
  type BuilderStateFragment,
  type ResolveArtifactHunksInput,
  type RevertArtifactInput,
  type SendBuilderMessageInput,
  type UpdateArtifactsInput,
} from '../../../gql/graphql.ts';
import type { Artifacts } from '../../../../src/domain/artifacts/artifacts.ts';
import { artifactsFrom } from '../model/builder-view.ts';
import type { Told } from './use-builder-session.ts';

/** What became of a request: what it gave, or why not, in words for the reader; empty where no server answered. */
export type Outcome<Result> =
  | { readonly type: 'done'; readonly done: Result }
  /** Somebody else wrote meanwhile: this is how the session stands. */
  | { readonly type: 'stale'; readonly session: BuilderStateFragment }
  | { readonly type: 'refused'; readonly code: string; readonly message: string };

/** The requests of a page about builder sessions. */
export type BuilderRequests = {
  readonly send: (input: SendBuilderMessageInput) => Promise<Outcome<Told>>;
  readonly update: (input: UpdateArtifactsInput) => Promise<Outcome<Told>>;
  readonly revert: (input: RevertArtifactInput) => Promise<Outcome<Told>>;
  readonly resolve: (input: ResolveArtifactHunksInput) => Promise<Outcome<Told>>;
  readonly reopen: (sessionId: string) => Promise<Outcome<Told>>;
  readonly stop: (turnId: string) => Promise<Outcome<null>>;
  readonly retry: (turnId: string) => Promise<Outcome<null>>;
  /** Artifacts as they were; null where they lie too far back to be read. */
  readonly artifactsAt: (place: RevisionPlace) => Promise<Artifacts | null>;
};

/** A revision of a session, and the newest one that is known. */
export type RevisionPlace = {
  readonly sessionId: string;
  readonly revision: number;
  readonly newest: number;
};

/** The requests to the server that the page is connected to. */
export function useBuilderRequests(): BuilderRequests {
  const client = useClient();
  return useMemo(() => createRequests(client), [client]);
}

function createRequests(client: Client): BuilderRequests {
  return {
    send: async (input) => {
      const { data, error } = await client.mutation(BuilderSendDocument, { input }).toPromise();
      return toldBy(data?.sendBuilderMessage, error);
    },
    update: async (input) => {
      const { data, error } = await client.mutation(BuilderUpdateDocument, { input }).toPromise();
      return toldBy(data?.updateArtifacts, error);
    },
    revert: async (input) => {
      const { data, error } = await client.mutation(BuilderRevertDocument, { input }).toPromise();
      return toldBy(data?.revertArtifact, error);
    },
    resolve: async (input) => {
      const { data, error } = await client.mutation(BuilderResolveDocument, { input }).toPromise();
      return toldBy(data?.resolveArtifactHunks, error);
    },
    reopen: async (sessionId) => {
      const { data, error } = await client
        .mutation(BuilderReopenDocument, { input: { sessionId } })
        .toPromise();
      return toldBy(data?.reopenBuilderSession, error);
    },
    stop: async (turnId) => {
      const { data, error } = await client.mutation(CopilotCancelDocument, { input: { turnId } }).toPromise();
      return refusalOf(data?.cancelTurn, error) ?? { type: 'done', done: null };
    },
    retry: async (turnId) => {
      const input = { turnId, clientMessageId: crypto.randomUUID() };
      const { data, error } = await client.mutation(CopilotRetryDocument, { input }).toPromise();
      return refusalOf(data?.retryTurn, error) ?? { type: 'done', done: null };
    },
    artifactsAt: (place) => artifactsAt(client, place),
  };
}

type Answer = {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly session?: BuilderStateFragment | { readonly id: string };
  readonly turn?: Told['turn'];
};

function toldBy(answer: Answer | undefined, error: CombinedError | undefined): Outcome<Told> {
  const session = answer?.session;
  if (answer?.__typename === 'StaleArtifactsError' && session && 'revision' in session) {
    return { type: 'stale', session };
  }
  const refused = refusalOf(answer, error);
  if (refused) return refused;
  if (!session || !('revision' in session)) return { type: 'refused', code: '', message: '' };
  return { type: 'done', done: { session, ...(answer.turn && { turn: answer.turn }) } };
}

function refusalOf(answer: Answer | undefined, error: CombinedError | undefined) {
  if (error) {
    return { type: 'refused', code: '', message: error.networkError ? '' : error.message } as const;
  }
  if (answer?.message === undefined) return null;
  return { type: 'refused', code: answer.code ?? '', message: answer.message } as const;
}

/** Revisions that are read at once. */
const MOST_REVISIONS = 100;

async function artifactsAt(
  client: Client,
  { sessionId, revision, newest }: RevisionPlace,
): Promise<Artifacts | null> {
  if (revision === 0) return { instructions: null, config: null, description: null };
  const first = newest - revision + 1;
  if (first > MOST_REVISIONS) return null;
  const { data } = await client.query(BuilderNewestRevisionsDocument, { id: sessionId, first }).toPromise();
  const nodes = data?.builderSession?.revisions.nodes ?? [];
  const found = nodes.find((each) => each.revision === revision);
  if (found) return artifactsFrom(found.artifacts);
  const newer = nodes[0]?.revision ?? newest;
  // Somebody wrote meanwhile, so that it lies further back.
  return newer > newest ? artifactsAt(client, { sessionId, revision, newest: newer }) : null;
}
