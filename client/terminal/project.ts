/** Which project a program of the terminal works in. */
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { AskError, headersFor, type Server } from './http.ts';
import { keepProject, lastProject } from './tokens.ts';

type Env = Readonly<Record<string, string | undefined>>;

const choice = z.object({
  projects: z.array(z.object({ projectId: z.string(), name: z.string(), role: z.string() })),
  usual: z.string().nullable(),
});
type Choice = z.infer<typeof choice>;
type Project = Choice['projects'][number];

/** A server that does not answer by then is asked without: what is sent to it next says why it does not answer. */
const ANSWERS_WITHIN_MS = 10_000;

/** The projects of whoever has the token; null where the server does not say. */
async function readChoice(server: Omit<Server, 'project'>): Promise<Choice | null> {
  try {
    const response = await fetch(`${server.url}/auth/me`, {
      headers: headersFor({ ...server, project: null }),
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    return choice.safeParse(await response.json()).data ?? null;
  } catch {
    return null;
  }
}

const lineOf = ({ projectId, name, role }: Project): string =>
  `${projectId}${name === projectId ? '' : `  ${name}`} (${role})`;

const listOf = (projects: readonly Project[]): string =>
  projects.map((project) => `  ${lineOf(project)}`).join('\n');

async function askWhich(projects: readonly Project[], url: string): Promise<Project> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const lines = projects.map((project, index) => `  ${index + 1}  ${lineOf(project)}`);
    process.stderr.write(`Your projects at ${url}:\n${lines.join('\n')}\n`);
    for (;;) {
      const said = (await terminal.question('Which one? ')).trim();
      const found = projects[Number(said) - 1] ?? named(projects, said);
      if (found !== undefined) return found;
    }
  } finally {
    terminal.close();
  }
}

/** By its id, else by a name that only one has. */
function named(projects: readonly Project[], said: string): Project | undefined {
  const [byName, ...others] = projects.filter(({ name }) => name === said);
  return projects.find(({ projectId }) => projectId === said) ?? (others.length === 0 ? byName : undefined);
}

/**
 * The project to name: the one that is given, else the one of `QPILOT_PROJECT`, the last one at that server, the usual one
 * of the server, or the one that somebody at a terminal chooses now. What is given or chosen is remembered, unless
 * `isProgram`: a program cannot be asked, and its project is in its configuration. Null leaves it to the server.
 * @throws AskError, which lists the projects, where it cannot know
 */
export async function projectFor(
  server: Omit<Server, 'project'>,
  given: string | undefined,
  { env, isProgram }: { readonly env: Env; readonly isProgram: boolean },
): Promise<string | null> {
  const { url } = server;
  const wanted = given ?? (env['QPILOT_PROJECT'] || undefined);
  const last = await lastProject(url, env);
  const known = await readChoice(server);
  if (known === null || known.projects.length === 0) return wanted ?? last;
  const { projects, usual } = known;
  if (wanted !== undefined) {
    const found = named(projects, wanted);
    if (found === undefined)
      throw new AskError(
        `you have no project ${wanted} at ${url}; name one of yours with --project:\n${listOf(projects)}`,
      );
    if (given !== undefined && !isProgram) await keepProject(url, found.projectId, env);
    return found.projectId;
  }
  const found = [last, usual].find((id) => id !== null && projects.some(({ projectId }) => projectId === id));
  if (found !== undefined) return found;
  if (isProgram || !process.stdin.isTTY || !process.stderr.isTTY)
    throw new AskError(`you have several projects at ${url}; name one with --project:\n${listOf(projects)}`);
  const { projectId } = await askWhich(projects, url);
  await keepProject(url, projectId, env);
  return projectId;
}
