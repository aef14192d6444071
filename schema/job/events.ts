import { builder } from '../builder.ts';
import { SessionEvent } from '../copilot/events.ts';
import { keyOf } from '../node-ids.ts';
import { Job } from '../refs.ts';

builder.subscriptionFields((t) => ({
  jobEvents: t.field({
    type: SessionEvent,
    description:
      'Events of a job after a cursor, those to come included, as `copilotEvents` gives them. Each phase is a turn.',
    args: {
      jobId: t.arg.id({ description: 'Id of a Job.' }),
      afterSeq: t.arg.int({
        required: false,
        defaultValue: 0,
        description: 'Number of the last event that the client has; 0: from the beginning.',
      }),
    },
    subscribe: (_root, { jobId, afterSeq }, { services, viewer, signal }) =>
      services.jobs.follow(viewer, keyOf('Job', jobId, ['jobId']), afterSeq ?? 0, signal),
    resolve: (event) => event,
  }),
  jobUpdated: t.field({
    type: Job,
    description: "Any of the viewer's jobs in the project whenever it begins, changes its status, or ends.",
    subscribe: (_root, _args, { services, viewer, signal }) => services.jobs.changes(viewer, signal),
    resolve: (job) => job,
  }),
}));
