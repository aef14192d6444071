import type { ExecutionArgs } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { ClientGoneError } from '../base/errors.ts';
import { withinBudget } from '../base/read-budget.ts';
import { isMutation, type OperationContext } from './operation-context.ts';

/** Ends what a query reads of calibration databases when its client goes. Mutations are carried out all the same. */
export const useClosedRequests = (): Plugin<OperationContext> => ({
  onExecute({ args, executeFn, setExecuteFn }) {
    const { gone } = args.contextValue;
    if (gone === null || isMutation(args)) return;
    const execute: (args: ExecutionArgs) => unknown = executeFn;
    setExecuteFn(async (now: ExecutionArgs) => {
      const reads = new AbortController();
      const end = (): void => reads.abort(new ClientGoneError());
      gone.addEventListener('abort', end);
      if (gone.aborted) end();
      try {
        return await withinBudget(reads.signal, Infinity, () => execute(now));
      } finally {
        gone.removeEventListener('abort', end);
      }
    });
  },
});
