/**
 * What a page shows of a builder session: its conversation as the copilot's pages have it, and next to it the
 * state of the artifacts. It is made from the events of the session (`apply-builder-event.ts`). Pure; it
 * is independent of the form, of React and of connections.
 */
import { activeTurnOf, EMPTY_SESSION, type SessionView, type TurnView } from '@qpilot/client/view';
import type { Artifacts } from '../../../../src/domain/artifacts/artifacts.ts';
import type { BuilderEventsSubscription, BuilderStateFragment } from '../../../gql/graphql.ts';

/** An event of a builder session. */
export type BuilderEvent = BuilderEventsSubscription['builderEvents'];

/** The server's event about a tool call on an artifact. */
export type ArtifactEvent = Extract<BuilderEvent, { __typename: 'ArtifactEvent' }>;

/** What a tool did to an artifact, or why it did nothing. */
export type ArtifactEdit = Pick<
  ArtifactEvent,
  'callId' | 'tool' | 'artifact' | 'outcome' | 'revisionBefore' | 'revisionAfter' | 'isProposal'
> & {
  readonly note: string | null;
  /** Length of the answer before it, in UTF-16 code units. */
  readonly offset: number;
};

/** The artifacts as far as they are known from events. */
export type ArtifactState = {
  readonly artifacts: Artifacts;
  readonly revision: number;
  /** The newest revision in the events; above {@link revision} if they do not contain all of it. */
  readonly newest: number;
};

/** A builder session. */
export type BuilderView = {
  readonly conversation: SessionView;
  /** By the id of the turn, in the order of the calls. */
  readonly edits: Readonly<Record<string, readonly ArtifactEdit[]>>;
  /** Messages that a turn summarised before it answered, by the id of the turn. */
  readonly summarised: Readonly<Record<string, number>>;
  readonly state: ArtifactState;
  /** What was read when the session was opened: its newest event, and the turn that was being written then. */
  readonly opened: { readonly lastSeq: number; readonly activeTurnId: string | null };
};

/** The view of a session before its first event, with the artifacts as they were read. */
export function beginView(
  stored: Pick<BuilderStateFragment, 'artifacts' | 'revision' | 'lastSeq' | 'activeTurn'>,
): BuilderView {
  const opened = { lastSeq: stored.lastSeq, activeTurnId: stored.activeTurn?.id ?? null };
  return { conversation: EMPTY_SESSION, edits: {}, summarised: {}, state: stateOf(stored), opened };
}

/**
 * The view of a session that the page itself began: before its first message there was nothing that could be missing.
 */
export const beginNewView = (stored: Pick<BuilderStateFragment, 'artifacts' | 'revision'>): BuilderView =>
  beginView({ ...stored, lastSeq: 0, activeTurn: null });

/** Whether events of before the session was opened are still missing, so that the conversation is not whole yet. */
export const isCatchingUp = ({ conversation, opened }: BuilderView): boolean =>
  conversation.seq < opened.lastSeq;

/** Takes over what was read, unless the events know newer artifacts already. */
export function withStored(
  view: BuilderView,
  stored: Pick<BuilderStateFragment, 'artifacts' | 'revision'>,
): BuilderView {
  if (stored.revision < view.state.revision) return view;
  const state = stateOf(stored);
  return { ...view, state: { ...state, newest: Math.max(state.newest, view.state.newest) } };
}

/** Whether the artifacts must be read, because the events do not contain them. */
export const isBehind = ({ state: { revision, newest } }: BuilderView): boolean => newest > revision;

/**
 * The turn that keeps everybody else from writing; null where nobody is kept. While the events of earlier turns come
 * in, one of them looks as if it were running: then it is the turn that was read.
 */
export function writingTurn(view: BuilderView): TurnView | null {
  const { conversation, opened } = view;
  if (!isCatchingUp(view)) return activeTurnOf(conversation);
  return opened.activeTurnId === null ? null : (conversation.turns[opened.activeTurnId] ?? null);
}

/** Artifacts as the server sends them. */
export const artifactsFrom = ({
  instructions,
  config,
  description,
}: BuilderStateFragment['artifacts']): Artifacts => ({
  instructions: instructions ?? null,
  config: (config as Artifacts['config'] | undefined) ?? null,
  description: description ?? null,
});

const stateOf = ({
  artifacts,
  revision,
}: Pick<BuilderStateFragment, 'artifacts' | 'revision'>): ArtifactState => ({
  artifacts: artifactsFrom(artifacts),
  revision,
  newest: revision,
});
