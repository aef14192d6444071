import type { RateMessageInput } from '../../../gql/graphql.ts';

/** What can be done with a turn. */
export type TurnActions = {
  /** Whether the reader may ask here; people who may only read get no controls that change something. */
  readonly mayWrite: boolean;
  readonly edit: (messageId: string, content: string) => Promise<boolean>;
  readonly retry: (turnId: string) => void;
  readonly dispute: (messageId: string, note: string) => void;
  readonly showBranch: (turnId: string) => void;
  readonly rate: (input: RateMessageInput) => void;
};
