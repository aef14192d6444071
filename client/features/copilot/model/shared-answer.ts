import { partsOf, type TurnView } from '@qpilot/client/view';
import type { CopilotSharedAnswerQuery } from '../../../gql/graphql.ts';

/** An answer that is shared alone. */
export type SharedAnswer = NonNullable<CopilotSharedAnswerQuery['sharedAnswer']>;

/** The view of a shared answer: a turn of no conversation, whose steps lead to no record. */
export function turnOfShared(shared: SharedAnswer): TurnView {
  const { key, question, askedAt, answeredAt, numbers, freshness, assessment, model } = shared;
  const { strippedTables, unverifiedTable, status, notices } = shared;
  return {
    id: key,
    afterSeq: 0,
    parentId: null,
    siblingIds: [],
    disputedId: null,
    joinsId: null,
    question: { __typename: 'Message', id: key, text: question, createdAt: askedAt, images: [] },
    status,
    startedAt: null,
    finishedAt: answeredAt,
    activity: null,
    thoughts: [],
    steps: shared.steps.map(({ preview, ...step }) => ({
      ...step,
      description: preview ?? '',
      preview: '',
      startedAt: null,
      error: null,
      recordId: null,
    })),
    notices,
    parts: partsOf(shared.blocks.filter((block) => block.__typename !== 'MessageBlock')),
    answer: {
      __typename: 'Message',
      id: key,
      model: model ?? null,
      assessment: assessment ?? null,
      createdAt: answeredAt,
      strippedTables,
      unverifiedTable,
      freshness,
      numbers,
      rating: null,
    },
    usage: null,
    error: null,
    rounds: 0,
  };
}
