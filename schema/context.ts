import type { Datasources } from '../src/sources/databases/datasources.ts';
import type { Viewer } from '../src/domain/conversation/session.ts';
import type { BuilderLoaders } from '../src/services/loaders/builder-loaders.ts';
import type { CopilotLoaders } from '../src/services/loaders/copilot-loaders.ts';
import type { ExpertLoaders } from '../src/services/loaders/expert-loaders.ts';
import type { JobLoaders } from '../src/services/loaders/job-loaders.ts';
import type { Loaders } from '../src/services/loaders/loaders.ts';
import type { BuilderService } from '../src/services/builder/builder-service.ts';
import type { CalibrationServices } from '../src/services/calibration/calibration-services.ts';
import type { FiguresService } from '../src/services/calibration/figures.ts';
import type { CopilotConfig } from '../src/services/copilot/copilot-config.ts';
import type { CopilotService } from '../src/services/copilot/copilot-service.ts';
import type { MessageImages } from '../src/services/copilot/message-images.ts';
import type { MessageNumbers } from '../src/services/copilot/message-numbers.ts';
import type { ExpertServices } from '../src/services/experts/expert-services.ts';
import type { JobDrafts } from '../src/services/jobs/job-drafts.ts';
import type { JobFiles } from '../src/services/jobs/job-files.ts';
import type { JobsService } from '../src/services/jobs/jobs-service.ts';
import type { Uploads } from '../src/services/uploads.ts';

type ConversationServices = {
  readonly builder: BuilderService;
  readonly copilot: CopilotService;
  readonly copilotConfig: CopilotConfig;
  readonly jobs: JobsService;
  readonly jobFiles: JobFiles;
  readonly messageImages: MessageImages;
  readonly messageNumbers: MessageNumbers;
  readonly figures: FiguresService;
  readonly uploads: Uploads;
  readonly datasources: Pick<Datasources, 'all'>;
  readonly jobDrafts: JobDrafts;
};

/** Everything that resolvers may call. */
export type GraphQLServices = CalibrationServices & ConversationServices & ExpertServices;

/** What every resolver gets. Made anew for each operation; a subscription gets fresh loaders for each event. */
export type GraphQLContext = {
  readonly viewer: Viewer;
  readonly services: GraphQLServices;
  readonly loaders: Loaders & BuilderLoaders & CopilotLoaders & ExpertLoaders & JobLoaders;
  readonly now: () => Date;
  /** Fires when the client leaves and when the server stops; whatever a resolver waits for should end then. */
  readonly signal: AbortSignal;
};
