import { randomUUID } from 'node:crypto';

/** Names an operation, or a request that never became one, so that a masked error's line can be found in the log. */
export const newRequestId = (): string => randomUUID();
