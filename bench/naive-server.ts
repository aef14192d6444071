/**
 * What QPilot is compared with: a subscription that hands the model's tokens to the client as they come, on graphql-ws
 * and graphql-js as their manuals show it. No log, no turn, no second viewer, nothing left after a broken connection.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  GraphQLID,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { z } from 'zod';

/** Selects what QPilot's viewers select of a token. */
export const NAIVE_QUERY = 'subscription ($id: ID!) { tokens(id: $id) { __typename seq text offset } }';

const tokensArgs = z.object({ id: z.string() });

/** Serves the streams that `open` gives for their ids. */
export async function startNaiveServer(open: (id: string) => AsyncIterable<string>): Promise<{
  readonly url: string;
  close(): Promise<void>;
}> {
  const http = createServer();
  const disposable = useServer(
    { schema: tokensSchema(open) },
    new WebSocketServer({ server: http, path: '/graphql' }),
  );
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async close() {
      await disposable.dispose();
      const closed = once(http, 'close');
      http.close();
      await closed;
    },
  };
}

/** What QPilot is compared with, over whatever transport. */
export function tokensSchema(open: (id: string) => AsyncIterable<string>): GraphQLSchema {
  const Token = new GraphQLObjectType({
    name: 'Token',
    fields: {
      seq: { type: new GraphQLNonNull(GraphQLInt) },
      text: { type: new GraphQLNonNull(GraphQLString) },
      offset: { type: new GraphQLNonNull(GraphQLInt) },
    },
  });
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { ok: { type: GraphQLString } } }),
    subscription: new GraphQLObjectType({
      name: 'Subscription',
      fields: {
        tokens: {
          type: new GraphQLNonNull(Token),
          args: { id: { type: new GraphQLNonNull(GraphQLID) } },
          subscribe: (_root, args) => numbered(open(tokensArgs.parse(args).id)),
          resolve: (event: unknown) => event,
        },
      },
    }),
  });
}

async function* numbered(texts: AsyncIterable<string>) {
  let seq = 0;
  let offset = 0;
  for await (const text of texts) {
    seq += 1;
    yield { seq, text, offset };
    offset += text.length;
  }
}
