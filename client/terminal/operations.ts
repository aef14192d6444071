/**
 * The operations of this client. Its types are generated from them (`npm run codegen`) and are needed by the compiler
 * only.
 */

/** Sends a question; the answer is followed by {@link EVENTS}. */
export const ASK = /* GraphQL */ `
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
          }
        }
        lastSeq
      }
      ... on UserError {
        code
        message
      }
    }
  }
`;

/** Stops a turn. */
export const CANCEL = /* GraphQL */ `
  mutation CancelAsk($input: CancelTurnInput!) {
    cancelTurn(input: $input) {
      __typename
      ... on UserError {
        code
        message
      }
    }
  }
`;

/** Everything that happens in a session. */
export const EVENTS = /* GraphQL */ `
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
