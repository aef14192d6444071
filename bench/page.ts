/** What the pages of results have in common. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { format, resolveConfig } from 'prettier';

/** When and on which machine a run was made; to be asked at its end. */
export function runText(command: string, startedAt: Date): string {
  const time = startedAt.toISOString().slice(0, 16).replace('T', ' ');
  const processor = (cpus()[0]?.model ?? 'unknown').trim();
  const load = loadavg().map((each) => each.toFixed(1));
  return `Written by \`npm run ${command}\` on ${time} UTC. ${availableParallelism()} cores (${processor}), ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.version}, load ${load.join(', ')} over 1, 5 and 15 minutes at the end.`;
}

/** Writes Markdown as the check of formats wants it. */
export async function writePage(file: string, text: string): Promise<void> {
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), parser: 'markdown' }));
}
