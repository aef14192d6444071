/** The laboratory's own MCP servers, as the settings file lists them. Secrets are named there, never written. */
import { z } from 'zod';

/** Variables that a server may be given: their values come from the environment, or from files by `…_FILE`. */
export const MCP_SECRET = /^MCP_[A-Z0-9_]+_(?:TOKEN|KEY|SECRET|URL)$/u;

/** Stands for all servers where experts name them. */
export const ALL_SERVERS = 'all';

const secretName = z.string().regex(MCP_SECRET, {
  error: 'must name an environment variable such as MCP_FRIDGE_TOKEN, which holds the secret',
});

/** A tool's name as its server has it; `*` stands for any characters. */
const toolPatterns = z
  .array(z.string().min(1).max(128), {
    error: 'must be a list of names of tools; * stands for any characters',
  })
  .max(100);

/** Without `_`, so that a tool's name says where its server's ends. */
const serverName = z
  .string()
  .regex(/^[a-z][a-z0-9]{0,19}$/u, {
    error: 'must be at most 20 letters and digits in lower case, such as fridge',
  })
  .refine((name) => name !== ALL_SERVERS, { error: 'must not be all, which stands for every server' });

const serverSettings = z
  .strictObject({
    name: serverName,
    /** What it is, for people and models. */
    title: z.string().min(1).max(80).optional(),
    url: z.url({ protocol: /^https?$/u, error: 'must be an http or https address' }).optional(),
    /** Name of the variable whose value is sent as bearer token. */
    token: secretName.optional(),
    /** The program and its arguments. */
    command: z.array(z.string().min(1)).min(1).max(50).optional(),
    /** Variables of the program, with the names of ours that hold their values. */
    env: z.record(z.string().regex(/^\w{1,100}$/u), secretName).default({}),
    projects: z.union([z.literal('all'), z.array(z.string().min(1)).min(1)], {
      error: 'must be a list of project ids, or all',
    }),
    /** Those that may be called; nothing else is. */
    tools: toolPatterns.min(1, 'must name the tools that may be called; "*" allows all'),
    /** Those that only read; every other one needs an approval for each call. */
    reads: toolPatterns.default([]),
    /** Whether the server's own word that a tool only reads is believed. */
    trustHints: z.boolean().default(false),
    /** For one call. */
    seconds: z.number().positive().max(600).default(20),
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
    error: 'must have either url or command',
  })
  .refine(({ url, token }) => token === undefined || url !== undefined, {
    error: 'token is sent to a url; a command is given its secrets by env',
  })
  .refine(({ url }) => url === undefined || !/^https?:\/\/[^/]*@/u.test(url), {
    error: 'url must hold no user or password; name the variable with the token as token',
  });

/** The list in the settings file. */
export const mcpServerSettings = z
  .array(serverSettings)
  .max(20)
  .default([])
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    error: 'names a server twice',
  });

/** One server. */
export type McpServerSettings = z.infer<typeof serverSettings>;
