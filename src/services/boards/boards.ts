/** Boards of a project: of their owner, or of all members. What they show is read by `board-contents.ts`. */
import { z } from 'zod';
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { BOARD_LIMITS, type Board } from '../../domain/boards/board.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { atLeast } from '../../domain/members/role.ts';
import {
  deleteBoard,
  findBoards,
  insertBoard,
  listBoards,
  lockBoard,
  replaceBoard,
} from '../../stores/pg/boards.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import { newId } from '../../stores/pg/ids.ts';
import { checkInput } from '../copilot/copilot-input.ts';
import { createBoardContents, type BoardReads } from './board-contents.ts';
import { boardItems, boardTitle, boardVisibility, itemView, timeRange } from './board-input.ts';
import { findPinned, pinnedFrom } from './pinned-visual.ts';

const createInput = z.object({ title: boardTitle, visibility: boardVisibility.default('PRIVATE') });

const saveInput = z.object({
  boardId: z.string(),
  version: z.int().positive('must be a version number'),
  title: boardTitle,
  visibility: boardVisibility,
  range: timeRange.nullish().transform((range) => range ?? null),
  items: boardItems,
});

const pinInput = itemView.extend({ boardId: z.string(), from: pinnedFrom });

const deleteInput = z.object({ boardId: z.string(), version: z.int().nullish() });

export type CreateBoardInput = z.input<typeof createInput>;
export type SaveBoardInput = z.input<typeof saveInput>;
export type PinToBoardInput = z.input<typeof pinInput>;

export type BoardsDeps = {
  readonly db: Db;
  readonly reads: BoardReads;
  readonly now: () => Date;
};

/** Boards for the schema. */
export type Boards = ReturnType<typeof createBoards>;

export function createBoards(deps: BoardsDeps) {
  const { db } = deps;
  return {
    list: (viewer: Viewer) => listBoards(db, viewer),
    byIds: (viewer: Viewer, ids: readonly string[]) => findBoards(db, viewer, ids),
    create: (viewer: Viewer, input: CreateBoardInput) => createBoard(deps, viewer, input),
    save: (viewer: Viewer, input: SaveBoardInput) => saveBoard(deps, viewer, input),
    pin: (viewer: Viewer, input: PinToBoardInput) => pinToBoard(deps, viewer, input),
    remove: (viewer: Viewer, input: z.input<typeof deleteInput>) => removeBoard(deps, viewer, input),
    ...createBoardContents(deps),
  };
}

/** Whether somebody may change a board: its owner, and admins where it is of the project. */
export const mayChange = ({ id, role }: Viewer, { viewerId, visibility }: Board): boolean =>
  viewerId === id || (visibility === 'PROJECT' && atLeast(role, 'admin'));

/** @throws InvalidInputError */
function createBoard({ db }: BoardsDeps, viewer: Viewer, input: CreateBoardInput): Promise<Board> {
  const { title, visibility } = checkInput(createInput, input);
  const { boardsPerProject } = BOARD_LIMITS;
  return transact(db, async (tx) => {
    const board = await insertBoard(
      tx,
      viewer,
      { title, visibility, range: null, items: [] },
      boardsPerProject,
    );
    if (board === null) {
      const message = `this project has ${boardsPerProject} boards, which is the limit; delete one first`;
      throw InvalidInputError.at(['input', 'title'], message);
    }
    return board;
  });
}

/** Replaces a board. Items are checked only as far as their form: what they read may be gone for a while. @throws NotFoundError, ForbiddenError, ConflictError, InvalidInputError */
function saveBoard({ db }: BoardsDeps, viewer: Viewer, input: SaveBoardInput): Promise<Board> {
  const { boardId, version, ...board } = checkInput(saveInput, input);
  return transact(db, async (tx) => {
    const stored = changeable(await lockBoard(tx, viewer, boardId), viewer, boardId);
    assertVersion(stored, version);
    if (board.visibility !== stored.visibility && stored.viewerId !== viewer.id)
      throw new ForbiddenError('who may read a board is decided by its owner');
    return replaceBoard(tx, stored, board);
  });
}

/**
 * Adds an item at the end, or one for each read of an answer, whatever the version. Each read is made once before, so that nothing is pinned that never worked.
 * @throws NotFoundError, ForbiddenError, InvalidInputError
 */
async function pinToBoard(deps: BoardsDeps, viewer: Viewer, input: PinToBoardInput): Promise<Board> {
  const { boardId, from, ...view } = checkInput(pinInput, input);
  const [seen] = await findBoards(deps.db, viewer, [boardId]);
  changeable(seen ?? null, viewer, boardId);
  const pinned = await findPinned(deps, viewer, from, view);
  return transact(deps.db, async (tx) => {
    const board = changeable(await lockBoard(tx, viewer, boardId), viewer, boardId);
    const { itemsPerBoard } = BOARD_LIMITS;
    if (board.items.length + pinned.length > itemsPerBoard) {
      const room = itemsPerBoard - board.items.length;
      const message = `${board.title} has room for ${room} of ${itemsPerBoard} items, and this is ${pinned.length}; delete some, or pin to another board`;
      throw InvalidInputError.at(['input', 'boardId'], message);
    }
    return replaceBoard(tx, board, {
      ...board,
      items: [
        ...board.items,
        // A title is that of the first; the others have their own.
        ...pinned.map((item, at) => ({ ...view, ...(at > 0 && { title: null }), ...item, id: newId() })),
      ],
    });
  });
}

/** Deletes a board; done, too, where there is none that the viewer may read. @throws ForbiddenError, ConflictError */
async function removeBoard(
  { db }: BoardsDeps,
  viewer: Viewer,
  input: z.input<typeof deleteInput>,
): Promise<void> {
  const { boardId, version } = checkInput(deleteInput, input);
  await transact(db, async (tx) => {
    const board = await lockBoard(tx, viewer, boardId);
    if (board === null) return;
    changeable(board, viewer, boardId);
    if (version) assertVersion(board, version);
    await deleteBoard(tx, board.id);
  });
}

function changeable(board: Board | null, viewer: Viewer, id: string): Board {
  if (board === null) throw new NotFoundError(`this project has no board ${id} that you may read`);
  if (mayChange(viewer, board)) return board;
  throw new ForbiddenError(
    `${board.title} was made by another member, who may change it, as may admins of the project; pin to a board of your own`,
  );
}

function assertVersion({ title, version }: Board, given: number): void {
  if (version === given) return;
  throw new ConflictError(
    `${title} is at version ${version}, not ${given}: somebody else changed it; read it again and make your change on that`,
  );
}
