/**
 * The one schema builder. `schema/` is only the GraphQL surface: resolvers call a service or a loader from the context;
 * access checks, computations and queries are theirs.
 */
import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import SimpleObjectsPlugin from '@pothos/plugin-simple-objects';
import type { SentFile } from '../src/services/uploads.ts';
import { AuditsPluginName } from './audits.ts';
import type { GraphQLContext } from './context.ts';
import { decodeNodeId, encodeNodeId } from './node-ids.ts';
import './plugins.ts';
import { RulesPluginName } from './rules.ts';

/** What a field costs that reads nothing: see `read-costs.ts`. */
const PLAIN_FIELD = 0.5;

/** Assumed length of a list without a complexity of its own. */
const LIST_MULTIPLIER = 10;

/** The connection counts the rows of its page, so they are not counted again here. */
const ROWS_OF_PAGE = { field: 1, multiplier: 1 } as const;

/** Fields are non-null and inputs required by default. */
export const builder = new SchemaBuilder<{
  Context: GraphQLContext;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: true;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
    File: { Input: SentFile; Output: never };
  };
}>({
  plugins: [
    AuditsPluginName,
    RulesPluginName,
    ErrorsPlugin,
    ComplexityPlugin,
    RelayPlugin,
    SimpleObjectsPlugin,
  ],
  defaultFieldNullability: false,
  defaultInputFieldRequiredness: true,
  errors: { directResult: true, defaultTypes: [] },
  complexity: { defaultComplexity: PLAIN_FIELD, defaultListMultiplier: LIST_MULTIPLIER },
  relay: {
    encodeGlobalID: encodeNodeId,
    decodeGlobalID: decodeNodeId,
    nodeTypeOptions: {
      rule: 'viewer: project',
      description: 'An object with an id by which it can be fetched again.',
    },
    idFieldOptions: {
      description: 'Opaque id, unique across types; store and compare it, but do not parse it.',
    },
    nodeQueryOptions: {
      rule: 'viewer: project',
      description: 'Any object by its id; null if it does not exist in the project of the request.',
      args: { id: { description: 'An id returned by this API.' } },
    },
    nodesQueryOptions: false,
    cursorType: 'String',
    nodesOnConnection: {
      description: 'The rows of this page, for clients that do not need their cursors.',
      complexity: ROWS_OF_PAGE,
    },
    edgesFieldOptions: {
      description: 'The rows of this page with their cursors.',
      complexity: ROWS_OF_PAGE,
      nullable: { list: false, items: false },
    },
    nodeFieldOptions: { description: 'The row.', nullable: false },
    cursorFieldOptions: { description: 'Send this as `after` to get the rows after it.' },
    pageInfoFieldOptions: { description: 'Position of this page in the list.' },
    pageInfoTypeOptions: { description: 'Position of a page in its list.' },
    hasNextPageFieldOptions: { description: 'Whether more rows follow.' },
    hasPreviousPageFieldOptions: { description: 'Whether the page was requested with `after`.' },
    startCursorFieldOptions: { description: 'Cursor of the first row; null for an empty page.' },
    endCursorFieldOptions: { description: 'Cursor of the last row; null for an empty page.' },
  },
});

builder.queryType({
  description: 'Reads. They never change anything and never contact live instruments.',
});
builder.mutationType({
  description:
    'Changes. Each mutation takes one input; outcomes that a caller can act on are members of its result union.',
});
builder.subscriptionType({
  description: 'Streams, over graphql-ws or server-sent events.',
});
