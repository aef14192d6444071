import { useMemo } from 'react';
import type { DocumentInput } from '@urql/core';
import { useClient, type Client } from 'urql';
import type { Artifacts } from '../../../../src/domain/artifacts/artifacts.ts';
import {
  BuilderNewestRevisionsDocument,
  BuilderReopenDocument,
  BuilderResolveDocument,
  BuilderRevertDocument,
  BuilderSendDocument,
  BuilderUpdateDocument,
  CopilotCancelDocument,
  BuilderRetryDocument,
  type BuilderDiffFragment,
  type BuilderStateFragment,
  type ResolveArtifactHunksInput,
  type RevertArtifactInput,
  type SendBuilderMessageInput,
  type UpdateArtifactsInput,
} from '../../../gql/graphql.ts';
import { refusalOf, type MutationResult } from '../../../lib/graphql/refusal.ts';
import { artifactsFrom } from '../model/builder-view.ts';
import type { SessionUpdate } from './use-builder-session.ts';

/** The outcome of a request. */
export type Outcome =
  /** Null if the mutation returns no session. */
  | { readonly type: 'done'; readonly update: SessionUpdate | null }
  /** Somebody else has written in the meantime; `session` is the current state. */
  | { readonly type: 'stale'; readonly session: BuilderStateFragment }
  /** Undoing would take later changes along: from what is there now to what would be there. */
  | { readonly type: 'overlap'; readonly overlaps: BuilderDiffFragment }
  /** In words for the reader; empty if no server answered. */
  | { readonly type: 'refused'; readonly message: string };

/** A revision of a session, and the newest one that is known. */
export type RevisionPlace = {
  readonly sessionId: string;
  readonly revision: number;
  readonly newest: number;
};

/** The requests about builder sessions. */
export type BuilderRequests = ReturnType<typeof createRequests>;

/** {@link BuilderRequests} to the server that the page is connected to. */
export function useBuilderRequests(): BuilderRequests {
  const client = useClient();
  return useMemo(() => createRequests(client), [client]);
}

function createRequests(client: Client) {
  const mutate = async <Data, Input>(
    document: DocumentInput<Data, { input: Input }>,
    input: Input,
    resultOf: (data: Data) => MutationResult,
  ): Promise<Outcome> => {
    const { data, error } = await client.mutation(document, { input }).toPromise();
    const result = data ? resultOf(data) : undefined;
    const { session = null, turn } = (result ?? {}) as Partial<SessionUpdate>;
    if (result?.__typename === 'StaleArtifactsError' && session) return { type: 'stale', session };
    if (result?.__typename === 'UndoOverlapError' && 'overlaps' in result) {
      return { type: 'overlap', overlaps: result.overlaps as BuilderDiffFragment };
    }
    const refused = refusalOf(result, error);
    if (refused !== null) return { type: 'refused', message: refused };
    return {
      type: 'done',
      update: session && 'revision' in session ? { session, ...(turn && { turn }) } : null,
    };
  };
  return {
    send: (input: SendBuilderMessageInput) =>
      mutate(BuilderSendDocument, input, (data) => data.sendBuilderMessage),
    update: (input: UpdateArtifactsInput) =>
      mutate(BuilderUpdateDocument, input, (data) => data.updateArtifacts),
    revert: (input: RevertArtifactInput) =>
      mutate(BuilderRevertDocument, input, (data) => data.revertArtifact),
    resolve: (input: ResolveArtifactHunksInput) =>
      mutate(BuilderResolveDocument, input, (data) => data.resolveArtifactHunks),
    reopen: (sessionId: string) =>
      mutate(BuilderReopenDocument, { sessionId }, (data) => data.reopenBuilderSession),
    stop: (turnId: string) => mutate(CopilotCancelDocument, { turnId }, (data) => data.cancelTurn),
    retry: (turnId: string) =>
      mutate(
        BuilderRetryDocument,
        { turnId, clientMessageId: crypto.randomUUID() },
        (data) => data.retryBuilderTurn,
      ),
    /** Artifacts at a revision; null if it lies too far back to be read. */
    artifactsAt: (place: RevisionPlace) => artifactsAt(client, place),
  };
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
  // Somebody has written in the meantime, so it lies further back.
  return newer > newest ? artifactsAt(client, { sessionId, revision, newest: newer }) : null;
}
