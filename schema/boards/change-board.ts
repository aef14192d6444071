import { InvalidInputError } from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { objectResult, resultOf } from '../errors.ts';
import { decodeNodeId, keyOf } from '../node-ids.ts';
import { Board } from '../refs.ts';
import { BoardShowEnum, BoardVisibilityEnum } from './board.ts';
import { TimeRangeInput } from './time-range.ts';

const CreateBoardInput = builder.inputType('CreateBoardInput', {
  description: 'A new board, without items.',
  fields: (t) => ({
    title: t.string({ description: '1 to 120 characters, not blank.' }),
    visibility: t.field({
      type: BoardVisibilityEnum,
      required: false,
      defaultValue: 'PRIVATE',
      description: 'Who may read it.',
    }),
  }),
});

const BoardItemInput = builder.inputType('BoardItemInput', {
  description: 'An item as it is to be.',
  fields: (t) => ({
    itemId: t.id({ description: 'As `BoardItem.itemId`; a UUID of your own for a new one.' }),
    title: t.string({ required: false, description: 'At most 120 characters; omit it for its own.' }),
    tool: t.string({ description: 'The tool that reads it.' }),
    arguments: t.field({ type: 'JSON', description: 'What it is asked, at most 4,000 characters.' }),
    show: t.field({ type: BoardShowEnum, description: 'What of the read it shows.' }),
    index: t.int({ required: false, defaultValue: 0, description: 'Which of several, from 0.' }),
    span: t.int({ required: false, defaultValue: 1, description: 'Columns, 1 to 3.' }),
  }),
});

const SaveBoardInput = builder.inputType('SaveBoardInput', {
  description: 'The whole board as it is to be: what is left out is gone.',
  fields: (t) => ({
    boardId: t.id({ description: 'Id of a Board.' }),
    version: t.int({ description: 'The version that was read.' }),
    title: t.string({ description: '1 to 120 characters, not blank.' }),
    visibility: t.field({ type: BoardVisibilityEnum, description: 'Who may read it; its owner decides.' }),
    range: t.field({
      type: TimeRangeInput,
      required: false,
      description: 'Times for all items; omit it for those of each.',
    }),
    items: t.field({ type: [BoardItemInput], description: 'In their order, at most 24.' }),
  }),
});

const PinToBoardInput = builder.inputType('PinToBoardInput', {
  description: 'What to pin: a chart or table of an answer by its id, a whole answer, or a read.',
  fields: (t) => ({
    boardId: t.id({ description: 'Id of a Board.' }),
    visualId: t.id({
      required: false,
      description: 'Id of a Chart of an answer, or of a DataTable; the tool call behind it is pinned.',
    }),
    messageId: t.id({
      required: false,
      description:
        'Id of a Message that is an answer: each of its tool calls that can be read again is pinned, as ANSWER.',
    }),
    tool: t.string({ required: false, description: 'The tool of a read, without an id.' }),
    arguments: t.field({ type: 'JSON', required: false, description: 'What it is asked, with `tool`.' }),
    show: t.field({
      type: BoardShowEnum,
      required: false,
      defaultValue: 'CHART',
      description: 'What of the read to show, with `tool`.',
    }),
    index: t.int({ required: false, defaultValue: 0, description: 'Which of several, with `tool`.' }),
    title: t.string({ required: false, description: 'At most 120 characters; omit it for its own.' }),
    span: t.int({ required: false, defaultValue: 1, description: 'Columns, 1 to 3.' }),
  }),
});

const DeleteBoardInput = builder.inputType('DeleteBoardInput', {
  description: 'The board to delete.',
  fields: (t) => ({
    boardId: t.id({ description: 'Id of a Board.' }),
    version: t.int({ required: false, description: 'Delete only if this is the newest version.' }),
  }),
});

const DeleteBoardPayload = builder
  .objectRef<{ readonly deletedBoardId: string }>('DeleteBoardPayload')
  .implement({
    description: 'The board is gone.',
    fields: (t) => ({
      deletedBoardId: t.exposeID('deletedBoardId', { description: 'Id of the former Board.' }),
    }),
  });

type Pinned = {
  readonly messageId?: string | null | undefined;
  readonly visualId?: string | null | undefined;
  readonly tool?: string | null | undefined;
  readonly arguments?: unknown;
};

/** @throws InvalidInputError unless it is one of the three */
function pinnedOf({ visualId, messageId, tool, arguments: given }: Pinned) {
  if ([visualId, messageId, tool].filter(Boolean).length !== 1)
    throw InvalidInputError.at(['input'], 'give one of visualId, messageId and tool');
  if (tool) return { query: { tool, arguments: given ?? {} } };
  if (messageId) return { answerId: keyOf('Message', messageId, ['input', 'messageId']) };
  if (!visualId) throw InvalidInputError.at(['input', 'visualId'], 'must be an id');
  const { typename, id } = decodeNodeId(visualId);
  if (typename === 'Chart') return { visual: { type: 'chart' as const, id } };
  if (typename === 'DataTable') return { visual: { type: 'table' as const, id } };
  throw InvalidInputError.at(
    ['input', 'visualId'],
    `this is the id of a ${typename}; give that of a Chart or DataTable of an answer`,
  );
}

const boardKey = (id: string): string => keyOf('Board', id, ['input', 'boardId']);

builder.mutationFields((t) => ({
  createBoard: t.field({
    rule: 'viewer: own',
    audit: 'CHANGE',
    type: objectResult('CreateBoard', {
      field: 'board',
      type: Board,
      about: 'The board.',
      description: 'The board was made.',
      errors: ['INVALID_INPUT'],
    }),
    description: 'Makes a board without items; a project has at most 200.',
    args: { input: t.arg({ type: CreateBoardInput, description: 'The board.' }) },
    resolve: async (_root, { input: { title, visibility } }, { services, viewer }) => ({
      board: await services.boards.create(viewer, { title, visibility: visibility ?? 'PRIVATE' }),
    }),
  }),
  saveBoard: t.field({
    rule: 'viewer: shared',
    audit: 'CHANGE',
    type: objectResult('SaveBoard', {
      field: 'board',
      type: Board,
      about: 'The board with its new version.',
      description: 'The board was saved.',
      errors: ['INVALID_INPUT', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
    }),
    description:
      'Replaces a board: its title, who may read it, its times, and its items with their order. CONFLICT where somebody changed it meanwhile; nothing is changed then.',
    args: { input: t.arg({ type: SaveBoardInput, description: 'The whole board.' }) },
    resolve: async (_root, { input: { boardId, items, ...board } }, { services, viewer }) => ({
      board: await services.boards.save(viewer, {
        ...board,
        boardId: boardKey(boardId),
        items: items.map(({ itemId, tool, arguments: given, title, show, index, span }) => ({
          id: itemId,
          query: { tool, arguments: given },
          title,
          show,
          index: index ?? 0,
          span: span ?? 1,
        })),
      }),
    }),
  }),
  pinToBoard: t.field({
    rule: 'viewer: shared',
    audit: 'CHANGE',
    type: objectResult('PinToBoard', {
      field: 'board',
      type: Board,
      about: 'The board with the item at its end.',
      description: 'The item was added.',
      errors: ['INVALID_INPUT', 'NOT_FOUND', 'FORBIDDEN'],
    }),
    description:
      'Adds an item at the end of a board, or one for each tool call of an answer, after it was read once. What no stored values can make again, such as a result of Python or of an uploaded table, is refused.',
    args: { input: t.arg({ type: PinToBoardInput, description: 'What to pin.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      board: await services.boards.pin(viewer, {
        boardId: boardKey(input.boardId),
        from: pinnedOf(input),
        title: input.title,
        show: input.show ?? 'CHART',
        index: input.index ?? 0,
        span: input.span ?? 1,
      }),
    }),
  }),
  deleteBoard: t.field({
    rule: 'viewer: shared',
    audit: 'DELETE',
    type: resultOf(DeleteBoardPayload, ['INVALID_INPUT', 'FORBIDDEN', 'CONFLICT']),
    description: 'Deletes a board, as its owner or as an admin. Deleting again changes nothing.',
    args: { input: t.arg({ type: DeleteBoardInput, description: 'The board.' }) },
    resolve: async (_root, { input: { boardId, version } }, { services, viewer }) => {
      await services.boards.remove(viewer, { boardId: boardKey(boardId), version });
      return { deletedBoardId: boardId };
    },
  }),
}));
