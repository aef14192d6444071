import type { PythonSandbox } from '@qpilot/python-sandbox';
import type { Tracing } from '../../base/tracing/tracing.ts';
import type { ToolRegistry } from '../tool-registry.ts';
import type { Tool } from '../tool.ts';

/** The same tools with a span for each run. */
export function tracedTools(tools: ToolRegistry, tracing: Tracing): ToolRegistry {
  if (!tracing.isOn) return tools;
  return {
    get schemas() {
      return tools.schemas;
    },
    names: tools.names,
    get(name) {
      const tool = tools.get(name);
      return tool && tracedTool(tool, tracing);
    },
    without: (name) => tracedTools(tools.without(name), tracing),
    with: (...more) => tracedTools(tools.with(...more), tracing),
    withHidden: (tool) => tracedTools(tools.withHidden(tool), tracing),
  };
}

const tracedTool = (tool: Tool, tracing: Tracing): Tool => ({
  ...tool,
  run: (args, context) =>
    tracing.span(
      `execute_tool ${tool.name}`,
      {
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': tool.name,
          'gen_ai.tool.type': 'function',
        },
      },
      () => tool.run(args, context),
    ),
});

/** The same sandbox with a span for each analysis. */
export const tracedSandbox = (sandbox: PythonSandbox, tracing: Tracing): PythonSandbox =>
  tracing.isOn
    ? {
        ...sandbox,
        run: (code, dataJson, options) =>
          tracing.span(
            'run python',
            { attributes: { 'qpilot.data.bytes': dataJson.length } },
            async (span) => {
              const result = await sandbox.run(code, dataJson, options);
              // The error itself may quote the code.
              if (result.error !== null) span.fail('the analysis gave an error');
              return result;
            },
          ),
      }
    : sandbox;
