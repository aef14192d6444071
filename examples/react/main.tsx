/** The same as `examples/page` in one component. Run it beside a server: `npx vite examples/react`. */
import { createQPilot, type Asked } from '@qpilot/client';
import { cutAtNumbers, type Part, type TurnView } from '@qpilot/client/view';
import { QPilotProvider, useChip, useTurn } from '@qpilot/react';
import plotly from 'plotly.js-cartesian-dist-min';
import { StrictMode, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

type ChartPart = Extract<Part, { type: 'chart' }>['chart'];
const KEPT = 'asked';

function Page() {
  const [kept] = useState(() => JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Asked | null);
  const { asked, turn, status, error, ask, stop } = useTurn('page', { resume: kept });
  const { chip } = useChip('demo-64');
  const [question, setQuestion] = useState('Show a T1 heatmap of demo-64. Which qubit is worst?');
  useEffect(() => {
    if (asked) sessionStorage.setItem(KEPT, JSON.stringify(asked));
  }, [asked]);
  return (
    <>
      <h1>QPilot in one component</h1>
      <p>
        {chip?.summary && `${chip.chipId}: ${chip.summary.qubitCount} qubits, ${chip.summary.health.label}`}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void ask(question);
        }}
      >
        <input aria-label="Question" value={question} onChange={({ target }) => setQuestion(target.value)} />
        <button>Ask</button>
        <button type="button" onClick={() => void stop()}>
          Stop
        </button>
      </form>
      <p role="status">{error?.message ?? turn?.error?.message ?? turn?.activity?.text ?? status}</p>
      <ol>
        {turn?.steps.map(({ callId, label, status: state, preview }) => (
          <li key={callId}>{`${label} (${state}) ${preview}`}</li>
        ))}
      </ol>
      {turn && <Words turn={turn} />}
      {turn?.parts.map((part) => part.type === 'chart' && <Drawn key={part.chart.id} chart={part.chart} />)}
    </>
  );
}

/** The words; each number that was read from a record leads there, once the answer is complete. */
function Words({ turn: { parts, answer } }: { readonly turn: TurnView }) {
  let offset = 0;
  return parts.map((part, index) => {
    if (part.type !== 'text') return null;
    const pieces = cutAtNumbers(part.text, offset, answer?.numbers ?? []);
    offset += part.text.length;
    return (
      <p key={index}>
        {pieces.map(({ text, number }, at) =>
          number?.recordId ? (
            <a key={at} href={`${QPILOT_URL}/records/${encodeURIComponent(number.recordId)}`}>
              {text}
            </a>
          ) : (
            text
          ),
        )}
      </p>
    );
  });
}

/** Those of one number are a line of text. */
function Drawn({ chart }: { readonly chart: ChartPart }) {
  const place = useRef<HTMLDivElement>(null);
  const isCard = chart.kind === 'INDICATOR';
  useEffect(() => {
    const element = place.current;
    if (element === null || isCard) return undefined;
    void plotly.newPlot(element, chart.data, chart.layout, { responsive: true });
    return () => plotly.purge(element);
  }, [chart, isCard]);
  return <div ref={place}>{isCard && chart.title}</div>;
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
const qpilot = createQPilot();
createRoot(root).render(
  <StrictMode>
    <QPilotProvider qpilot={qpilot}>
      <Page />
    </QPilotProvider>
  </StrictMode>,
);
