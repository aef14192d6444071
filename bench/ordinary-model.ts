/** What a model over the Responses API says in ordinary turns: the bench of bytes asks for them by the words of a question. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** 50 tokens a second, as large models in the cloud write. */
const TOKEN_MS = 20;

type Call = readonly [name: string, args: object];
type Step = readonly Call[] | string;

const SENTENCES = [
  'T1 of Q27 is 37.5 μs, the second shortest of the chip after Q45.',
  ' It has fallen for three weeks, from 61.2 μs to 37.5 μs, while its neighbours Q26 and Q28 kept theirs within 5 %.',
  ' The mean of the chip is 78.5 μs over 64 qubits with a standard deviation of 22.9 μs;',
  ' half of them lie above 83.7 μs, and only Q45 is rated bad.',
  ' The readout fidelity of Q58 is missing since its line is open, so that it counts in no figure of readout.',
  ' Two gates are below the limit: Q12-Q13 with 97.8 % and Q40-Q41 with 98.1 %.',
  ' I would measure Q27 again before the next cool-down, and look at the two-level defect at 4.6 GHz near Q45.',
];

/** Steps of each ordinary turn; a job runs them one after the other, over its phases. */
export const STEPS: Readonly<Record<'short' | 'tools' | 'job', readonly Step[]>> = {
  short: [SENTENCES.slice(0, 2).join('')],
  tools: [
    [['get_chip_summary', { chip_id: null, param_names: null }]],
    [
      ['rank_qubits', { chip_id: null, metric_name: 't1', order: 'worst', count: 5, within_hours: null }],
      ['generate_chip_heatmap', { chip_id: null, metric_name: 't1' }],
    ],
    SENTENCES.join(''),
  ],
  job: [
    [
      [
        'next_phase_todos',
        { goal: 'Know which qubits are short-lived', todos: ['Rank T1', 'Write the report'] },
      ],
    ],
    'The next phase ranks T1 and writes the report.',
    [['get_chip_summary', { chip_id: null, param_names: null }]],
    [['rank_qubits', { chip_id: null, metric_name: 't1', order: 'worst', count: 5, within_hours: null }]],
    [['todo_complete', { todo_id: 1, result: 'Q45 and Q27 have the shortest T1.' }]],
    [['write_file', { path: 'report.md', content: `# T1\n\n${SENTENCES.join('')}\n` }]],
    [['todo_complete', { todo_id: 2, result: 'The report is written.' }]],
    'Both to-dos are done.',
    [['finish_job', { report: 'report.md', summary: SENTENCES.slice(0, 4).join('') }]],
    SENTENCES.slice(0, 3).join(''),
  ],
};

const request = z.looseObject({
  input: z.array(
    z.looseObject({
      type: z.string().optional(),
      role: z.string().optional(),
      content: z.unknown().optional(),
    }),
  ),
});

/** Starts it on a free port. It answers one job at a time. */
export async function startOrdinaryModel(): Promise<{ readonly baseUrl: string; close(): void }> {
  let asked = 0;
  let askedByJob = 0;
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.method === 'GET') {
      response.end(JSON.stringify({ data: [] }));
      return;
    }
    const { input } = request.parse(JSON.parse(await textOf(incoming)));
    const question = input.findLastIndex(({ role }) => role === 'user');
    const words = JSON.stringify(input[question]?.content ?? '');
    const kind = words.includes('(short)') ? 'short' : words.includes('(tools)') ? 'tools' : 'job';
    const steps = STEPS[kind];
    const round = kind === 'job' ? askedByJob++ % steps.length : roundsIn(input.slice(question));
    const step = steps[round] ?? [];
    asked += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for await (const piece of typeof step === 'string' ? said(step, asked) : called(step, asked)) {
      response.write(piece);
    }
    response.end();
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      console.error('model:', error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Calls that follow each other are of one round. */
const roundsIn = (input: z.infer<typeof request>['input']): number =>
  input.filter(({ type }, at) => type === 'function_call' && input[at - 1]?.type !== 'function_call').length;

const frames = (...events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

async function* said(text: string, index: number): AsyncGenerator<string> {
  const id = `msg_${index.toString(16).padStart(48, '0')}`;
  for (const token of text.match(/\s?\S{1,4}/gu) ?? []) {
    yield frames({ type: 'response.output_text.delta', output_index: 0, item_id: id, delta: token });
    await sleep(TOKEN_MS);
  }
  const item = {
    type: 'message',
    id,
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  yield frames({ type: 'response.output_item.done', output_index: 0, item }, completed(text.length));
}

async function* called(calls: readonly Call[], index: number): AsyncGenerator<string> {
  yield frames(
    ...calls.map(([name, args], place) => ({
      type: 'response.output_item.done',
      output_index: place,
      item: {
        type: 'function_call',
        id: `fc_${index.toString(16)}_${place}`.padEnd(51, '0'),
        call_id: `call_${index.toString(16)}_${place}`.padEnd(29, '0'),
        status: 'completed',
        name,
        arguments: JSON.stringify(args),
      },
    })),
    completed(80),
  );
}

const completed = (characters: number) => ({
  type: 'response.completed',
  response: {
    status: 'completed',
    output: [],
    usage: {
      input_tokens: 7_000,
      input_tokens_details: { cached_tokens: 6_000 },
      output_tokens: Math.ceil(characters / 4),
      total_tokens: 7_000 + Math.ceil(characters / 4),
    },
  },
});
