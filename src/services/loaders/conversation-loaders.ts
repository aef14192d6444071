/** DataLoaders over conversations, builder sessions, jobs and experts, with the lifetime of those in `loaders.ts`. */
import DataLoader from 'dataloader';
import type { BuilderSession } from '../../domain/conversation/builder-session.ts';
import type { Message, Viewer } from '../../domain/conversation/session.ts';
import type { SharedAnswer } from '../../domain/members/sharing.ts';
import type { Boards } from '../boards/boards.ts';
import type { BuilderService } from '../builder/builder.ts';
import type { CopilotService } from '../copilot/copilot.ts';
import type { MessageImages } from '../copilot/message-images.ts';
import type { MessageNumbers } from '../copilot/message-numbers.ts';
import type { ExpertsService, ListedExpert } from '../experts/experts.ts';
import type { JobsService } from '../jobs/jobs.ts';
import type { Comments } from '../sharing/comments.ts';
import type { Sharing } from '../sharing/sharing.ts';

/** Sources of the loaders. */
export type ConversationLoaderServices = {
  readonly boards: Boards;
  readonly builder: BuilderService;
  readonly comments: Comments;
  readonly copilot: CopilotService;
  readonly experts: ExpertsService;
  readonly jobs: JobsService;
  readonly messageImages: MessageImages;
  readonly messageNumbers: MessageNumbers;
  readonly sharing: Sharing;
};

/** By domain id unless named otherwise; null for what is unknown or another viewer's. */
export type ConversationLoaders = ReturnType<typeof createConversationLoaders>;

type Ids = readonly string[];

/** Fresh loaders for `viewer`. */
export function createConversationLoaders(services: ConversationLoaderServices, viewer: Viewer) {
  const { boards, builder, comments, copilot, experts, jobs, messageImages, messageNumbers, sharing } =
    services;
  const { byId } = copilot;
  const cacheKeyFn = ({ id }: { readonly id: string }): string => id;
  return {
    session: new DataLoader((ids: Ids) => byId.sessions(viewer, ids)),
    turn: new DataLoader((ids: Ids) => byId.turns(viewer, ids)),
    message: new DataLoader((ids: Ids) => byId.messages(viewer, ids)),
    toolCall: new DataLoader((ids: Ids) => byId.toolCalls(viewer, ids)),
    summary: new DataLoader((ids: Ids) => byId.summaries(viewer, ids)),
    chart: new DataLoader((ids: Ids) => byId.charts(viewer, ids)),
    table: new DataLoader((ids: Ids) => byId.tables(viewer, ids)),
    /** By session id. */
    activeTurn: new DataLoader((ids: Ids) => copilot.activeTurns(viewer, ids)),
    usageOfSession: new DataLoader((ids: Ids) => copilot.usageOfSessions(viewer, ids)),
    toolCallsOfTurn: new DataLoader((ids: Ids) => copilot.toolCallsOfTurns(viewer, ids)),
    turnsAhead: new DataLoader((ids: Ids) => copilot.turnsAhead(viewer, ids)),
    modelCallsOfTurn: new DataLoader((ids: Ids) => copilot.modelCallsOfTurns(ids)),
    noticesOfTurn: new DataLoader((ids: Ids) => copilot.noticesOfTurns(viewer, ids)),
    thoughtsOfTurn: new DataLoader((ids: Ids) => copilot.thoughtsOfTurns(viewer, ids)),
    siblingsOfTurn: new DataLoader((ids: Ids) => copilot.siblingsOfTurns(viewer, ids)),
    messageNumbers: new DataLoader(
      (messages: readonly Message[]) => messageNumbers.ofMessages(viewer, messages),
      { cacheKeyFn },
    ),
    board: new DataLoader((ids: Ids) => boards.byIds(viewer, ids)),
    user: new DataLoader((ids: Ids) => sharing.names(ids)),
    /** By message id; null unless the viewer shares it. */
    answerShare: new DataLoader((ids: Ids) => sharing.answers.sharesOf(viewer, ids)),
    sharedContent: new DataLoader(
      (shared: readonly SharedAnswer[]) =>
        Promise.all(shared.map((each) => sharing.answers.content(each, messageNumbers))),
      { cacheKeyFn: ({ key }) => key },
    ),
    comment: new DataLoader((ids: Ids) => comments.byIds(viewer, ids)),
    commentsOfMessage: new DataLoader((ids: Ids) => comments.ofMessages(viewer, ids)),
    /** By session id. */
    commentsOfSession: new DataLoader((ids: Ids) => comments.ofSessions(viewer, ids)),
    imagesOfMessage: new DataLoader((ids: Ids) => messageImages.ofMessages(viewer, ids)),
    /** The viewer's own. */
    ratingOfMessage: new DataLoader((ids: Ids) => copilot.ratingsOfMessages(viewer, ids)),

    builderSession: new DataLoader((ids: Ids) => builder.sessions(viewer, ids)),
    builderSessionOfJob: new DataLoader((ids: Ids) => builder.sessionsOfJobs(viewer, ids)),
    /** The newest artifacts. */
    artifacts: new DataLoader(
      (sessions: readonly BuilderSession[]) =>
        Promise.all(sessions.map((session) => builder.artifacts(session))),
      { cacheKeyFn },
    ),

    job: new DataLoader((ids: Ids) => jobs.byIds(viewer, ids)),
    jobOfSession: new DataLoader((ids: Ids) => jobs.ofSessions(viewer, ids)),
    datasourcesOfJob: new DataLoader((ids: Ids) => jobs.datasourcesOf(viewer, ids)),
    spendingOfJob: new DataLoader((ids: Ids) => jobs.spendingOf(viewer, ids)),
    reportPathOfJob: new DataLoader((ids: Ids) => jobs.reportPaths(viewer, ids)),
    /** By session id. */
    newestTurn: new DataLoader((ids: Ids) => jobs.newestTurns(viewer, ids)),

    expert: new DataLoader((ids: Ids) => experts.byIds(viewer, ids)),
    /** The rest of an expert, from the same generation of the files. */
    expertDetails: new DataLoader((listed: readonly ListedExpert[]) => experts.details(viewer, listed)),
  };
}
