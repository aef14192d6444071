/**
 * The connection to one of the lab's MCP servers: opened on demand and again after it broke, with pauses between tries
 * that fail. It remembers the tools that the server listed last, so that a server that is away changes no prompt.
 */
import { Client, SdkHttpError } from '@modelcontextprotocol/client';
import { LabServerError, ServiceBusyError } from '../../base/errors.ts';
import { FairGate } from '../../base/fair-gate.ts';
import type { Logger } from '../../base/log.ts';
import type { McpServerSettings } from '../../config/mcp-servers.ts';
import { labResultOf, type LabResult } from './lab-result.ts';
import { labToolsOf, type LabTool, type LabTools } from './lab-tool.ts';
import { faultOf, messageOf, withoutSecrets } from './server-faults.ts';
import { callScope, tooLarge, transportTo } from './transports.ts';

/** Whether a server is there, in words for its operator. */
export type LabServerState = {
  readonly name: string;
  readonly title: string | null;
  readonly transport: 'HTTP' | 'STDIO';
  /** Null: nobody has asked it yet. */
  readonly isThere: boolean | null;
  /** Why it is not there. */
  readonly problem: string | null;
  readonly tools: readonly Pick<LabTool, 'name' | 'tool' | 'writes'>[];
  readonly unfit: LabTools['unfit'];
};

/** Bounds of a link, in milliseconds. */
export type LinkTimes = {
  readonly connectMs: number;
  /** Tools that were listed longer ago are listed again. */
  readonly listedForMs: number;
  readonly leastPauseMs: number;
  readonly mostPauseMs: number;
};

export const LINK_TIMES: LinkTimes = {
  // A program may have to be fetched first; nobody waits for it.
  connectMs: 30_000,
  listedForMs: 30_000,
  leastPauseMs: 1_000,
  mostPauseMs: 60_000,
};

/** Calls of one server at once, one of each person. */
const AT_ONCE = 4;
/** Calls that time out before the server counts as away. */
const MOST_TIMEOUTS = 3;
const NO_TOOLS: LabTools = { tools: [], unfit: [] };

export type LabServerLinkOptions = {
  readonly settings: McpServerSettings;
  /** Values by the names of their variables. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly times?: LinkTimes;
};

/** One server. Whoever makes it closes it. */
export class LabServerLink {
  readonly #options: LabServerLinkOptions;
  readonly #times: LinkTimes;
  readonly #gate: FairGate;
  readonly #withoutSecrets: <Value>(value: Value) => Value;
  #client: Promise<Client> | null = null;
  /** Why the connection closed, where that is known better than by the error of its calls. */
  #lost: LabServerError | null = null;
  #listing: Promise<void> | null = null;
  #listedAt = Number.NEGATIVE_INFINITY;
  #known = NO_TOOLS;
  #problem: string | null = null;
  #failures = 0;
  #timeouts = 0;
  #retryAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: LabServerLinkOptions) {
    this.#options = options;
    this.#times = options.times ?? LINK_TIMES;
    const { token, env } = options.settings;
    const names = [token, ...Object.values(env)];
    this.#withoutSecrets = withoutSecrets(
      names.flatMap((name) => (name === undefined ? [] : (options.secrets[name] ?? []))),
    );
    this.#gate = new FairGate({ width: AT_ONCE, waitMs: options.settings.seconds * 1_000 });
  }

  get settings(): McpServerSettings {
    return this.#options.settings;
  }

  get tools(): readonly LabTool[] {
    return this.#known.tools;
  }

  get state(): LabServerState {
    const { name, title = null, url } = this.settings;
    const wasAsked = this.#problem !== null || this.#listedAt > Number.NEGATIVE_INFINITY;
    return {
      name,
      title,
      transport: url === undefined ? 'STDIO' : 'HTTP',
      isThere: wasAsked ? this.#problem === null : null,
      problem: this.#problem,
      ...this.#known,
    };
  }

  /** Lists the tools anew where that is due. Never rejects: a server that is away keeps the tools that it had. */
  refresh(): Promise<void> {
    const now = performance.now();
    const isDue = now - this.#listedAt >= this.#times.listedForMs && now >= this.#retryAt;
    if (this.#listing === null && isDue && !this.#isClosed) {
      this.#listing = this.#list().finally(() => (this.#listing = null));
    }
    return this.#listing ?? Promise.resolve();
  }

  /**
   * Calls a tool as it was when the turn began. `caller`: calls of one person go one after another.
   * @throws LabServerError, or the reason of `signal`
   */
  async call(
    tool: LabTool,
    args: Readonly<Record<string, unknown>>,
    { caller, signal }: { readonly caller: string; readonly signal: AbortSignal },
  ): Promise<LabResult> {
    try {
      return await this.#gate.run(caller, async () => {
        signal.throwIfAborted();
        const known = this.#known.tools.find(({ name }) => name === tool.name);
        if (known?.fingerprint !== tool.fingerprint) throw changed(tool);
        const answer = await this.#asked(signal, (client, stop) =>
          client.callTool({ name: tool.tool, arguments: { ...args } }, this.#bounds(stop)),
        );
        return labResultOf(tool.server, answer, this.#withoutSecrets);
      });
    } catch (error) {
      if (error instanceof ServiceBusyError)
        throw this.#error('MCP_TIMEOUT', 'has more calls than it can answer now', error, true);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#drop();
    await this.#listing;
  }

  async #list(): Promise<void> {
    try {
      const { tools } = await this.#asked(AbortSignal.timeout(this.#times.connectMs * 2), (client, stop) =>
        client.listTools(undefined, { ...this.#bounds(stop), cacheMode: 'bypass' }),
      );
      this.#known = labToolsOf(this.settings, this.#withoutSecrets(tools));
      this.#listedAt = performance.now();
      for (const { tool, reason } of this.#known.unfit) {
        this.#options.log.warn(
          { server: this.settings.name, tool, reason },
          'a tool of an MCP server is left out',
        );
      }
    } catch (error) {
      const { log } = this.#options;
      if (!this.#isClosed)
        log.warn(
          { server: this.settings.name, why: messageOf(error) },
          'an MCP server did not list its tools',
        );
      this.#pause(error);
    }
  }

  /** Asks the connected server; a session that it forgot is begun anew, since nothing was done in it. */
  async #asked<T>(signal: AbortSignal, ask: (client: Client, stop: AbortSignal) => Promise<T>): Promise<T> {
    for (let isAgain = false; ; isAgain = true) {
      const client = await this.#connected(signal);
      const ended = new AbortController();
      const over = new AbortController();
      const stop = AbortSignal.any([signal, ended.signal]);
      const scope = {
        signal: AbortSignal.any([signal, over.signal]),
        onEnd: (error: LabServerError) => over.signal.aborted || ended.abort(error),
      };
      try {
        const answer = await callScope.run(scope, () => ask(client, stop));
        this.#failures = 0;
        this.#timeouts = 0;
        this.#problem = null;
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        const cause: unknown = ended.signal.aborted ? ended.signal.reason : error;
        if (!isAgain && cause instanceof SdkHttpError && cause.status === 404) {
          await this.#drop();
          continue;
        }
        const known = this.#faultOf(cause);
        if (known.code === 'MCP_TIMEOUT') this.#timeouts += 1;
        if (isBroken(known) || this.#timeouts >= MOST_TIMEOUTS) {
          this.#pause(known);
          await this.#drop();
        }
        throw known;
      } finally {
        over.abort();
      }
    }
  }

  async #connected(signal: AbortSignal): Promise<Client> {
    const left = this.#retryAt - performance.now();
    if (left > 0) {
      const again = `it is tried again in ${Math.ceil(left / 1_000)} s`;
      const why = this.#problem ?? `${this.settings.name} is away`;
      throw new LabServerError('MCP_SERVER_AWAY', `${why}; ${again}`, { retryable: true });
    }
    if (this.#isClosed)
      throw this.#error('MCP_SERVER_AWAY', 'is not asked any more: this server is stopping');
    this.#client ??= this.#connect();
    const connecting = this.#client;
    const { promise, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([connecting, promise]);
    } catch (error) {
      signal.throwIfAborted();
      const known = this.#faultOf(error);
      if (this.#client === connecting) {
        this.#client = null;
        this.#pause(known);
      }
      throw known;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #connect(): Promise<Client> {
    const { connectMs } = this.#times;
    const client = new Client(
      { name: 'qpilot', version: '1' },
      {
        capabilities: {},
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: connectMs / 3 } },
        inputRequired: { autoFulfill: false },
        // What a server promises of its results helps nobody who does not trust them.
        jsonSchemaValidator: {
          getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
        },
        listMaxPages: 20,
      },
    );
    let broken: Error | null = null;
    client.onerror = (error) => (broken = error);
    client.onclose = () => {
      if (this.#client !== null && !this.#isClosed) {
        this.#options.log.warn({ server: this.settings.name, why: messageOf(broken) }, 'lost an MCP server');
      }
      if (broken !== null && /exceeded maximum size/iu.test(broken.message))
        this.#lost = tooLarge(this.settings.name);
      this.#client = null;
    };
    const transport = transportTo(this.settings, this.#options.secrets);
    try {
      await client.connect(transport, { timeout: connectMs, maxTotalTimeout: connectMs });
    } catch (error) {
      await transport.close().catch(() => undefined);
      throw error;
    }
    return client;
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.then((open) => open.close()).catch(() => undefined);
  }

  #pause(error: unknown): void {
    const { leastPauseMs, mostPauseMs } = this.#times;
    this.#problem = messageOf(error);
    if (performance.now() < this.#retryAt) return;
    this.#retryAt = performance.now() + Math.min(mostPauseMs, leastPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#timeouts = 0;
  }

  #bounds(signal: AbortSignal): { signal: AbortSignal; timeout: number; maxTotalTimeout: number } {
    const timeout = this.settings.seconds * 1_000;
    return { signal, timeout, maxTotalTimeout: timeout };
  }

  #faultOf(error: unknown): LabServerError {
    const lost = this.#lost;
    this.#lost = null;
    const { code, message, cause, retryable } = faultOf(this.settings.name, error, lost);
    return new LabServerError(code, this.#withoutSecrets(message), { cause, retryable });
  }

  #error(code: LabServerError['code'], words: string, cause?: unknown, retryable = false): LabServerError {
    return new LabServerError(code, `${this.settings.name} ${words}`, { cause, retryable });
  }
}

const isBroken = ({ code }: LabServerError): boolean =>
  code === 'MCP_SERVER_AWAY' || code === 'MCP_NOT_MCP' || code === 'MCP_SERVER_REFUSED';

const changed = ({ server, tool }: LabTool): LabServerError =>
  new LabServerError(
    'MCP_TOOL_CHANGED',
    `${server} has changed ${tool}, or has it no more, since this turn began; a new message sees what it offers now`,
  );
