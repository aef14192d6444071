/** The question in the query that GraphiQL opens with; it works on the demo chip without a model. */
const DEFAULT_QUERY = `# QPilot answers questions about quantum-chip calibration data. Run this to see the chips there are:
query Chips {
  viewer { name projectId }
  chips {
    chipId
    size
    summary {
      health { label score problems { qubit { label } parameter value unit rating } }
      parameters { title unit median min max count missing }
    }
  }
}

# Ask a question ...
mutation Ask {
  sendMessage(input: { content: "How healthy is the chip?", clientMessageId: "graphiql-1" }) {
    __typename
    ... on SendMessagePayload { session { id } turn { id } lastSeq }
    ... on UserError { code message }
  }
}

# ... and watch the answer arrive: put the id of the session into the variables, {"sessionId": "..."}.
subscription Watch($sessionId: ID!) {
  copilotEvents(sessionId: $sessionId) {
    __typename
    ... on SequencedEvent { seq }
    ... on TokenEvent { text }
    ... on ToolCallStartedEvent { label description }
    ... on ToolCallFinishedEvent { toolStatus durationMs preview }
    ... on ChartEvent { chart { title kind } }
    ... on TurnFinishedEvent { turnStatus message { text } error { message } }
  }
}
`;

/** What GraphiQL shows. Subscriptions go over WebSocket. */
export const graphiqlOptions = {
  title: 'QPilot',
  defaultQuery: DEFAULT_QUERY,
  subscriptionsProtocol: 'WS',
} as const;
