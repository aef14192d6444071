import type { DocumentInput } from '@urql/core';
import { useMemo } from 'react';
import { useClient, type Client, type OperationContext } from 'urql';
import {
  CopilotCancelDocument,
  CopilotDisputeDocument,
  CopilotEditDocument,
  CopilotRateDocument,
  CopilotRetryDocument,
  CopilotSendDocument,
  type CopilotRatingFragment,
  type RateMessageInput,
  type SendMessageInput,
} from '../../../gql/graphql.ts';
import { uploadContext } from '../../../lib/graphql/project.ts';
import { refusalOf, type MutationResult } from '../../../lib/graphql/refusal.ts';
import type { SentTurn } from './use-session.ts';

/**
 * The outcome of an action: what it returned, or why it failed, in words for the reader; empty if no server answered.
 */
export type Outcome<Result> = { readonly done: Result } | { readonly refused: string };

/** What the user can do in a conversation. Each request has an id of its own, so that repeating it changes nothing. */
export type CopilotActions = ReturnType<typeof createActions>;

/** {@link CopilotActions} on the server that the page is connected to. */
export function useCopilotActions(): CopilotActions {
  const client = useClient();
  return useMemo(() => createActions(client), [client]);
}

function createActions(client: Client) {
  const clientMessageId = () => crypto.randomUUID();
  /** `doneOf` reads a successful result. */
  const mutate = async <Data, Input, Result extends NonNullable<MutationResult>, Done>(
    document: DocumentInput<Data, { input: Input }>,
    input: Input,
    resultOf: (data: Data) => Result,
    doneOf: (result: Result) => Done,
    context?: Partial<OperationContext>,
  ): Promise<Outcome<Done>> => {
    const { data, error } = await client.mutation(document, { input }, context).toPromise();
    const result = data ? resultOf(data) : undefined;
    const refused = refusalOf(result, error);
    return refused !== null || result === undefined ? { refused: refused ?? '' } : { done: doneOf(result) };
  };
  const sent = (result: NonNullable<MutationResult>) => result as typeof result & SentTurn;
  return {
    send: (input: Omit<SendMessageInput, 'clientMessageId'>, id: string) =>
      // Pictures are sent as a form.
      mutate(
        CopilotSendDocument,
        { ...input, clientMessageId: id },
        (data) => data.sendMessage,
        sent,
        uploadContext(),
      ),
    edit: (messageId: string, content: string) => {
      const input = { messageId, content, clientMessageId: clientMessageId() };
      return mutate(CopilotEditDocument, input, (data) => data.editMessage, sent);
    },
    retry: (turnId: string) => {
      const input = { turnId, clientMessageId: clientMessageId() };
      return mutate(CopilotRetryDocument, input, (data) => data.retryTurn, sent);
    },
    dispute: (messageId: string, note: string) => {
      const input = { messageId, note: note === '' ? null : note, clientMessageId: clientMessageId() };
      return mutate(CopilotDisputeDocument, input, (data) => data.disputeMessage, sent);
    },
    stop: (turnId: string) =>
      mutate(
        CopilotCancelDocument,
        { turnId },
        (data) => data.cancelTurn,
        () => null,
      ),
    rate: (input: RateMessageInput) =>
      mutate(
        CopilotRateDocument,
        input,
        (data) => data.rateMessage,
        (result): CopilotRatingFragment | null =>
          'answer' in result ? (result.answer.rating ?? null) : null,
      ),
  };
}
