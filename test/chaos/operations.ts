/** What clients ask of servers. */
export const SEND = `mutation ($input: SendMessageInput!) { done: sendMessage(input: $input) { __typename
  ... on SendMessagePayload { session { id } turn { id } } ... on UserError { code message } } }`;
export const CREATE = `mutation ($input: CreateJobInput!) { done: createJob(input: $input) { __typename
  ... on CreateJobPayload { job { id } } ... on UserError { code message } } }`;
export const CANCEL = `mutation ($input: CancelTurnInput!) { cancelTurn(input: $input) { __typename } }`;
export const DELETE_CHAT = `mutation ($input: DeleteCopilotSessionInput!) {
  done: deleteCopilotSession(input: $input) { __typename ... on UserError { code message } } }`;
export const DELETE_JOB = `mutation ($input: DeleteJobInput!) {
  done: deleteJob(input: $input) { __typename ... on UserError { code message } } }`;
export const TURN = `query ($id: ID!) { ended: node(id: $id) { ... on Turn { status message { text } } } }`;
export const JOB = `query ($id: ID!) { ended: job(id: $id) { status } }`;

/** What a mutation answers. */
export type Done = {
  readonly __typename: string;
  readonly session?: { readonly id: string };
  readonly turn?: { readonly id: string };
  readonly job?: { readonly id: string };
  readonly code?: string;
  readonly message?: string;
};

/** How a turn or a job is. */
export type Ended = { readonly status: string; readonly message?: { readonly text: string } | null };

/** States in which neither has ended. */
export const OPEN: ReadonlySet<string> = new Set(['QUEUED', 'RUNNING', 'CREATED', 'PROCESSING']);
