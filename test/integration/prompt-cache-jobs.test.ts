/** How much of each request of a builder session and of a job its provider has read before, over each adapter. */
import { expect, test } from '@jest/globals';
import { builderClient } from '../support/builder-client.ts';
import { promptSegments, sharedShare, startCachingServer, textOf } from '../support/caching-provider.ts';
import { createTestApp } from '../support/create-test-app.ts';
import { runJob } from '../support/job-run.ts';
import { accessTo } from '../support/model-access.ts';
import { argumentsOf } from '../support/tool-bench.ts';
import { WIRES, type Said, type WireKind } from '../support/wire-bodies.ts';

const call = (id: string, tool: string, args: object): Said => ({
  call: [`call_a1b2c3d4${id}`, tool, JSON.stringify(args)],
});

/** A server whose model says this in turn, and the app that asks it. */
async function withModel(kind: WireKind, script: readonly (readonly Said[])[]) {
  const server = await startCachingServer(kind, (index) => [
    { thought: `Step ${index + 1}.` },
    ...(script[index] ?? [{ text: 'Done.' }]),
  ]);
  const app = await createTestApp({ demo: true, env: accessTo(kind, server) });
  return {
    app,
    prompts: () => server.requests.map((request) => promptSegments(kind, request)),
    close: async () => {
      await app.stop();
      await server.close();
    },
  };
}

type Prompts = ReturnType<Awaited<ReturnType<typeof withModel>>['prompts']>;
const sharesOf = (prompts: Prompts) =>
  prompts.slice(1).map((later, at) => Number(sharedShare(prompts[at]!, later).toFixed(3)));

const DRAFT = `# Drift of T1\n\n${'- Read the T1 history of each qubit and name what fell.\n'.repeat(12)}`;

test.each(WIRES)(
  'builder: the whole of the request before within a turn, nine tenths of it from turn to turn (%s)',
  async (kind) => {
    const { app, prompts, close } = await withModel(kind, [
      [call('1', 'update_instructions', { content: DRAFT })],
      [call('2', 'update_description', { content: 'Drift of T1' })],
      [{ text: 'Drafted.' }],
      [call('3', 'insert_instructions', { content: '- Name every source.', line: null })],
      [{ text: 'Added.' }],
    ]);
    try {
      const client = builderClient(app.url);
      const first = await client.send('Write a job about the drift of T1');
      await client.turn(first);
      const { artifacts } = (await client.session(first.session.id))!;
      const second = await client.send('Name every source', { sessionId: first.session.id, artifacts });
      await client.turn(second);
      const shares = sharesOf(prompts());
      expect(shares).toHaveLength(4);
      expect([shares[0], shares[1], shares[3]]).toEqual([1, 1, 1]);
      expect(shares[2]).toBeGreaterThanOrEqual(0.9);
    } finally {
      await close();
    }
  },
  60_000,
);

test.each(WIRES)(
  'job: the whole of the request before within a phase, instructions and tools from phase to phase (%s)',
  async (kind) => {
    const { app, prompts, close } = await withModel(kind, [
      [call('1', 'next_phase_todos', { goal: 'Know T1 of Q3', todos: ['Write down T1 of Q3'] })],
      [{ text: 'Planned.' }],
      [call('2', 'get_qubit_params', argumentsOf('get_qubit_params', { qid: '3' }))],
      [call('3', 'write_file', { path: 'report.md', content: '# T1 of Q3' })],
      [call('4', 'todo_complete', { todo_id: 1, result: 'Written down.' })],
      [{ text: 'Worked.' }],
      [call('5', 'finish_job', { report: 'report.md', summary: 'T1 of Q3 is written down.' })],
      [{ text: 'Finished.' }],
    ]);
    try {
      expect((await runJob(app.url, { description: 'What is T1 of Q3?', chipId: 'demo-64' })).status).toBe(
        'COMPLETED',
      );
      const sent = prompts();
      const shares = sharesOf(sent);
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.9);
      expect([0, 2, 3, 4, 6].map((at) => shares[at])).toEqual([1, 1, 1, 1, 1]);
      for (const at of [1, 5]) {
        const own = textOf(sent[at]!.slice(0, sent[0]!.length - 1));
        expect(textOf(sent[at + 1]!).startsWith(own)).toBe(true);
      }
    } finally {
      await close();
    }
  },
  60_000,
);
