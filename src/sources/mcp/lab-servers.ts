/** The lab's MCP servers of this process, by the settings and the secrets of the environment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LabServerError, StartupError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { McpServerSettings } from '../../config/mcp-servers.ts';
import type { LabResult } from './lab-result.ts';
import type { LabTool } from './lab-tool.ts';
import { LabServerLink, type LabServerState, type LinkTimes } from './server-link.ts';

/** To a project, the servers that it may not use do not exist. */
export type LabServers = {
  /** Whether any is set up, for whatever project. */
  readonly isSetUp: boolean;
  /** The tools of a project's servers, in a stable order. A server that is slow to list them is not waited for. */
  toolsOf(projectId: string): Promise<readonly LabTool[]>;
  /** @throws LabServerError, or the reason of `signal` */
  call(
    tool: LabTool,
    args: Readonly<Record<string, unknown>>,
    caller: { readonly projectId: string; readonly viewerId: string; readonly signal: AbortSignal },
  ): Promise<LabResult>;
  /** As they were last seen; they are looked at again meanwhile. */
  statesOf(projectId: string): readonly LabServerState[];
  /** Asks every server, and waits for all. */
  examine(): Promise<readonly LabServerState[]>;
  /** Begins to ask every server, and waits for none: a first turn has their tools then. */
  start(): void;
  close(): Promise<void>;
};

/** How long a turn waits for lists of tools. */
const LIST_MS = 500;

export type LabServersDeps = {
  readonly settings: readonly McpServerSettings[];
  readonly secrets: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly times?: LinkTimes;
};

/** Opens nothing until it is asked. @throws StartupError for a secret that is not set. */
export function createLabServers({ settings, secrets, log, times }: LabServersDeps): LabServers {
  for (const { name, token, env } of settings) {
    const missing = [token, ...Object.values(env)].find((each) => each !== undefined && !secrets[each]);
    if (missing !== undefined) {
      throw new StartupError(
        `MCP server ${name}: ${missing} is not set; set it to the secret, or take it out of mcpServers`,
      );
    }
  }
  const links = settings.map(
    (each) => new LabServerLink({ settings: each, secrets, log, ...(times && { times }) }),
  );
  const of = (projectId: string): readonly LabServerLink[] =>
    links.filter(({ settings: { projects } }) => projects === 'all' || projects.includes(projectId));
  return {
    isSetUp: links.length > 0,
    async toolsOf(projectId) {
      const own = of(projectId);
      if (own.length === 0) return [];
      const stop = new AbortController();
      const late = sleep(LIST_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      await Promise.race([Promise.all(own.map((link) => link.refresh())), late]);
      stop.abort();
      return own.flatMap(({ tools }) => tools);
    },
    async call(tool, args, { projectId, viewerId, signal }) {
      const link = of(projectId).find(({ settings: { name } }) => name === tool.server);
      if (link === undefined) {
        throw new LabServerError(
          'MCP_TOOL_CHANGED',
          `this project has no MCP server ${tool.server} any more`,
        );
      }
      return link.call(tool, args, { caller: viewerId, signal });
    },
    statesOf(projectId) {
      const own = of(projectId);
      for (const link of own) void link.refresh();
      return own.map(({ state }) => state);
    },
    async examine() {
      await Promise.all(links.map((link) => link.refresh()));
      return links.map(({ state }) => state);
    },
    start() {
      for (const link of links) void link.refresh();
    },
    async close() {
      await Promise.all(links.map((link) => link.close()));
    },
  };
}
