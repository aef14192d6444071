import type { BoardItem as DomainItem, BoardShow } from '../../src/domain/boards/board.ts';
import { sharedPage } from '../../src/domain/members/pages.ts';
import type { Visibility } from '../../src/domain/members/sharing.ts';
import { mayChange } from '../../src/services/boards/boards.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { keyOf } from '../node-ids.ts';
import { RESULTS_READ } from '../read-costs.ts';
import { Board, Chart, DataTable, Freshness, TurnError, User, type ContentOfItem } from '../refs.ts';
import { contentKey } from './content-key.ts';
import { TimeRangeInput, TimeRangeRef, TimeSpanRef } from './time-range.ts';

export const BoardVisibilityEnum = enumOf<Visibility>('BoardVisibility', 'Who may read a board.', {
  PRIVATE: 'Its owner alone.',
  PROJECT: 'All members of the project.',
  LINK: 'Members of the project who open its link.',
});

export const BoardShowEnum = enumOf<BoardShow>('BoardShow', 'What of a read an item shows.', {
  CHART: 'A chart.',
  TABLE: 'A table.',
  WORDS: 'Its sentences.',
  ANSWER: 'Its sentences with its first chart, or its first table where it has no chart.',
});

const BoardContent = builder.objectRef<ContentOfItem>('BoardContent').implement({
  description:
    'What an item of a board shows, read for this request. One of chart, table, words and error is there; words beside a chart or table for ANSWER.',
  fields: (t) => ({
    title: t.exposeString('title', {
      description: 'Title of the item, else of what it shows; may be empty.',
    }),
    chart: t.field({
      type: Chart,
      nullable: true,
      description: 'The chart; null where there is none.',
      resolve: ({ chart, key }) => chart && { key, callId: null, spec: chart },
    }),
    table: t.field({
      type: DataTable,
      nullable: true,
      description: 'The table; null where there is none.',
      resolve: ({ table, key }) => table && { key, callId: null, spec: table },
    }),
    words: t.exposeString('words', {
      nullable: true,
      description:
        'Sentences, for WORDS and ANSWER, and where the read has nothing to draw and they say why; null otherwise.',
    }),
    freshness: t.expose('freshness', {
      type: Freshness,
      nullable: true,
      description: 'Age of its values; null without values.',
    }),
    span: t.expose('span', {
      type: TimeSpanRef,
      nullable: true,
      description:
        "Times that were asked for in place of the item's own; null where the item has no such times.",
    }),
    readAt: t.expose('readAt', { type: 'DateTime', description: 'When it was read.' }),
    error: t.expose('error', {
      type: TurnError,
      nullable: true,
      description: 'Why there is nothing; null where there is.',
    }),
  }),
});

const BoardItem = builder.objectRef<DomainItem & { readonly boardId: string }>('BoardItem').implement({
  rule: 'viewer: shared',
  description: 'A read on a board.',
  fields: (t) => ({
    itemId: t.exposeID('id', { description: 'Its id within the board.' }),
    title: t.exposeString('title', {
      nullable: true,
      description: 'A title that somebody gave it; null: that of what it shows.',
    }),
    tool: t.string({ description: 'The tool that reads it.', resolve: ({ query }) => query.tool }),
    arguments: t.field({
      type: 'JSON',
      description: 'What the tool is asked, an object.',
      resolve: ({ query }) => query.arguments,
    }),
    show: t.expose('show', { type: BoardShowEnum, description: 'What of the read it shows.' }),
    index: t.exposeInt('index', { description: 'Which of several charts or tables of the read, from 0.' }),
    span: t.exposeInt('span', { description: 'Columns of the board that it takes, 1 to 3.' }),
    content: t.field({
      type: BoardContent,
      description:
        'What it shows, read with the rights of the viewer. A read that fails is an error of its own here. Ask for one item in a request, so that none waits for another.',
      complexity: RESULTS_READ,
      args: {
        range: t.arg({
          type: TimeRangeInput,
          required: false,
          description: 'Times in place of its own; omit it for its own.',
        }),
      },
      resolve: async ({ boardId, ...item }, args, { services, viewer, signal }) => {
        const range = services.boards.rangeOf(args.range ?? null);
        const content = await services.boards.content(viewer, item, { range, signal });
        return { ...content, key: contentKey({ boardId, itemId: item.id, range }) };
      },
    }),
  }),
});

builder.node(Board, {
  rule: 'viewer: shared',
  description: 'Charts, tables and sentences of stored results, each kept as the read that makes it.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.board.load(id),
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Its title.' }),
    visibility: t.expose('visibility', { type: BoardVisibilityEnum, description: 'Who may read it.' }),
    shareLink: t.string({
      nullable: true,
      description:
        'Path of the page that opens it, for its owner to hand on; null unless it is shared by link.',
      resolve: ({ viewerId, shareKey }, _args, { viewer }) =>
        viewerId === viewer.id && shareKey !== null ? sharedPage(viewer.projectId, shareKey) : null,
    }),
    owner: t.field({
      type: User,
      description: 'Who made it.',
      resolve: ({ viewerId }, _args, { loaders }) => loaders.user.load(viewerId),
    }),
    isOwn: t.boolean({
      description: 'Whether the viewer made it.',
      resolve: ({ viewerId }, _args, { viewer }) => viewerId === viewer.id,
    }),
    mayChange: t.boolean({
      description: 'Whether the viewer may change it: its owner may, and admins where it is of the project.',
      resolve: (board, _args, { viewer }) => mayChange(viewer, board),
    }),
    version: t.exposeInt('version', { description: 'Grows by one with each change.' }),
    range: t.expose('range', {
      type: TimeRangeRef,
      nullable: true,
      description: 'Times for all items that have times; null: each its own.',
    }),
    items: t.field({
      type: [BoardItem],
      description: 'In their order, at most 24.',
      resolve: ({ id, items }) => items.map((item) => ({ ...item, boardId: id })),
    }),
    item: t.field({
      type: BoardItem,
      nullable: true,
      description: 'One of its items; null where it has none of that id.',
      args: { itemId: t.arg.id({ description: 'The `itemId` of a BoardItem.' }) },
      resolve: (board, { itemId }) => {
        const item = board.items.find(({ id }) => id === itemId);
        return item ? { ...item, boardId: board.id } : null;
      },
    }),
    itemCount: t.int({ description: 'Number of its items.', resolve: ({ items }) => items.length }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

builder.queryFields((t) => ({
  boards: t.field({
    rule: 'viewer: shared',
    type: [Board],
    description: 'Boards of the viewer, and those of the project, the last changed first; at most 200.',
    resolve: async (_root, _args, { services, viewer }) => [...(await services.boards.list(viewer))],
  }),
  board: t.field({
    rule: 'viewer: shared',
    type: Board,
    nullable: true,
    description: 'A board; null where there is none that the viewer may read.',
    args: { id: t.arg.id({ description: 'Id of a Board.' }) },
    resolve: (_root, { id }, { loaders }) => loaders.board.load(keyOf('Board', id)),
  }),
}));
