/**
 * The operations of this package. Their types are generated from them (`npm run codegen`) and are needed by the
 * compiler only.
 */
import type {
  AskMutation,
  AskMutationVariables,
  CancelMutation,
  CancelMutationVariables,
  UploadMutation,
  UploadMutationVariables,
} from './gql/graphql.ts';
import { operation } from './operation.ts';

export const ASK = operation<AskMutation, AskMutationVariables>(/* GraphQL */ `
  mutation Ask($input: SendMessageInput!) {
    sendMessage(input: $input) {
      __typename
      ... on SendMessagePayload {
        session {
          id
        }
        turn {
          id
          joins {
            id
            afterSeq
          }
        }
        lastSeq
      }
      ... on UserError {
        code
        message
      }
      ... on InvalidInputError {
        issues {
          path
          message
        }
      }
      ... on RateLimitedError {
        retryAfterMs
      }
      ... on SessionBusyError {
        turn {
          id
        }
      }
    }
  }
`);

export const CANCEL = operation<CancelMutation, CancelMutationVariables>(/* GraphQL */ `
  mutation Cancel($input: CancelTurnInput!) {
    cancelTurn(input: $input) {
      __typename
      ... on UserError {
        code
        message
      }
    }
  }
`);

export const UPLOAD = operation<UploadMutation, UploadMutationVariables>(/* GraphQL */ `
  mutation Upload($input: CreateUploadInput!) {
    createUpload(input: $input) {
      __typename
      ... on CreateUploadPayload {
        upload {
          id
          rowCount
          columns {
            name
            type
          }
        }
      }
      ... on UserError {
        code
        message
      }
      ... on InvalidInputError {
        issues {
          path
          message
        }
      }
      ... on RateLimitedError {
        retryAfterMs
      }
    }
  }
`);
