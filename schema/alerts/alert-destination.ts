/** Where messages about alerts, and about turns and jobs that ended, go. */
import {
  targetWords,
  type Delivery,
  type DeliveryAbout,
  type DeliveryState,
  type DestinationEvent,
  type DestinationKind,
  type DestinationWithTarget,
  type QuietHours as DomainQuietHours,
} from '../../src/domain/alerts/destination.ts';
import { isEndedJob } from '../../src/domain/alerts/ended-work.ts';
import type { SavedDestination } from '../../src/services/alerts/destinations.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { resultOf } from '../errors.ts';
import { encodeNodeId } from '../node-ids.ts';
import { PAGE_READ } from '../read-costs.ts';

const AlertDestinationKindEnum = enumOf<DestinationKind>('AlertDestinationKind', 'What receives messages.', {
  SLACK: 'An incoming webhook of Slack.',
  TEAMS: 'A workflow of Microsoft Teams that takes Adaptive Cards.',
  MATTERMOST: 'An incoming webhook of Mattermost.',
  WEBHOOK: 'JSON of our own, signed as Standard Webhooks are.',
  EMAIL: 'Addresses of mail.',
});

const AlertDeliveryStateEnum = enumOf<DeliveryState>('AlertDeliveryState', 'How far a message came.', {
  WAITING: 'It waits for its next attempt.',
  SENT: 'The receiver took it.',
  FAILED: 'It was refused, or given up after eight attempts, or its destination was switched off.',
});

const AlertDeliveryAboutEnum = enumOf<DeliveryAbout>('AlertDeliveryAbout', 'What a message says.', {
  OPENED: 'That alerts opened.',
  RECOVERED: 'That alerts recovered.',
  TURN_ENDED: 'That a turn ended.',
  JOB_ENDED: 'That a job ended, or awaits a review.',
});

const AlertDestinationEventEnum = enumOf<DestinationEvent>(
  'AlertDestinationEvent',
  'Events that a destination can subscribe to, in addition to alerts.',
  {
    TURN_ENDED:
      'Each turn of a conversation, also with the builder, that ended, in any status. For a WEBHOOK alone; phases of jobs are left to JOB_ENDED.',
    JOB_ENDED: 'Each run of a job that ended, or awaits a review.',
  },
);

const QuietHours = builder.objectRef<DomainQuietHours>('QuietHours').implement({
  description:
    'Hours of each day in which messages wait; then one has all alerts that are still open, and one those that recovered.',
  fields: (t) => ({
    from: t.exposeString('from', { description: 'Begin, such as `22:00`.' }),
    to: t.exposeString('to', {
      description: 'End, such as `07:00`; before `from` it is that of the next day.',
    }),
    timeZone: t.exposeString('timeZone', { description: 'IANA name.' }),
    weekends: t.exposeBoolean('weekends', {
      description: 'Whether all of Saturday and Sunday is quiet, too.',
    }),
  }),
});

const AlertDelivery = builder.objectRef<Delivery>('AlertDelivery').implement({
  description:
    'A message: one for all alerts that were due at once, one for each turn or job that ended. Those about alerts are kept for a year, others for 30 days.',
  fields: (t) => ({
    deliveryId: t.exposeID('id', { description: 'Its id, which receivers see, too.' }),
    about: t.expose('about', { type: AlertDeliveryAboutEnum, description: 'What it is about.' }),
    state: t.expose('state', { type: AlertDeliveryStateEnum, description: 'How far it came.' }),
    alertCount: t.exposeInt('alertCount', {
      description: 'Alerts in it; 0 where it is about a turn or job.',
    }),
    turnId: t.id({
      nullable: true,
      description: 'The `id` of the turn that ended; null for others. Its owner may read it.',
      resolve: ({ ended }) =>
        ended === null || isEndedJob(ended) ? null : encodeNodeId('Turn', ended.turnId),
    }),
    jobId: t.id({
      nullable: true,
      description: 'The `id` of the job that ended; null for others. Its owner may read it.',
      resolve: ({ ended }) => (ended !== null && isEndedJob(ended) ? encodeNodeId('Job', ended.jobId) : null),
    }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the last attempt failed; null where it did not.',
    }),
    responseCode: t.exposeInt('responseCode', {
      nullable: true,
      description: 'What the receiver answered last, of HTTP or SMTP; null where it did not answer.',
    }),
    nextAt: t.expose('nextAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when on it is tried again, outside of quiet hours; null where it is not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    sentAt: t.expose('sentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the receiver took it; null for not yet.',
    }),
  }),
});

const AlertDestination = builder.objectRef<DestinationWithTarget>('AlertDestination').implement({
  rule: 'viewer: project',
  description:
    'Where messages about alerts go, and about turns and jobs that ended. Addresses of webhooks are secret: only their machine is shown.',
  fields: (t) => ({
    destinationId: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'What people call it.' }),
    kind: t.expose('kind', { type: AlertDestinationKindEnum, description: 'What receives messages.' }),
    target: t.string({
      description: 'The machine of the address, or the addresses of mail.',
      resolve: ({ target }) => targetWords(target),
    }),
    quietHours: t.expose('quiet', {
      type: QuietHours,
      nullable: true,
      description: 'In which messages wait; null for none.',
    }),
    sendsRecoveries: t.boolean({
      description:
        'Whether it also gets a message when an alert recovers, if it got one when the alert opened.',
      resolve: ({ recoveriesSince }) => recoveriesSince !== null,
    }),
    events: t.field({
      type: [AlertDestinationEventEnum],
      description: 'Events it subscribes to. Alerts come from the rules that name it.',
      resolve: ({ events }) => [...events],
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when no attempt arrived; null where the last one did.',
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it was switched off: it answered 410, or nothing arrived for 24 hours. Saving it, or a test that arrives, switches it on. Null: it is on.',
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why it was switched off; null where it is on.',
    }),
    deliveries: t.field({
      type: [AlertDelivery],
      description: 'The last messages, the newest first.',
      complexity: PAGE_READ,
      args: {
        first: t.arg.int({ required: false, defaultValue: 10, description: 'Number of messages, 1 to 100.' }),
        state: t.arg({ type: AlertDeliveryStateEnum, required: false, description: 'Only these.' }),
      },
      resolve: async (destination, { first, state }, { services }) => [
        ...(await services.alertDestinations.deliveries(destination, {
          first: first ?? 10,
          state: state ?? null,
        })),
      ],
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

const QuietHoursInput = builder.inputType('QuietHoursInput', {
  description: 'Hours of each day in which messages wait.',
  fields: (t) => ({
    from: t.string({ description: 'Begin, such as `22:00`.' }),
    to: t.string({ description: 'End, such as `07:00`.' }),
    timeZone: t.string({ description: 'IANA name, such as `Asia/Tokyo`.' }),
    weekends: t.boolean({
      required: false,
      defaultValue: false,
      description: 'Whether all of Saturday and Sunday is quiet, too.',
    }),
  }),
});

const SaveAlertDestinationInput = builder.inputType('SaveAlertDestinationInput', {
  description: 'A destination as it is to be.',
  fields: (t) => ({
    destinationId: t.id({
      required: false,
      description: 'The `destinationId` of the one to replace; omit it for a new one.',
    }),
    name: t.string({ description: 'What people call it, 1 to 80 characters.' }),
    kind: t.field({ type: AlertDestinationKindEnum, description: 'What receives messages.' }),
    url: t.string({
      required: false,
      description:
        'Of a webhook: http or https, outside of private networks unless an operator allowed the machine. Omit it to keep the one there is.',
    }),
    addresses: t.stringList({
      required: false,
      description: 'Of mail, at most 20. Omit them to keep those there are.',
    }),
    quietHours: t.field({
      type: QuietHoursInput,
      required: false,
      description: 'In which messages wait; omit it for none.',
    }),
    sendsRecoveries: t.boolean({
      required: false,
      defaultValue: true,
      description:
        'Whether it also gets a message when an alert recovers, if it got one when the alert opened.',
    }),
    events: t.field({
      type: [AlertDestinationEventEnum],
      required: false,
      description: 'Events to subscribe to. If omitted, the current ones stay; a new destination has none.',
    }),
  }),
});

const SaveAlertDestinationPayload = builder
  .objectRef<SavedDestination>('SaveAlertDestinationPayload')
  .implement({
    description: 'The destination was saved.',
    fields: (t) => ({
      destination: t.field({
        type: AlertDestination,
        description: 'The destination.',
        resolve: ({ destination }) => destination,
      }),
      secret: t.exposeString('secret', {
        nullable: true,
        description:
          'What signs messages of a WEBHOOK that was made now, to be entered at the receiver; it is shown this once. Else null.',
      }),
    }),
  });

const DestinationInput = builder.inputType('AlertDestinationInput', {
  description: 'A destination.',
  fields: (t) => ({ destinationId: t.id({ description: 'The `destinationId` of an AlertDestination.' }) }),
});

const DeleteAlertDestinationPayload = builder
  .objectRef<{ readonly deletedDestinationId: string }>('DeleteAlertDestinationPayload')
  .implement({
    description: 'The destination is gone, with its messages.',
    fields: (t) => ({
      deletedDestinationId: t.exposeID('deletedDestinationId', { description: 'Its former id.' }),
    }),
  });

const TestAlertDestinationPayload = builder
  .objectRef<{ readonly problem: string | null }>('TestAlertDestinationPayload')
  .implement({
    description: 'A message was tried.',
    fields: (t) => ({
      problem: t.exposeString('problem', {
        nullable: true,
        description: 'Why it did not arrive; null where the receiver took it.',
      }),
    }),
  });

const AlertDeliveryInput = builder.inputType('AlertDeliveryInput', {
  description: 'A message.',
  fields: (t) => ({ deliveryId: t.id({ description: 'The `deliveryId` of an AlertDelivery.' }) }),
});

const SendAlertDeliveryAgainPayload = builder
  .objectRef<{ readonly delivery: Delivery }>('SendAlertDeliveryAgainPayload')
  .implement({
    description: 'The message waits to be sent.',
    fields: (t) => ({
      delivery: t.field({
        type: AlertDelivery,
        description: 'The message.',
        resolve: ({ delivery }) => delivery,
      }),
    }),
  });

builder.queryField('alertDestinations', (t) =>
  t.field({
    rule: 'viewer: project',
    type: [AlertDestination],
    description: 'Destinations of the project as they were made; at most 20.',
    resolve: async (_root, _args, { services, viewer }) => [
      ...(await services.alertDestinations.list(viewer)),
    ],
  }),
);

builder.mutationFields((t) => ({
  saveAlertDestination: t.field({
    rule: 'admin: project',
    audit: 'ADMINISTER',
    type: resultOf(SaveAlertDestinationPayload, ['INVALID_INPUT', 'NOT_FOUND', 'FORBIDDEN']),
    description: 'Makes or replaces a destination, which switches it on if it was off.',
    args: { input: t.arg({ type: SaveAlertDestinationInput, description: 'The destination.' }) },
    resolve: (_root, { input: { quietHours, sendsRecoveries, events, ...input } }, { services, viewer }) =>
      services.alertDestinations.save(viewer, {
        ...input,
        events: events ? [...events] : null,
        sendsRecoveries: sendsRecoveries ?? true,
        quietHours: quietHours ? { ...quietHours, weekends: quietHours.weekends ?? false } : null,
      }),
  }),
  deleteAlertDestination: t.field({
    rule: 'admin: project',
    audit: 'DELETE',
    type: resultOf(DeleteAlertDestinationPayload, ['FORBIDDEN']),
    description: 'Deletes a destination; rules forget it. Doing so again changes nothing.',
    args: { input: t.arg({ type: DestinationInput, description: 'The destination.' }) },
    resolve: async (_root, { input: { destinationId } }, { services, viewer }) => {
      await services.alertDestinations.remove(viewer, destinationId);
      return { deletedDestinationId: destinationId };
    },
  }),
  testAlertDestination: t.field({
    rule: 'admin: project',
    audit: 'ADMINISTER',
    type: resultOf(TestAlertDestinationPayload, ['NOT_FOUND', 'FORBIDDEN']),
    description:
      'Sends a message without alerts now, also in quiet hours, and says whether it arrived; if it did, the destination is switched on.',
    args: { input: t.arg({ type: DestinationInput, description: 'The destination.' }) },
    resolve: async (_root, { input: { destinationId } }, { services, viewer, signal }) => ({
      problem: await services.alertDestinations.test(viewer, destinationId, signal),
    }),
  }),
  sendAlertDeliveryAgain: t.field({
    rule: 'admin: project',
    audit: 'ADMINISTER',
    type: resultOf(SendAlertDeliveryAgainPayload, ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN']),
    description:
      'Sends a message again under its id, also one that arrived; one that waits is tried at once. CONFLICT where its destination is switched off.',
    args: { input: t.arg({ type: AlertDeliveryInput, description: 'The message.' }) },
    resolve: async (_root, { input: { deliveryId } }, { services, viewer }) => ({
      delivery: await services.alertDestinations.sendAgain(viewer, deliveryId),
    }),
  }),
}));
