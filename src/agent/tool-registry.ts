import type { ToolSchema } from './model.ts';
import { strictSchema } from './tool-schema.ts';
import type { Tool } from './tool.ts';

/** The tools of one turn by name, and what the model reads of them. */
export type ToolRegistry = {
  /** In the order given, which is part of the prompt: a stable order keeps the provider's cache warm. */
  readonly schemas: readonly ToolSchema[];
  readonly names: readonly string[];
  get(name: string): Tool | null;
  without(name: string): ToolRegistry;
  /** With these tools at the end, but for those that are there already. */
  with(...tools: readonly Tool[]): ToolRegistry;
  /** Can run this tool, too, without showing it: what the model reads of the tools stays the same. */
  withHidden(tool: Tool): ToolRegistry;
};

/** JSON schemas by zod schema, built once: registries are made for every turn. */
const built = new WeakMap<Tool['args'], ToolSchema['parameters']>();

function parametersOf(tool: Tool): ToolSchema['parameters'] {
  if (tool.outside) return tool.outside.parameters;
  const schema = built.get(tool.args) ?? strictSchema(tool);
  built.set(tool.args, schema);
  return schema;
}

/**
 * Registers tools. `packages` are the modules that Python analysis may import; the sandbox knows them once it runs.
 * @throws Error for two tools of one name, or arguments that strict mode cannot express: mistakes in a definition.
 */
export function createToolRegistry(tools: readonly Tool[], packages: () => readonly string[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`two tools are named ${tool.name}`);
    byName.set(tool.name, tool);
    parametersOf(tool);
  }
  return {
    get schemas() {
      const context = { packages: packages() };
      return tools.map((tool) => ({
        name: tool.name,
        description: typeof tool.description === 'string' ? tool.description : tool.description(context),
        parameters: parametersOf(tool),
        ...(tool.outside && { strict: false as const }),
      }));
    },
    names: [...byName.keys()],
    get: (name) => byName.get(name) ?? null,
    without: (name) =>
      createToolRegistry(
        tools.filter((tool) => tool.name !== name),
        packages,
      ),
    with(...more) {
      const added = more.filter(({ name }) => !byName.has(name));
      return added.length === 0 ? this : createToolRegistry([...tools, ...added], packages);
    },
    withHidden(tool) {
      return { ...this, get: (name) => (name === tool.name ? tool : (byName.get(name) ?? null)) };
    },
  };
}
