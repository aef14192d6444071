/** DataLoaders over builder sessions, with the same rules as `loaders.ts`: for one operation or one event. */
import DataLoader from 'dataloader';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import type { BuilderSession } from '../../domain/conversation/builder-session.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { BuilderService } from '../builder/builder-service.ts';

/** Null for what is unknown or another viewer's. */
export type BuilderLoaders = {
  /** By id. */
  readonly builderSession: DataLoader<string, BuilderSession | null>;
  /** By id of a job that was made with it. */
  readonly builderSessionOfJob: DataLoader<string, BuilderSession | null>;
  /** The newest artifacts of a session. */
  readonly artifacts: DataLoader<BuilderSession, Artifacts, string>;
};

/** Fresh loaders for `viewer`. */
export function createBuilderLoaders(builder: BuilderService, viewer: Viewer): BuilderLoaders {
  return {
    builderSession: new DataLoader((ids) => builder.sessions(viewer, ids)),
    builderSessionOfJob: new DataLoader((ids) => builder.sessionsOfJobs(viewer, ids)),
    artifacts: new DataLoader(
      (sessions) => Promise.all(sessions.map((session) => builder.artifacts(session))),
      {
        cacheKeyFn: ({ id }) => id,
      },
    ),
  };
}
