import type { ToolResult } from '../../../src/agent/tool.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

/** One thing that arguments of a tool can say, and what must hold of the answer because it was said. */
export type ArgumentCase = {
  readonly tool: string;
  readonly says: string;
  /** Those left out are null. A function where they are to be looked up or made first. */
  readonly args: object | ((bench: ToolBench) => Promise<object>);
  readonly holds: (data: unknown, result: ToolResult) => void;
};

/** A case whose answer holds data of a known shape. */
export const argument = <Data>(
  tool: string,
  says: string,
  args: ArgumentCase['args'],
  holds: (data: Data, result: ToolResult) => void,
): ArgumentCase => ({ tool, says, args, holds: (data, result) => holds(data as Data, result) });
