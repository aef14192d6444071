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
import { chosenProject } from '../../../lib/graphql/project.ts';
import type { SentTurn } from './use-session.ts';

/** What became of an action: what it gave, or why not, in words for the reader. */
export type Outcome<Result> = { readonly done: Result } | { readonly refused: string };

/** What a reader can have done. Each is sent with an id of its own, so that a repeated request changes nothing. */
export type CopilotActions = {
  readonly send: (input: Omit<SendMessageInput, 'clientMessageId'>, id: string) => Promise<Outcome<SentTurn>>;
  readonly edit: (messageId: string, content: string) => Promise<Outcome<SentTurn>>;
  readonly retry: (turnId: string) => Promise<Outcome<SentTurn>>;
  readonly dispute: (messageId: string, note: string) => Promise<Outcome<SentTurn>>;
  readonly stop: (turnId: string) => Promise<Outcome<null>>;
  readonly rate: (input: RateMessageInput) => Promise<Outcome<CopilotRatingFragment | null>>;
};

/** The actions of the server that the page is connected to. */
export function useCopilotActions(): CopilotActions {
  const client = useClient();
  return useMemo(() => createActions(client), [client]);
}

function createActions(client: Client): CopilotActions {
  const clientMessageId = () => crypto.randomUUID();
  return {
    send: async (input, id) => {
      const variables = { input: { ...input, clientMessageId: id } };
      const { data, error } = await client.mutation(CopilotSendDocument, variables, asForm()).toPromise();
      return sentOf(data?.sendMessage, error);
    },
    edit: async (messageId, content) => {
      const input = { messageId, content, clientMessageId: clientMessageId() };
      const { data, error } = await client.mutation(CopilotEditDocument, { input }).toPromise();
      return sentOf(data?.editMessage, error);
    },
    retry: async (turnId) => {
      const input = { turnId, clientMessageId: clientMessageId() };
      const { data, error } = await client.mutation(CopilotRetryDocument, { input }).toPromise();
      return sentOf(data?.retryTurn, error);
    },
    dispute: async (messageId, note) => {
      const input = { messageId, note: note === '' ? null : note, clientMessageId: clientMessageId() };
      const { data, error } = await client.mutation(CopilotDisputeDocument, { input }).toPromise();
      return sentOf(data?.disputeMessage, error);
    },
    stop: async (turnId) => {
      const { data, error } = await client.mutation(CopilotCancelDocument, { input: { turnId } }).toPromise();
      const refused = data && 'message' in data.cancelTurn ? data.cancelTurn.message : undefined;
      return refused === undefined && !error ? { done: null } : { refused: refused ?? wordsOf(error) };
    },
    rate: async (input) => {
      const { data, error } = await client.mutation(CopilotRateDocument, { input }).toPromise();
      const result = data?.rateMessage;
      if (result && 'answer' in result) return { done: result.answer.rating ?? null };
      return { refused: result && 'message' in result ? result.message : wordsOf(error) };
    },
  };
}

/** Pictures are sent as a form, which needs a header that other sites cannot make a browser send. */
function asForm(): Partial<OperationContext> {
  const projectId = chosenProject();
  return {
    fetchOptions: {
      headers: {
        'graphql-require-preflight': '1',
        ...(projectId !== null && { 'x-project-id': projectId }),
      },
    },
  };
}

type Failure = { readonly message: string; readonly networkError?: Error | undefined } | undefined;
type SendResult = SentTurn | { readonly message: string } | { readonly __typename: string } | undefined;

function sentOf(result: SendResult, error: Failure): Outcome<SentTurn> {
  if (result && 'turn' in result) return { done: result };
  return { refused: result && 'message' in result ? result.message : wordsOf(error) };
}

/** Empty where no server answered; the caller has words for that. */
const wordsOf = (error: Failure): string => (error && !error.networkError ? error.message : '');
