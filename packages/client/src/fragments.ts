/** What this package and the web client ask of an event, and of the objects in it. */

/** A chart, with what draws it. */
export const CHART = /* GraphQL */ `
  fragment CopilotChart on Chart {
    __typename
    id
    callId
    title
    kind
    data
    layout
  }
`;

const TABLE = /* GraphQL */ `
  fragment CopilotTable on DataTable {
    __typename
    id
    callId
    title
    rowCount
    rows
    columns {
      __typename
      key
      label
      unit
      unitKey
      format
    }
  }
`;

const QUESTION = /* GraphQL */ `
  fragment CopilotQuestion on Message {
    __typename
    id
    text
    createdAt
    images {
      __typename
      url
      width
      height
    }
  }
`;

const ANSWER = /* GraphQL */ `
  fragment CopilotFreshness on Freshness {
    __typename
    source
    newestAt
    oldestAt
    isStale
    staleAfterSeconds
  }

  fragment CopilotRating on MessageRating {
    __typename
    rating
    kind
    comment
    correctedAnswer
  }

  fragment CopilotNumber on GroundedNumber {
    __typename
    offset
    text
    unit
    status
    callId
    recordId
    measuredAt
  }

  fragment CopilotAnswer on Message {
    __typename
    id
    model
    assessment
    createdAt
    strippedTables
    unverifiedTable
    freshness {
      ...CopilotFreshness
    }
    numbers {
      ...CopilotNumber
    }
    rating {
      ...CopilotRating
    }
    blocks {
      __typename
      ... on TextBlock {
        text
      }
      ... on ChartBlock {
        chart {
          ...CopilotChart
        }
      }
      ... on MessageBlock {
        message {
          ...CopilotQuestion
        }
      }
      ... on TableBlock {
        table {
          ...CopilotTable
        }
      }
    }
  }
`;

const TURN = /* GraphQL */ `
  fragment CopilotError on TurnError {
    __typename
    code
    message
    retryable
  }

  fragment CopilotUsage on Usage {
    __typename
    model
    inputTokens
    outputTokens
    cachedTokens
    totalTokens
    costUsd
  }

  fragment CopilotTurnPlace on Turn {
    __typename
    id
    afterSeq
    startedAt
    parent {
      __typename
      id
    }
    siblings {
      __typename
      id
    }
    disputed {
      __typename
      id
    }
    joins {
      __typename
      id
    }
    question {
      ...CopilotQuestion
    }
  }
`;

const EVENT = /* GraphQL */ `
  fragment CopilotEvent on SessionEvent {
    __typename
    ... on SequencedEvent {
      seq
      createdAt
      turnId
    }
    ... on TurnStartedEvent {
      turn {
        ...CopilotTurnPlace
      }
    }
    ... on MessageJoinedEvent {
      joined: message {
        ...CopilotQuestion
      }
    }
    ... on StatusEvent {
      phase
      text
      turn {
        ...CopilotTurnPlace
      }
    }
    ... on TokenEvent {
      text
      offset
    }
    ... on ThinkingEvent {
      thought
      text
      offset
      thoughtMs
    }
    ... on ToolCallStartedEvent {
      callId
      tool
      label
      description
    }
    ... on ToolCallFinishedEvent {
      callId
      toolStatus
      durationMs
      dataSource
      preview
      resultId
      error {
        ...CopilotError
      }
    }
    ... on ToolApprovalEvent {
      callId
      toolCallId
      arguments
      approval {
        __typename
        state
        server
        serverTool
        until
      }
    }
    ... on ChartEvent {
      chart {
        ...CopilotChart
      }
    }
    ... on TableEvent {
      table {
        ...CopilotTable
      }
    }
    ... on SourceFallbackEvent {
      from
      to
      fallbackReason: reason
      text
    }
    ... on StepResetEvent {
      keepUntilOffset
      droppedChartIds
      resetReason: reason
    }
    ... on UsageEvent {
      usageSoFar: usage {
        ...CopilotUsage
      }
    }
    ... on TurnFinishedEvent {
      turnStatus
      rounds
      answer: message {
        ...CopilotAnswer
      }
      usage {
        ...CopilotUsage
      }
      error {
        ...CopilotError
      }
      turn {
        __typename
        startedAt
        finishedAt
      }
    }
  }
`;

/** All of them, for one document. */
export const FRAGMENTS = [EVENT, TURN, ANSWER, QUESTION, TABLE, CHART].join('');
