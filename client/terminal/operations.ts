import type { Operation } from '@qpilot/client';
import type { AskEventsSubscription, AskEventsSubscriptionVariables } from '../gql/graphql.ts';

/** An event of a session, as this client asks for it. */
export type AskEvent = AskEventsSubscription['copilotEvents'];

/**
 * Everything that happens in a session. The types are generated from it (`npm run codegen`) and are needed by the
 * compiler only.
 */
export const EVENTS: Operation<AskEventsSubscription, AskEventsSubscriptionVariables> = /* GraphQL */ `
  subscription AskEvents($sessionId: ID!, $afterSeq: Int) {
    copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) {
      __typename
      ... on SequencedEvent {
        seq
        createdAt
        turnId
      }
      ... on MessageJoinedEvent {
        joined: message {
          text
        }
      }
      ... on StatusEvent {
        phase
        statusText: text
      }
      ... on TokenEvent {
        text
        offset
      }
      ... on ThinkingEvent {
        thought
        thinkingText: text
        thoughtMs
      }
      ... on ToolCallStartedEvent {
        callId
        tool
        label
        description
        arguments
      }
      ... on ToolCallFinishedEvent {
        callId
        tool
        toolStatus
        durationMs
        dataSource
        preview
        error {
          message
        }
      }
      ... on ToolApprovalEvent {
        arguments
        approval {
          state
          server
          serverTool
          until
        }
      }
      ... on ChartEvent {
        chart {
          id
          title
          kind
          data
        }
      }
      ... on TableEvent {
        table {
          id
          title
          rowCount
          rows
          columns {
            key
            label
            unit
            unitKey
            format
          }
        }
      }
      ... on SourceFallbackEvent {
        from
        to
        fallbackReason: reason
        fallbackText: text
      }
      ... on StepResetEvent {
        keepUntilOffset
        reason
      }
      ... on TurnFinishedEvent {
        status: turnStatus
        rounds
        message {
          model
          assessment
          unverifiedTable
          freshness {
            source
            newestAt
            oldestAt
            isStale
          }
        }
        usage {
          inputTokens
          outputTokens
          cachedTokens
          totalTokens
          costUsd
          estimated
        }
        error {
          code
          message
          retryable
        }
      }
    }
  }
`;
