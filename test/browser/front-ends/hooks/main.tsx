/** A page that shows what a test tells it to, by the hooks of `@qpilot/react`, and counts what they leave behind. */
import { createQPilot, type Asked } from '@qpilot/client';
import { QPilotProvider, useChart, useChip, useTurn, type Turn } from '@qpilot/react';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

/** What is on the page. */
export type Shown = {
  readonly answers?: readonly {
    readonly name: string;
    readonly question?: string;
    readonly resume?: Asked;
  }[];
  readonly charts?: readonly string[];
  readonly chips?: readonly string[];
};

const sockets: WebSocket[] = [];
class Counted extends WebSocket {
  constructor(...given: ConstructorParameters<typeof WebSocket>) {
    super(...given);
    sockets.push(this);
  }
}
const qpilot = createQPilot({ webSocket: Counted });
const turns: Record<string, Turn> = {};
let effects = 0;

function Answer({ name, question, resume }: NonNullable<Shown['answers']>[number]) {
  const turn = useTurn(name, { question, resume });
  turns[name] = turn;
  useEffect(() => {
    effects += 1;
  }, []);
  return <p data-answer={name}>{[turn.status, turn.error?.code, turn.text].filter(Boolean).join(' | ')}</p>;
}

function Chart({ id }: { readonly id: string }) {
  const { chart, loading, error } = useChart(id);
  return <p data-chart>{loading ? 'loading' : (error?.code ?? JSON.stringify(chart?.data))}</p>;
}

function Chip({ id }: { readonly id: string }) {
  const { chip, loading, error, live } = useChip(id, { metric: 't1' });
  const highest = chip?.summary?.parameters.find(({ name }) => name === 't1')?.max;
  return (
    <p data-chip={id}>{loading ? 'loading' : (error?.code ?? `${live} ${highest} ${chip?.heatmap?.kind}`)}</p>
  );
}

function Page() {
  const [{ answers = [], charts = [], chips = [] }, setShown] = useState<Shown>({});
  useEffect(() => {
    Object.assign(globalThis, { show: setShown });
  }, []);
  return (
    <QPilotProvider qpilot={qpilot}>
      {answers.map((answer, index) => (
        <Answer key={index} {...answer} />
      ))}
      {charts.map((id) => (
        <Chart key={id} id={id} />
      ))}
      {chips.map((id) => (
        <Chip key={id} id={id} />
      ))}
    </QPilotProvider>
  );
}

Object.assign(globalThis, {
  turns,
  effects: () => effects,
  openSockets: () => sockets.filter(({ readyState }) => readyState !== WebSocket.CLOSED).length,
});
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
