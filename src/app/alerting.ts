/** Alerts and messages as a process runs them: rules are evaluated, and messages about alerts and ended work sent. */
import { encodeNodeId } from '../../schema/node-ids.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import type { Config } from '../config/config.ts';
import { createMailer } from '../delivery/mail.ts';
import { refusalOf } from '../delivery/private-addresses.ts';
import { createWebhooks } from '../delivery/webhook.ts';
import { evaluateDueRules } from '../services/alerts/alert-work.ts';
import { startAlertWorker } from '../services/alerts/alert-worker.ts';
import { createSender, enqueueDue, type Channels } from '../services/alerts/deliver.ts';
import type { CalibrationServices } from '../services/calibration/calibration-services.ts';
import type { Db } from '../stores/pg/database.ts';
import { listMutes } from '../stores/pg/mutes.ts';
import type { Infrastructure } from './stores.ts';

export type AlertTimes = {
  /** Between two looks at a rule. */
  readonly everyMs: number;
  /** Between two looks for work. */
  readonly pauseMs: number;
  /** How long a server may take for one piece of work; then another one takes it. */
  readonly leaseMs: number;
  /** The first pause after a message that did not arrive. */
  readonly backoffMs: number;
};

const TIMES: AlertTimes = { everyMs: 15_000, pauseMs: 5_000, leaseMs: 60_000, backoffMs: 10_000 };

/** Reads what is muted of a chip. */
export const mutesIn = (db: Db, now: () => Date) => (projectId: string, chipId: string) =>
  listMutes(db, projectId, chipId, now());

/** How messages leave, by the configuration. */
export function channelsOf({ alertPrivateHosts, mail, doors, host, port }: Config): Channels {
  return {
    post: createWebhooks({ allowedHosts: alertPrivateHosts }),
    mail: mail && createMailer(mail),
    refusalOf: (url) => refusalOf(url, alertPrivateHosts)?.message ?? null,
    origin: doors.publicOrigin ?? (port === 0 ? null : `http://${host}:${port}`),
    idOf: encodeNodeId,
  };
}

/** Begins; `resources` ends it. */
export function startAlerting(
  { config, database: { db }, log }: Infrastructure,
  calibration: CalibrationServices,
  { now, alertTimes }: { readonly now: () => Date; readonly alertTimes?: Partial<AlertTimes> | undefined },
  resources: ResourceStack,
): void {
  const times = { ...TIMES, ...alertTimes };
  const deps = { db, calibration, now, log, times, mutesOf: mutesIn(db, now) };
  const sender = createSender({ db, channels: channelsOf(config), now, log, times });
  const worker = startAlertWorker(
    [
      { what: 'evaluating rules of alerts', run: () => evaluateDueRules(deps) },
      { what: 'making messages about alerts', run: () => enqueueDue({ db, now }) },
      { what: 'sending messages', run: (signal) => sender.step(signal) },
    ],
    times.pauseMs,
    log,
  );
  resources.defer(async () => {
    await worker.close();
    await sender.settled();
  });
}
