import { builder } from '../builder.ts';
import { ArtifactEvent } from '../builder-session/artifact-event.ts';
import { keyOf } from '../node-ids.ts';
import {
  ChartEvent,
  SourceFallbackEvent,
  TableEvent,
  ToolCallFinishedEvent,
  ToolCallStartedEvent,
} from './tool-events.ts';
import {
  StatusEvent,
  StepResetEvent,
  TokenEvent,
  TurnFinishedEvent,
  TurnStartedEvent,
  UsageEvent,
} from './turn-events.ts';

export const SessionEvent = builder.unionType('SessionEvent', {
  description: 'Everything that can happen in a session. Clients skip kinds that they do not know.',
  types: [
    TurnStartedEvent,
    StatusEvent,
    TokenEvent,
    ToolCallStartedEvent,
    ToolCallFinishedEvent,
    ChartEvent,
    TableEvent,
    ArtifactEvent,
    SourceFallbackEvent,
    StepResetEvent,
    UsageEvent,
    TurnFinishedEvent,
  ],
  resolveType: ({ type }) => type,
});

builder.subscriptionField('copilotEvents', (t) =>
  t.field({
    type: SessionEvent,
    description:
      'Events of a session after a cursor, those to come included. It stays open from turn to turn. A cursor beyond the end of the log is refused with the code CURSOR_AHEAD.',
    args: {
      sessionId: t.arg.id({ description: 'Id of a CopilotSession.' }),
      afterSeq: t.arg.int({
        required: false,
        defaultValue: 0,
        description: 'Number of the last event that the client has; 0: from the beginning.',
      }),
    },
    subscribe: (_root, { sessionId, afterSeq }, { services, viewer, signal }) =>
      services.copilot.follow(
        viewer,
        keyOf('CopilotSession', sessionId, ['sessionId']),
        afterSeq ?? 0,
        signal,
      ),
    resolve: (event) => event,
  }),
);
