/** Where messages about alerts go. */
import {
  targetWords,
  type Delivery,
  type DeliveryAbout,
  type DeliveryState,
  type DestinationKind,
  type DestinationWithTarget,
  type QuietHours as DomainQuietHours,
} from '../../src/domain/alerts/destination.ts';
import type { SavedDestination } from '../../src/services/alerts/destinations.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { resultOf } from '../errors.ts';
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
  FAILED: 'It was refused, or given up after eight attempts.',
});

const AlertDeliveryAboutEnum = enumOf<DeliveryAbout>('AlertDeliveryAbout', 'What a message says of alerts.', {
  OPENED: 'That they opened.',
  RECOVERED: 'That they recovered.',
});

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
  description: 'A message, one for all alerts that were due at once.',
  fields: (t) => ({
    deliveryId: t.exposeID('id', { description: 'Its id, which receivers see, too.' }),
    about: t.expose('about', { type: AlertDeliveryAboutEnum, description: 'What it says of its alerts.' }),
    state: t.expose('state', { type: AlertDeliveryStateEnum, description: 'How far it came.' }),
    alertCount: t.exposeInt('alertCount', { description: 'Alerts in it.' }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the last attempt failed; null where it did not.',
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
    'Where messages about alerts go. Addresses of webhooks are secret: only their machine is shown.',
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
      description: 'Whether it is told, too, when an alert recovers of whose opening it was told.',
      resolve: ({ recoveriesSince }) => recoveriesSince !== null,
    }),
    deliveries: t.field({
      type: [AlertDelivery],
      description: 'The last ten messages, the newest first.',
      complexity: PAGE_READ,
      resolve: async (destination, _args, { services }) => [
        ...(await services.alertDestinations.deliveries(destination)),
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
      description: 'Whether it is told, too, when an alert recovers of whose opening it was told.',
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
    description: 'Makes or replaces a destination.',
    args: { input: t.arg({ type: SaveAlertDestinationInput, description: 'The destination.' }) },
    resolve: (_root, { input: { quietHours, sendsRecoveries, ...input } }, { services, viewer }) =>
      services.alertDestinations.save(viewer, {
        ...input,
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
    description: 'Sends a message without alerts now, also in quiet hours, and says whether it arrived.',
    args: { input: t.arg({ type: DestinationInput, description: 'The destination.' }) },
    resolve: async (_root, { input: { destinationId } }, { services, viewer, signal }) => ({
      problem: await services.alertDestinations.test(viewer, destinationId, signal),
    }),
  }),
}));
