/** Finding things by their words. */
import type { TextRange as Range } from '../src/domain/text/search-words.ts';
import type { SearchHit as Hit } from '../src/services/search/search.ts';
import type { FoundRecords } from '../src/services/search/search-records.ts';
import { builder } from './builder.ts';
import { pageField, readPage } from './connections.ts';
import { enumOf } from './enums.ts';
import { encodeNodeId } from './node-ids.ts';
import { VALUES_READ } from './read-costs.ts';

const SearchKindEnum = enumOf<Hit['kind']>('SearchKind', 'What has the words.', {
  CONVERSATION: 'The title of a conversation whose questions do not have them.',
  QUESTION: 'A message of a person.',
  ANSWER: 'An answer, or what a phase of a job ended with.',
  JOB: 'Description, instructions, review or report of a job.',
  COMMENT: 'A comment on an answer or a job.',
  BUILDER: 'A message of a conversation with the builder, which its owner alone finds.',
  BOARD: 'Title of a board, or titles and questions of what is pinned to it.',
  NOTE: 'A remark in the database of the lab.',
  RESULT: 'Name, status, message or tags of a task result.',
});

const TextRange = builder.objectRef<Range>('TextRange').implement({
  description: 'A piece of a text, in UTF-16 units.',
  fields: (t) => ({
    from: t.exposeInt('from', { description: 'Its first unit.' }),
    to: t.exposeInt('to', { description: 'The unit behind its last.' }),
  }),
});

const inSession = ({ kind, place }: Hit) => ('sessionId' in place && kind !== 'BOARD' ? place : null);
const inRecords = ({ place }: Hit) => ('qid' in place ? place : null);

const SearchHit = builder.objectRef<Hit>('SearchHit').implement({
  rule: 'viewer: shared',
  description: 'Something in which all words are, with where to open it.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SearchKindEnum, description: 'What it is.' }),
    key: t.exposeID('key', { description: 'Tells it from the others of its kind; no id of a node.' }),
    title: t.exposeString('title', {
      description: 'Title of its conversation, description of its job, or what it is about.',
    }),
    titleMatches: t.field({
      type: [TextRange],
      description: 'Where the words are in the title.',
      resolve: ({ titleMatches }) => [...titleMatches],
    }),
    excerpt: t.exposeString('excerpt', {
      description: 'Its text around the first of the words, on one line, as written: not Markdown to render.',
    }),
    matches: t.field({
      type: [TextRange],
      description: 'Where the words are in the excerpt.',
      resolve: ({ matches }) => [...matches],
    }),
    at: t.expose('at', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was written or measured; null if unknown.',
    }),
    authorId: t.id({
      nullable: true,
      description: 'Whose conversation or job it is, or who wrote the comment; null for the lab.',
      resolve: ({ author }) => (author && 'userId' in author ? author.userId : null),
    }),
    author: t.string({
      nullable: true,
      description: 'Their name; null if unknown.',
      resolve: async ({ author }, _args, { loaders }) => {
        if (author === null) return null;
        return 'name' in author ? author.name : (await loaders.user.load(author.userId)).name;
      },
    }),
    chipId: t.exposeString('chipId', { nullable: true, description: 'The chip it is about; null for none.' }),
    sessionId: t.id({
      nullable: true,
      description: 'Id of its CopilotSession; null for what is in none.',
      resolve: (hit) => {
        const place = inSession(hit);
        return place && place.jobId === null && hit.kind !== 'BUILDER'
          ? encodeNodeId('CopilotSession', place.sessionId)
          : null;
      },
    }),
    builderSessionId: t.id({
      nullable: true,
      description: 'Id of its BuilderSession; null for what is in none.',
      resolve: ({ kind, place }) =>
        kind === 'BUILDER' && 'sessionId' in place ? encodeNodeId('BuilderSession', place.sessionId) : null,
    }),
    boardId: t.id({
      nullable: true,
      description: 'Id of the Board that it is; null for none.',
      resolve: ({ kind, key }) => (kind === 'BOARD' ? encodeNodeId('Board', key) : null),
    }),
    turnId: t.id({
      nullable: true,
      description: 'Id of its Turn, also where another branch is the newest; null for what is in none.',
      resolve: (hit) => {
        const turnId = inSession(hit)?.turnId ?? null;
        return turnId && encodeNodeId('Turn', turnId);
      },
    }),
    jobId: t.id({
      nullable: true,
      description: 'Id of its Job; null for what is in none.',
      resolve: (hit) => {
        const jobId = inSession(hit)?.jobId ?? null;
        return jobId && encodeNodeId('Job', jobId);
      },
    }),
    qid: t.string({
      nullable: true,
      description: 'Qubit (`12`) or coupling (`4-1`) that it is about; null for none.',
      resolve: (hit) => inRecords(hit)?.qid ?? null,
    }),
    taskId: t.string({
      nullable: true,
      description: 'The task result that it is or is about; null for none.',
      resolve: (hit) => inRecords(hit)?.taskId ?? null,
    }),
  }),
});

const SearchConnection = builder.connectionObject(
  {
    type: SearchHit,
    name: 'SearchConnection',
    description: 'A page of what was found, closest first; of what is as close the newest.',
    fields: (t) => ({
      isCut: t.boolean({
        description: 'More than 1,000 texts have the words, and only the newest of them were compared.',
        resolve: (connection) => (connection as unknown as { readonly isCut: boolean }).isCut,
      }),
    }),
  },
  { name: 'SearchHitEdge', description: 'A row with its cursor.' },
);

const RecordSearch = builder.objectRef<FoundRecords>('RecordSearch').implement({
  description: 'What was found in the database of the lab, and how far was looked.',
  fields: (t) => ({
    hits: t.field({
      type: [SearchHit],
      description: 'Newest first, at most 50.',
      resolve: ({ hits }) => [...hits],
    }),
    skippedChips: t.exposeInt('skippedChips', {
      description: 'Chips of the project in which was not looked; filter by chip to look there.',
    }),
    resultsOfChip: t.exposeInt('resultsOfChip', {
      description: 'The newest so many results of each chip, in the times asked for, were looked at.',
    }),
  }),
});

const SearchFilter = builder.inputType('SearchFilter', {
  description: 'Narrows a search; each part that is given must hold.',
  fields: (t) => ({
    kinds: t.field({ type: [SearchKindEnum], required: false, description: 'One of these kinds.' }),
    chipId: t.string({ required: false, description: 'About this chip, or naming it.' }),
    personId: t.id({
      required: false,
      description:
        'Of the conversations, jobs and boards of this user, or comments by them; of the lab, remarks by this name.',
    }),
    from: t.field({ type: 'DateTime', required: false, description: 'From this time on.' }),
    until: t.field({ type: 'DateTime', required: false, description: 'Before this time.' }),
  }),
});

const page = pageField();

builder.queryFields((t) => {
  const args = {
    text: t.arg.string({
      description:
        'Words, all of which must be there, in any case and order; `"…"` for words one behind the other. At most 200 characters.',
    }),
    filter: t.arg({ type: SearchFilter, required: false, description: 'Only such; omit it for all.' }),
  };
  return {
    search: t.field({
      rule: 'viewer: shared',
      type: SearchConnection,
      description:
        "Conversations, jobs, comments and boards by their words: the viewer's, and those that are shared with the viewer.",
      complexity: page.complexity,
      args: { ...args, ...page.args },
      resolve: async (_root, { text, filter, ...asked }, { services, viewer }) => {
        let isCut = false;
        const connection = await readPage(asked, async (request) => {
          const found = await services.search.texts(viewer, {
            text,
            filter: filter ?? null,
            ...request,
          });
          isCut = found.isCut;
          return found;
        });
        return { ...connection, isCut };
      },
    }),
    searchRecords: t.field({
      rule: 'viewer: project',
      type: RecordSearch,
      description: 'Remarks and task results in the database of the lab by their words.',
      complexity: { field: VALUES_READ, multiplier: 10 },
      args,
      resolve: (_root, { text, filter }, { services, viewer }) =>
        services.search.records(viewer, { text, filter: filter ?? null }),
    }),
  };
});
