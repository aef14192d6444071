import { ArtifactEvent } from '../builder-session/artifact-event.ts';
import { builder } from '../builder.ts';
import { keyOf } from '../node-ids.ts';
import { afterSeqArg } from './sequenced-event.ts';
import * as toolEvents from './tool-events.ts';
import * as turnEvents from './turn-events.ts';

export const SessionEvent = builder.unionType('SessionEvent', {
  description: 'Everything that can happen in a session. Clients should ignore unknown members.',
  types: [...Object.values(turnEvents), ...Object.values(toolEvents), ArtifactEvent],
  resolveType: ({ type }) => type,
});

builder.subscriptionField('copilotEvents', (t) =>
  t.field({
    rule: 'viewer: shared',
    type: SessionEvent,
    description:
      'Past and future events of a session after a cursor. The stream stays open across turns. A cursor past the end of the log is refused with the code CURSOR_AHEAD.',
    args: { sessionId: t.arg.id({ description: 'Id of a CopilotSession.' }), ...afterSeqArg() },
    subscribe: (_root, { sessionId, afterSeq }, { services, viewer, signal, endUnless }) => {
      const key = keyOf('CopilotSession', sessionId, ['sessionId']);
      endUnless(() => services.copilot.assertReadable(viewer, key));
      return services.copilot.follow(viewer, key, afterSeq ?? 0, signal);
    },
    resolve: (event) => event,
  }),
);
