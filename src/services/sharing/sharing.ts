/** Who may read a conversation or a job besides its owner: nobody, the project, or members of it who have the link. */
import { z } from 'zod';
import { NotFoundError } from '../../base/errors.ts';
import type { Board } from '../../domain/boards/board.ts';
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { VISIBILITIES } from '../../domain/members/sharing.ts';
import { openBoardLink } from '../../stores/pg/boards.ts';
import { transact } from '../../stores/pg/database.ts';
import { findOwnJob } from '../../stores/pg/jobs.ts';
import { lockOwnSession } from '../../stores/pg/sessions.ts';
import { findNames, openLink, setVisibility } from '../../stores/pg/sharing.ts';
import { checkInput } from '../copilot/copilot-input.ts';
import { unknownSession } from '../copilot/start-turn.ts';
import { unknownJob } from '../jobs/change-job.ts';
import { createSharedAnswers, type SharedAnswersDeps } from './shared-answers.ts';

const shareInput = z.object({ id: z.string(), visibility: z.enum(VISIBILITIES) });
const keyInput = z.object({ key: z.string().trim().min(1).max(100) });

export type ShareInput = z.input<typeof shareInput>;

/** What a link leads to, one of the two: the session of a conversation or a job, or a board. */
export type Opened = { readonly session: Session | null; readonly board: Board | null };

/** Sharing for the schema. */
export type Sharing = ReturnType<typeof createSharing>;

export const createSharing = ({ db, wakeUps }: SharedAnswersDeps) => ({
  /** Shares a conversation of the viewer, or makes it private again. @throws NotFoundError */
  shareSession: (viewer: Viewer, input: ShareInput): Promise<Session> => {
    const { id, visibility } = checkInput(shareInput, input);
    return transact(db, async (tx) => {
      const session = await lockOwnSession(tx, viewer, id);
      if (session?.kind !== 'COPILOT') throw unknownSession(id);
      return setVisibility(tx, session, visibility);
    });
  },

  /** As {@link shareSession}, for a job. */
  shareJob: (viewer: Viewer, input: ShareInput): Promise<Job> => {
    const { id, visibility } = checkInput(shareInput, input);
    return transact(db, async (tx) => {
      const job = await findOwnJob(tx, viewer, id);
      const session = job && (await lockOwnSession(tx, viewer, job.sessionId));
      if (!session) throw unknownJob(id);
      await setVisibility(tx, session, visibility);
      return job;
    });
  },

  /** Lets the viewer read what a link shares, until it is shared otherwise. @throws NotFoundError */
  open: (viewer: Viewer, input: z.input<typeof keyInput>): Promise<Opened> => {
    const { key } = checkInput(keyInput, input);
    return transact(db, async (tx) => {
      const session = await openLink(tx, viewer, key);
      const board = session === null ? await openBoardLink(tx, viewer, key) : null;
      if (session === null && board === null) throw new NotFoundError(LINK_ENDED);
      return { session, board };
    });
  },

  /** Users in the order of `ids`. */
  names: (ids: readonly string[]) => findNames(db, ids),

  answers: createSharedAnswers({ db, wakeUps }),
});

/** The same for an unknown link, one that ended, and one of another project. */
const LINK_ENDED =
  'this link is not valid in this project, or not any more; ask the person who gave it to you for a new one';
