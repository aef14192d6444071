import type { Datasources } from '../src/sources/databases/datasources.ts';
import type { LabServers } from '../src/sources/mcp/lab-servers.ts';
import type { Viewer } from '../src/domain/conversation/session.ts';
import type {
  ConversationLoaders,
  ConversationLoaderServices,
} from '../src/services/loaders/conversation-loaders.ts';
import type { Loaders } from '../src/services/loaders/loaders.ts';
import type { CalibrationServices } from '../src/services/calibration/calibration-services.ts';
import type { ListSizes } from '../src/services/calibration/project-sizes.ts';
import type { FiguresService } from '../src/services/calibration/figures.ts';
import type { CopilotConfig } from '../src/services/copilot/copilot-config.ts';
import type { ExpertServices } from '../src/services/experts/experts.ts';
import type { JobDrafts } from '../src/services/jobs/job-drafts.ts';
import type { JobFiles } from '../src/services/jobs/job-files.ts';
import type { Actor } from '../src/domain/audit/audit.ts';
import type { Audit } from '../src/services/audit/audit.ts';
import type { Imports } from '../src/services/imports/imports.ts';
import type { Access, Caller } from '../src/services/members/access.ts';
import type { Storage } from '../src/services/storage/storage.ts';
import type { Alerts } from '../src/services/alerts/alerts.ts';
import type { AlertDestinations } from '../src/services/alerts/destinations.ts';
import type { Mutes } from '../src/services/calibration/mutes.ts';
import type { BudgetsService } from '../src/services/members/budgets.ts';
import type { MembersService } from '../src/services/members/members.ts';
import type { Comments } from '../src/services/sharing/comments.ts';
import type { Search } from '../src/services/search/search.ts';
import type { Sharing } from '../src/services/sharing/sharing.ts';
import type { Uploads } from '../src/services/uploads.ts';

type OtherServices = {
  readonly audit: Audit;
  readonly access: Access;
  readonly members: MembersService;
  readonly sharing: Sharing;
  readonly search: Search;
  readonly comments: Comments;
  readonly mutes: Mutes;
  readonly alerts: Alerts;
  readonly alertDestinations: AlertDestinations;
  readonly budgets: BudgetsService;
  readonly copilotConfig: CopilotConfig;
  readonly jobFiles: JobFiles;
  readonly figures: FiguresService;
  readonly imports: Imports;
  readonly uploads: Uploads;
  readonly datasourcesOf: (projectId: string) => Promise<Pick<Datasources, 'all'>>;
  readonly jobDrafts: JobDrafts;
  readonly storage: Storage;
  readonly labServers: Pick<LabServers, 'statesOf'>;
};

/** Everything that resolvers may call. */
export type GraphQLServices = CalibrationServices &
  ConversationLoaderServices &
  ExpertServices &
  OtherServices;

/** What every resolver gets, new for each operation; a subscription gets new loaders for each event. */
export type GraphQLContext = {
  readonly viewer: Viewer;
  /** The same person, not yet within a project. */
  readonly caller: Caller;
  /** The same for the audit, with the address of the request. */
  readonly actor: Actor;
  readonly services: GraphQLServices;
  readonly loaders: Loaders & ConversationLoaders;
  readonly now: () => Date;
  /** Lengths of lists, where an operation is costed by real ones. */
  readonly sizes?: ListSizes;
  /** Fires when the client leaves or the server stops; resolvers must stop waiting then. */
  readonly signal: AbortSignal;
  /** A subscription ends, within seconds, once `check` throws an error for users: when what it follows is not shared any more. */
  readonly endUnless: (check: () => Promise<void>) => void;
};

/** What reading a chart takes of a context. */
export type ChartContext = Pick<GraphQLContext, 'loaders' | 'services' | 'viewer' | 'signal'>;
