import type { ToolSchema } from './model.ts';
import { strictSchema } from './tool-schema.ts';
import type { Tool } from './tool.ts';

/** The tools of one kind of session, by name, with what a model is told of them. */
export type ToolRegistry = {
  /** In the order given, which is part of the prompt: a stable order keeps the provider's cache warm. */
  readonly schemas: readonly ToolSchema[];
  readonly names: readonly string[];
  get(name: string): Tool | null;
  /** The same tools but for one. */
  without(name: string): ToolRegistry;
  /** The same tools and, behind them, this one if it is not among them. */
  with(tool: Tool): ToolRegistry;
};

/**
 * Registers tools; `packages` are the modules that Python analysis may import, which its sandbox knows once it runs.
 * @throws Error for two tools of one name or arguments that strict mode cannot say: mistakes found at start.
 */
export function createToolRegistry(tools: readonly Tool[], packages: () => readonly string[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`two tools are named ${tool.name}`);
    byName.set(tool.name, tool);
  }
  const told = tools.map((tool) => ({ ...tool, parameters: strictSchema(tool) }));
  return {
    get schemas() {
      const context = { packages: packages() };
      return told.map(({ name, description, parameters }) => ({
        name,
        description: typeof description === 'string' ? description : description(context),
        parameters,
      }));
    },
    names: [...byName.keys()],
    get: (name) => byName.get(name) ?? null,
    without: (name) =>
      createToolRegistry(
        tools.filter((tool) => tool.name !== name),
        packages,
      ),
    with(tool) {
      return byName.has(tool.name) ? this : createToolRegistry([...tools, tool], packages);
    },
  };
}
