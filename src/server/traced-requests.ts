import type { IncomingMessage, RequestListener } from 'node:http';
import { once } from 'node:events';
import type { Plugin } from 'graphql-yoga';
import { getOperationAST, type ExecutionArgs } from 'graphql';
import type { Tracing } from '../base/tracing/tracing.ts';

/** Wraps a listener: each request becomes a span that lasts as long as its response. */
export function tracedRequests(tracing: Tracing, listener: RequestListener): RequestListener {
  if (!tracing.isOn) return listener;
  return (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const path = url.split('?', 1)[0] ?? '/';
    const options = {
      kind: 'server',
      parent: traceparentOf(request),
      attributes: { 'http.request.method': method, 'url.path': path },
    } as const;
    void tracing.span(`${method} ${path}`, options, async (span) => {
      const closed = once(response, 'close');
      listener(request, response);
      await closed;
      span.set({ 'http.response.status_code': response.statusCode });
      if (response.statusCode >= 500) span.fail(`status ${response.statusCode}`);
    });
  };
}

/** The trace of a client's request; null without one. */
export function traceparentOf({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? traceparent : null;
}

/** A span for each query and mutation, but not for subscriptions, which last as long as somebody watches. */
export const useTracing = (tracing: Tracing): Plugin => ({
  onExecute({ args, executeFn, setExecuteFn }) {
    const operation = operationOf(args);
    const name = ['graphql', operation.type, operation.name].filter((word) => word !== undefined).join(' ');
    const attributes = { 'graphql.operation.type': operation.type, 'graphql.operation.name': operation.name };
    setExecuteFn((given: ExecutionArgs) =>
      tracing.span(name, { attributes }, async () => executeFn(given) as unknown),
    );
  },
});

function operationOf({ document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>) {
  const operation = getOperationAST(document, operationName);
  return { type: operation?.operation, name: operation?.name?.value };
}
