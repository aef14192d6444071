import { builder } from '../builder.ts';
import { SessionEvent } from '../copilot/events.ts';
import { keyOf } from '../node-ids.ts';

builder.subscriptionField('builderEvents', (t) =>
  t.field({
    type: SessionEvent,
    description:
      'Events of a builder session after a cursor, those to come included, as `copilotEvents` gives them.',
    args: {
      sessionId: t.arg.id({ description: 'Id of a BuilderSession.' }),
      afterSeq: t.arg.int({
        required: false,
        defaultValue: 0,
        description: 'Number of the last event that the client has; 0: from the beginning.',
      }),
    },
    subscribe: (_root, { sessionId, afterSeq }, { services, viewer, signal }) =>
      services.copilot.follow(
        viewer,
        keyOf('BuilderSession', sessionId, ['sessionId']),
        afterSeq ?? 0,
        signal,
      ),
    resolve: (event) => event,
  }),
);
