/** DataLoaders over experts, with the same rules as `loaders.ts`: for one operation or one event. */
import DataLoader from 'dataloader';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { Expert } from '../../experts/expert.ts';
import type { ExpertsService, ListedExpert } from '../experts/experts.ts';

/** Null for what is unknown or another project's. */
export type ExpertLoaders = {
  /** By id of an expert. */
  readonly expert: DataLoader<string, ListedExpert | null>;
  /** The whole of an expert, from the same reading of the files as the expert itself. */
  readonly expertDetails: DataLoader<ListedExpert, Expert | null>;
};

/** Fresh loaders for `viewer`. */
export function createExpertLoaders(experts: ExpertsService, viewer: Viewer): ExpertLoaders {
  return {
    expert: new DataLoader((ids) => experts.byIds(viewer, ids)),
    expertDetails: new DataLoader((listed) => experts.details(viewer, listed)),
  };
}
