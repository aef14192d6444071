/**
 * A front end in one file: it asks, shows the answer as it arrives, and goes on where it was after a reload. Run it
 * beside a server: `npx vite examples/page`.
 */
import { createQPilot, type Asked } from '@qpilot/client';
import {
  answerIn,
  createFrameStore,
  cutAtNumbers,
  isFinal,
  viewAnswer,
  type Part,
  type TurnView,
} from '@qpilot/client/view';
import plotly from 'plotly.js-cartesian-dist-min';

const KEPT = 'asked';
const qpilot = createQPilot();

function find<Type extends HTMLElement>(selector: string): Type {
  const element = document.querySelector<Type>(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
}
const [form, input, stop] = [find('form'), find<HTMLInputElement>('input'), find('#stop')];
const [status, calls, words, charts] = [
  find('[role=status]'),
  find('#calls'),
  find('#words'),
  find('#charts'),
];

/** What is on the page; it is drawn once a frame at most, however many events come. */
const shown = createFrameStore<{ readonly turn: TurnView | null; readonly note: string }>({
  turn: null,
  note: '',
});
shown.subscribe(() => draw(shown.get()));

function draw({ turn, note }: ReturnType<typeof shown.get>): void {
  const isRunning = turn !== null && !isFinal(turn);
  const ending = turn && [turn.status, turn.error?.message].filter(Boolean).join(': ');
  status.textContent = note || (isRunning && turn.activity?.text) || ending;
  calls.replaceChildren(
    ...(turn?.steps ?? []).map(({ label, status: state, preview }) =>
      element('li', `${label} (${state}) ${preview}`),
    ),
  );
  words.replaceChildren(...(turn ? wordsOf(turn) : []));
  drawCharts(turn?.parts ?? []);
}

/** The words; each number that was read from a record leads there, once the answer is complete. */
function wordsOf({ parts, answer }: TurnView): (Node | string)[] {
  let offset = 0;
  return parts.flatMap((part) => {
    if (part.type !== 'text') return [];
    const pieces = cutAtNumbers(part.text, offset, answer?.numbers ?? []);
    offset += part.text.length;
    return pieces.map(({ text, number }) => (number?.recordId ? link(text, number.recordId) : text));
  });
}

function link(text: string, recordId: string): HTMLAnchorElement {
  const anchor = element('a', text);
  anchor.href = `${QPILOT_URL}/records/${encodeURIComponent(recordId)}`;
  return anchor;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** Each chart is drawn once and stays while the words grow. Those of one number are a line of text. */
function drawCharts(parts: readonly Part[]): void {
  const wanted = parts.flatMap((part) => (part.type === 'chart' ? [part.chart] : []));
  for (const old of Array.from(charts.children)) if (!wanted.some(({ id }) => id === old.id)) old.remove();
  for (const { id, kind, title, data, layout } of wanted) {
    if (document.getElementById(id)) continue;
    const place = element('div', kind === 'INDICATOR' ? title : '');
    place.id = id;
    charts.append(place);
    if (kind !== 'INDICATOR') void plotly.newPlot(place, data, layout, { responsive: true });
  }
}

/** Follows a question to the end of its answer, over reloads and lost connections. */
async function show(asked: Asked): Promise<void> {
  sessionStorage.setItem(KEPT, JSON.stringify(asked));
  stop.onclick = () => void qpilot.cancel(asked.turnId).catch(fail);
  const onStatus = (live: string): void =>
    shown.update(({ turn }) => ({ turn, note: live === 'reconnecting' ? 'Connecting again …' : '' }));
  shown.update(() => ({ turn: null, note: 'Waiting …' }));
  for await (const view of viewAnswer(qpilot, asked, { onStatus }))
    shown.update(({ note }) => ({ turn: answerIn(view, asked), note }));
}

const fail = (error: unknown): void => shown.update(({ turn }) => ({ turn, note: String(error) }));

form.onsubmit = (event) => {
  event.preventDefault();
  qpilot.ask(input.value).then(show).catch(fail);
};

const kept = sessionStorage.getItem(KEPT);
if (kept !== null) show(JSON.parse(kept) as Asked).catch(fail);
