/**
 * The one schema builder. `schema/` is the GraphQL surface only: it names things, checks access to nothing, computes
 * nothing and queries nothing; every resolver is one call of a service or loader from the context.
 */
import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import SimpleObjectsPlugin from '@pothos/plugin-simple-objects';
import type { SentFile } from '../src/services/uploads.ts';
import type { GraphQLContext } from './context.ts';
import { decodeNodeId, encodeNodeId } from './node-ids.ts';

/** Assumed number of rows of a list that says nothing else; a chip's own lists say more. */
const LIST_MULTIPLIER = 10;

/** A connection itself counts the rows of its page, so that its rows are not counted again. */
const ROWS_OF_PAGE = { field: 1, multiplier: 1 } as const;

/** Fields are non-null and inputs required unless they say otherwise. */
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
  plugins: [ErrorsPlugin, ComplexityPlugin, RelayPlugin, SimpleObjectsPlugin],
  defaultFieldNullability: false,
  defaultInputFieldRequiredness: true,
  errors: { directResult: true, defaultTypes: [] },
  complexity: { defaultComplexity: 1, defaultListMultiplier: LIST_MULTIPLIER },
  relay: {
    encodeGlobalID: encodeNodeId,
    decodeGlobalID: decodeNodeId,
    nodeTypeOptions: { description: 'Anything that has an id of its own and can be fetched again by it.' },
    idFieldOptions: { description: 'Opaque id, unique over all types; keep it, compare it, never parse it.' },
    nodeQueryOptions: {
      description: 'Any object by its id; null when it does not exist in the project of the request.',
      args: { id: { description: 'An id that this API gave out before.' } },
    },
    nodesQueryOptions: false,
    cursorType: 'String',
    nodesOnConnection: {
      description: 'The rows of this page, for clients that need no cursors in between.',
      complexity: ROWS_OF_PAGE,
    },
    edgesFieldOptions: {
      description: 'The rows of this page with their cursors.',
      complexity: ROWS_OF_PAGE,
      nullable: { list: false, items: false },
    },
    nodeFieldOptions: { description: 'The row.', nullable: false },
    cursorFieldOptions: { description: 'Give this as `after` to get the rows that follow.' },
    pageInfoFieldOptions: { description: 'Where this page lies in the whole list.' },
    pageInfoTypeOptions: { description: 'Where a page lies in its list.' },
    hasNextPageFieldOptions: { description: 'True when more rows follow this page.' },
    hasPreviousPageFieldOptions: { description: 'True when the page was asked for with `after`.' },
    startCursorFieldOptions: { description: 'Cursor of the first row; null for an empty page.' },
    endCursorFieldOptions: { description: 'Cursor of the last row; null for an empty page.' },
  },
});

builder.queryType({
  description: 'Everything that can be read. Reads never change anything and never ask live instruments.',
});
builder.mutationType({
  description:
    'Everything that can be done. Each mutation is one intention with one input; outcomes a caller can act on are members of its result union.',
});
builder.subscriptionType({
  description: 'Streams. The same ones are served over graphql-ws and over server-sent events.',
});
