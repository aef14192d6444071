/** Where messages about alerts and ended work go: set by admins. What is secret is written and used, never read again. */
import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ConflictError, InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { ALERT_LIMITS } from '../../domain/alerts/alert.ts';
import { alertMessage } from '../../domain/alerts/alert-message.ts';
import {
  DESTINATION_EVENTS,
  DESTINATION_KINDS,
  type Delivery,
  type DeliveryState,
  type DestinationTarget,
  type DestinationWithTarget,
} from '../../domain/alerts/destination.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { isTimeZone } from '../../domain/values/daily.ts';
import {
  deleteDestination,
  enableDestination,
  insertDestination,
  listDestinations,
  lockDestination,
  replaceDestination,
} from '../../stores/pg/alert-destinations.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import { listDeliveries, sendAgain } from '../../stores/pg/delivery-log.ts';
import { checkInput } from '../copilot/copilot-input.ts';
import { isDeliveryFailure, sendMessage, type Channels } from './deliver.ts';

const { destinationsPerProject } = ALERT_LIMITS;

const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, 'must be a time such as 22:00');
const quietHours = z.object({
  from: clock,
  to: clock,
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone, for example Asia/Tokyo'),
  weekends: z.boolean().default(false),
});

const saveInput = z.object({
  destinationId: z.string().nullish(),
  name: z.string().trim().min(1, 'must not be blank').max(80, 'must have at most 80 characters'),
  kind: z.enum(DESTINATION_KINDS),
  url: z
    .url({ protocol: /^https?$/u, error: 'must be an http or https address' })
    .max(2_000, 'must have at most 2,000 characters')
    .nullish()
    .transform((url) => url ?? null),
  addresses: z
    .array(z.email('must be addresses of mail'))
    .max(20, 'must be at most 20 addresses')
    .nullish()
    .transform((addresses) => addresses ?? []),
  quietHours: quietHours.nullish().transform((quiet) => quiet ?? null),
  sendsRecoveries: z.boolean().default(true),
  events: z
    .array(z.enum(DESTINATION_EVENTS))
    .transform((events) => [...new Set(events)])
    .nullish(),
});
export type SaveDestinationInput = z.input<typeof saveInput>;

/** `secret`: of a webhook that was made now; it is shown this once. */
export type SavedDestination = {
  readonly destination: DestinationWithTarget;
  readonly secret: string | null;
};

export type DestinationsDeps = { readonly db: Db; readonly channels: Channels; readonly now: () => Date };

export type AlertDestinations = ReturnType<typeof createAlertDestinations>;

/** Most messages of one answer. */
const SHOWN = 100;

export function createAlertDestinations(deps: DestinationsDeps) {
  const { db, channels, now } = deps;
  return {
    list: ({ projectId }: Viewer) => listDestinations(db, projectId),

    /** The last `first` messages to one, the newest first; `state` null: of any. @throws InvalidInputError */
    async deliveries(
      destination: Pick<DestinationWithTarget, 'id' | 'projectId'>,
      { first, state }: { readonly first: number; readonly state: DeliveryState | null },
    ): Promise<readonly Delivery[]> {
      if (first < 1 || first > SHOWN) throw InvalidInputError.at(['first'], `must be 1 to ${SHOWN}`);
      return listDeliveries(db, destination, { most: first, state });
    },

    /** Sends a message again, under its id. @throws NotFoundError; ConflictError where its destination is switched off */
    async sendAgain({ projectId }: Viewer, deliveryId: string): Promise<Delivery> {
      const found = await sendAgain(db, projectId, deliveryId);
      if (found === null) throw new NotFoundError(`this project has no message ${deliveryId}`);
      if (typeof found !== 'string') return found;
      throw new ConflictError(
        `the destination is switched off: ${found}; send a test or save it to switch it on`,
      );
    },

    save: (viewer: Viewer, input: SaveDestinationInput) => saveDestination(deps, viewer, input),

    /** Deletes one with its messages; done, too, where there is none. */
    async remove({ projectId }: Viewer, id: string): Promise<void> {
      await transact(db, async (tx) => {
        const stored = await lockDestination(tx, projectId, id);
        if (stored !== null) await deleteDestination(tx, projectId, stored.id);
      });
    },

    /**
     * Sends a message without alerts now. Returns why it did not arrive, null where it did, which switches the destination
     * on again. @throws NotFoundError
     */
    async test({ projectId }: Viewer, id: string, signal: AbortSignal): Promise<string | null> {
      const destination = (await listDestinations(db, projectId)).find((each) => each.id === id);
      if (destination === undefined) throw new NotFoundError(`this project has no destination ${id}`);
      const message = alertMessage({
        id: randomUUID(),
        at: now(),
        about: 'OPENED',
        projectId,
        alerts: [],
        origin: channels.origin,
      });
      try {
        await sendMessage(channels, destination, message, signal);
        await enableDestination(db, destination);
        return null;
      } catch (error) {
        if (isDeliveryFailure(error)) return error.message;
        throw error;
      }
    },
  };
}

/** Makes or replaces one, which is switched on by it; an address or events that are left out stay. @throws InvalidInputError, NotFoundError */
async function saveDestination(
  { db, channels, now }: DestinationsDeps,
  viewer: Viewer,
  input: SaveDestinationInput,
): Promise<SavedDestination> {
  const {
    destinationId,
    url,
    addresses,
    quietHours: quiet,
    sendsRecoveries,
    events: asked,
    ...named
  } = checkInput(saveInput, input);
  const { kind } = named;
  if (kind === 'EMAIL' && channels.mail === null)
    throw InvalidInputError.at(['input', 'kind'], 'this server sends no mail; an operator sets SMTP_URL');
  const refusal = url === null ? null : channels.refusalOf(new URL(url));
  if (refusal !== null) throw InvalidInputError.at(['input', 'url'], refusal);
  if (kind !== 'WEBHOOK' && asked?.includes('TURN_ENDED')) {
    const message =
      'only a WEBHOOK can subscribe to TURN_ENDED: so many messages would flood a chat or mailbox';
    throw InvalidInputError.at(['input', 'events'], message);
  }
  return transact(db, async (tx) => {
    const at = now();
    const stored = destinationId ? await lockDestination(tx, viewer.projectId, destinationId) : null;
    if (destinationId && stored === null)
      throw new NotFoundError(`this project has no destination ${destinationId}`);
    const kept = stored?.kind === kind ? stored.target : null;
    const isNewSecret = kind === 'WEBHOOK' && kept?.secret == null;
    const target: DestinationTarget =
      kind === 'EMAIL'
        ? { url: null, secret: null, addresses: addresses.length > 0 ? addresses : (kept?.addresses ?? []) }
        : {
            url: url ?? kept?.url ?? null,
            secret: isNewSecret ? newSecret() : (kept?.secret ?? null),
            addresses: [],
          };
    if (kind === 'EMAIL' && target.addresses.length === 0)
      throw InvalidInputError.at(['input', 'addresses'], 'must name at least one address of mail');
    if (kind !== 'EMAIL' && target.url === null)
      throw InvalidInputError.at(['input', 'url'], 'must be the address that messages are posted to');
    const recoveriesSince = sendsRecoveries ? (stored?.recoveriesSince ?? at) : null;
    // Of an earlier kind those that the new one can be told.
    const events = (asked ?? stored?.events ?? []).filter(
      (event) => kind === 'WEBHOOK' || event !== 'TURN_ENDED',
    );
    const toSave = { ...named, target, quiet, recoveriesSince, events };
    const destination =
      stored === null
        ? await insertDestination(tx, viewer, toSave, { most: destinationsPerProject, now: at })
        : await replaceDestination(tx, viewer, stored.id, toSave, at);
    if (destination === null) {
      const message = `this project has ${destinationsPerProject} destinations, which is the limit; delete one first`;
      throw InvalidInputError.at(['input', 'name'], message);
    }
    return { destination, secret: isNewSecret ? target.secret : null };
  });
}

/** As Standard Webhooks write it. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
