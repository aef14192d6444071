/** How single parts of the app are opened or made from the configuration; `app.ts` puts them together. */
import { join } from 'node:path';
import { sql } from 'kysely';
import { MongoClient, type Db as MongoDatabase } from 'mongodb';
import type { GraphQLServices } from '../schema/context.ts';
import { assertSeesImages, type ModelCatalog } from './agent/models/catalog.ts';
import type { TurnRunner } from './agent/runner/runner.ts';
import { createBuilder } from './builder-parts.ts';
import type { BuilderModels } from './builder/builder-models.ts';
import type { Config } from './config.ts';
import { MAX_PICTURES, MAX_PICTURE_BYTES } from './domain/picture.ts';
import type { Stores } from './embedded/stores.ts';
import { StartupError } from './errors.ts';
import type { EventLog } from './events/event-log.ts';
import type { LiveSource } from './live/live-source.ts';
import type { Opening } from './opening.ts';
import type { PythonSandbox } from './sandbox/python-sandbox.ts';
import type { HealthChecks } from './server/health.ts';
import type { CalibrationServices } from './services/calibration-services.ts';
import type { ExpertServices } from './services/expert-services.ts';
import { createCopilotService } from './services/copilot.ts';
import { createMessageNumbers } from './services/message-numbers.ts';
import { MAX_MESSAGE_LENGTH } from './services/copilot-input.ts';
import type { FiguresService } from './services/figures.ts';
import { createMessageImages } from './services/message-images.ts';
import { createContextCheck } from './services/session-context.ts';
import { createUploads, type Uploads } from './services/uploads.ts';
import type { Settings } from './settings.ts';
import { requireSupportedMongo } from './stores/mongo/server-version.ts';
import type { OpenDatabase } from './stores/pg/database.ts';
import { traceMongo } from './tracing/trace-databases.ts';
import { noTracing, type Tracing } from './tracing/tracing.ts';
import { createTableThread } from './uploads/table-thread.ts';

/** Whose a store is: run by this process, run by another process on this data folder, or named by the configuration. */
export type StoreKind = 'own' | 'shared' | 'configured';

/** Only its own store is given a demo without being asked; asked, any database that it may write. */
export function wantsDemo({ demo, mongodbUri, calibrationWrites }: Config): boolean {
  return calibrationWrites && (demo ?? mongodbUri === null);
}

/**
 * Connects; `opening` closes it.
 * @throws StartupError when nothing answers, without saying where, and for a server that would refuse our queries.
 */
export async function openMongo(
  uri: string,
  config: Config,
  opening: Opening,
  tracing: Tracing = noTracing,
): Promise<MongoDatabase> {
  const client = createMongoClient(uri, tracing.isOn);
  if (tracing.isOn) traceMongo(client, tracing);
  opening.defer(() => client.close());
  try {
    await client.connect();
  } catch (error) {
    const which = config.mongodbUri === null ? 'the embedded MongoDB' : 'the MongoDB that MONGODB_URI names';
    throw new StartupError(`${which} does not answer`, { cause: error });
  }
  const db = client.db(config.mongodbDb);
  await requireSupportedMongo(db);
  return db;
}

function createMongoClient(uri: string, monitorCommands: boolean): MongoClient {
  try {
    return new MongoClient(uri, { serverSelectionTimeoutMS: 5_000, monitorCommands });
  } catch (error) {
    throw new StartupError('MONGODB_URI is not an address that the MongoDB driver understands', {
      cause: error,
    });
  }
}

/** Largest file that may be uploaded. */
export const uploadBytes = ({ limits }: Settings): number => limits.uploadMegabytes * 1_000_000;

/** Uploaded tables, in the data folder; `opening` ends the work on them. */
export function openUploads(
  config: Config,
  settings: Settings,
  { db }: OpenDatabase,
  opening: Opening,
): Uploads {
  const thread = createTableThread();
  opening.defer(() => thread.close());
  const folder = join(config.dataDir, 'uploads');
  const { uploadsPerDay, uploadMegabytesPerDay } = settings.limits;
  return createUploads({
    db,
    thread,
    folder,
    maxBytes: uploadBytes(settings),
    limits: { filesPerDay: uploadsPerDay, bytesPerDay: uploadMegabytesPerDay * 1_000_000 },
  });
}

/** What the schema may call. */
export function createServices(parts: {
  readonly config: Config;
  readonly calibration: CalibrationServices;
  readonly settings: Settings;
  readonly models: ModelCatalog;
  readonly sandbox: PythonSandbox;
  readonly database: OpenDatabase;
  readonly eventLog: EventLog;
  readonly tracing: Tracing;
  readonly runner: TurnRunner;
  readonly uploads: Uploads;
  readonly datasources: GraphQLServices['datasources'];
  readonly jobDrafts: GraphQLServices['jobDrafts'];
  readonly jobs: Pick<GraphQLServices, 'jobs' | 'jobFiles'>;
  readonly figures: FiguresService;
  readonly experts: ExpertServices;
  readonly builderModels: BuilderModels;
  readonly now: () => Date;
}): GraphQLServices {
  const { calibration, settings, models, sandbox, database, eventLog, tracing, runner, uploads, figures } =
    parts;
  const { greeting, suggestions } = settings.copilot;
  return {
    ...calibration,
    ...parts.experts,
    copilot: createCopilotService({
      db: database.db,
      tracing,
      eventLog,
      runner,
      limits: settings.limits,
      checkContext: createContextCheck(calibration),
      checkModel: (name, kind) => void (kind === 'BUILDER' ? parts.builderModels : models).resolve(name),
      assertSeesImages: (name) => assertSeesImages(models, name),
      uploads,
    }),
    builder: createBuilder({
      db: database.db,
      tracing,
      runner,
      limits: settings.limits,
      experts: parts.experts.experts,
      models: parts.builderModels,
    }),
    messageNumbers: createMessageNumbers({ db: database.db, metrics: calibration.metrics, now: parts.now }),
    copilotConfig: {
      greeting,
      suggestions,
      get models() {
        return models.options();
      },
      get defaultModel() {
        return models.defaultName;
      },
      maxMessageLength: MAX_MESSAGE_LENGTH,
      maxImages: MAX_PICTURES,
      maxImageBytes: MAX_PICTURE_BYTES,
      get sandboxPackages() {
        return sandbox.packages();
      },
    },
    uploads,
    datasources: parts.datasources,
    jobDrafts: parts.jobDrafts,
    ...parts.jobs,
    figures,
    messageImages: createMessageImages({ db: database.db }),
  };
}

/**
 * Stores are required; without the sandbox everything but Python analysis works. The live source, where there is one, is
 * not asked, since its calls are counted: it works if the newest answer that it was asked for did.
 */
export function healthChecks(
  mongo: MongoDatabase,
  { db }: OpenDatabase,
  sandbox: PythonSandbox,
  live: LiveSource,
): HealthChecks {
  return {
    required: {
      mongo: () => mongo.command({ ping: 1 }),
      postgres: () => sql`select 1`.execute(db),
    },
    optional: {
      sandbox: async () => {
        const availability = await sandbox.availability();
        if (!availability.available) throw new Error(availability.reason);
      },
      ...(live.isSetUp && {
        live: async () => {
          const failure = live.lastFailure();
          if (failure !== null) throw new Error(failure);
        },
      }),
    },
  };
}

/** Whose a store is; `configured` is its address in the configuration. */
export function kindOf(configured: string | null, { owned }: Stores): StoreKind {
  if (configured !== null) return 'configured';
  return owned ? 'own' : 'shared';
}
