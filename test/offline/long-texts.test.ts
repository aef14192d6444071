/** Long lists are read whole, and no text that people or models send takes long to read, whatever it is made of. */
import { describe, expect, test } from '@jest/globals';
import { sentencesToSay } from '../../client/features/copilot/text/sentences.ts';
import { markdownBlocks, withMarksClosed } from '../../client/features/copilot/text/markdown-blocks.ts';
import { withDollars } from '../../client/features/copilot/text/math.ts';
import { escapeMarkdown, inertMarkdown } from '../../client/features/logbook/entry-markdown.ts';
import { taskText, withTask } from '../../client/features/jobs/new/task-section.ts';
import { createAnswerDecoder } from '../../src/agent/answer/answer-decoder.ts';
import { createAnswerText } from '../../src/agent/answer/answer-text.ts';
import { redactSecrets } from '../../src/base/redaction/redact.ts';
import { createTextRedactor } from '../../src/base/redaction/text-redactor.ts';
import { parseRule } from '../../src/domain/alerts/rule-text.ts';
import { asksForLive, doubtsNumbers } from '../../src/domain/conversation/message-intent.ts';
import { groundNumbers } from '../../src/domain/grounding/ground.ts';
import { createTableStripper, stripTables } from '../../src/domain/markdown/table-stripper.ts';
import { normaliseQid } from '../../src/domain/qid.ts';
import { readNames } from '../../src/domain/questions/read-names.ts';
import { readQuestion } from '../../src/domain/questions/read-question.ts';
import { excerptOf, findTerms, searchTerms } from '../../src/domain/text/search-words.ts';
import { jobRequestIn } from '../../src/offline/analyst/job-draft.ts';
import { partsAskedFor, readTaskResult } from '../../src/offline/analyst/task-result.ts';
import { warnRequestIn } from '../../src/offline/analyst/warn-request.ts';
import { readRequests } from '../../src/offline/builder/read-requests.ts';
import { readJobRequest } from '../../src/offline/jobs/request.ts';
import { parsePythonJson } from '../../src/sources/python-json.ts';
import { readHeader } from '../../src/sources/tables/csv-header.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { cpuMs, slowness } from '../support/took.ts';

const now = new Date('2026-05-20T10:00:00Z');
const names = {
  chips: ['demo-64'],
  parameters: ['t1', 't2_echo', 'readout_fidelity', 'cz_gate_fidelity'],
  tasks: ['CheckT1'],
  dataUntil: now,
  cooldownStart: null,
};

describe('a question about 60 qubits is about exactly these', () => {
  const numbers = Array.from({ length: 60 }, (_, at) => String(at + 1));
  const labels = numbers.map((number) => `Q${number}`);
  const wide = (label: string): string =>
    label.replaceAll(/[Q\d]/gu, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
  const butLast = labels.slice(0, -1).join(', ');

  test.each([
    `What is the T1 of ${butLast} and Q60?`,
    `What is the T1 of ${butLast}, and Q60?`,
    `What is the T1 of ${butLast} as well as Q60?`,
    `What is the T1 of ${labels.join(' ')}?`,
    `What is the T1 of ${labels.join(',')}?`,
    `What is the T1 of ${labels.join(' and ')}?`,
    `What is the T1 of ${labels.join(' or ')}?`,
    `What is the T1 of ${labels.join(' & ')}?`,
    `T1 of ${labels.join('/')}`,
    `T1 of ${labels.join(' + ')}`,
    `T1 of ${labels.join(' | ')}`,
    `T1 of ${labels.join('; ')}`,
    `T1 of [${labels.join(', ')}]`,
    `T1 of ${labels.map((label) => `"${label}"`).join(', ')}`,
    `t1 for ${labels.join(', ').toLowerCase()} please`,
    `What is the T1 of these qubits:\n${labels.map((label) => `- ${label}`).join('\n')}`,
    `What is the T1 of qubits ${numbers.join(', ')}?`,
    `What is the T1 of qubits: ${numbers.join(', ')}?`,
    `What is the T1 of the qubits (${numbers.join(', ')})?`,
    `What is the T1 of ${numbers.join(', ')}?`,
    `T1 of ${numbers.map((number) => `qubit ${number}`).join(', ')}`,
    `T1 of Q1, ${numbers.slice(1).join(', ')}`,
    'Show the T1 of Q1-Q60',
    'T1 of Q1–60',
    'T1 of qubits 1–60',
    'T1 of qubits 1 to 60',
    'What is the T1 of Q1 through Q60?',
    'T1 of Q1..Q60',
    'T1 of qubits 1..60',
    'What is the T1 of Q1, Q2, … Q60?',
    'T1 of Q1 to Q20, Q21 to Q40 and Q41 to Q60',
    `${labels.join('、')}のT1は？`,
    `${labels.join('と')}のT1を教えて`,
    `${labels.join('や')}のT1は？`,
    `${labels.join('・')}のT1は？`,
    `${labels.join('；')}のT1は？`,
    `${labels.map(wide).join('、')}のT1は？`,
    `${labels.slice(0, -1).join('、')}およびQ60のT1は？`,
    `量子ビット${numbers.join('、')}のT1は？`,
    `量子ビット（${numbers.join('、')}）のT1は？`,
    `${numbers.map((number) => `${number}番`).join('、')}の量子ビットのT1は？`,
    'Q1からQ60までのT1は？',
    'Q1〜Q60のT1を見せて',
    '1番から60番の量子ビットのT1は？',
  ])('%.60s', (question) => {
    const { asks, unread, asides, isTooLong } = readQuestion(question, { now, names });
    expect(asks.map(({ metrics, qids }) => ({ metrics, qids }))).toEqual([
      { metrics: ['t1'], qids: numbers },
    ]);
    expect({ unread, asides, isTooLong }).toEqual({ unread: [], asides: [], isTooLong: false });
  });

  test('that are left out are left out, and said to have been if why they were is asked', () => {
    const leftOut = readQuestion(`Average T1, leaving ${butLast} out of it`, { now, names });
    expect(leftOut.asks.map(({ excluded }) => excluded)).toEqual([numbers.slice(0, -1)]);
    const excluded = readQuestion(`Average T1 with ${butLast} and Q60 excluded`, { now, names });
    expect(excluded.asks.map((ask) => ask.excluded)).toEqual([numbers]);
    const why = readQuestion('Why were Q1, Q2 excluded?', { now, names });
    expect(why.asks.flatMap((ask) => ask.excluded)).toEqual([]);
  });

  test('are those of a job', () => {
    const given = { ownInstructions: null, reviewNotes: [], chipId: 'demo-64', now };
    for (const task of [`T1 of ${butLast} and Q60`, `${labels.join('、')}のT1`, 'T1 of Q1 to Q60']) {
      expect(readJobRequest({ ...given, task }).parts.only).toEqual(numbers);
    }
  });
});

describe('what is longer than is read', () => {
  test('is named, and nothing is answered as if it were not there', () => {
    const read = readQuestion(`What is the T1 of Q1? ${'I wonder. '.repeat(300)}But not on chip B.`, {
      now,
      names,
    });
    expect(read).toMatchObject({
      isTooLong: true,
      unread: [...read.unread.slice(0, -1), expect.stringMatching(/^I wonder/u)],
    });
    const pasted = `${'lorem ipsum dolor '.repeat(150)}What is the T1 of Q1?`;
    expect(readQuestion(pasted, { now, names })).toMatchObject({ isTooLong: true });
    expect(readQuestion('What is the T1 of Q1?', { now, names })).toMatchObject({ isTooLong: false });
  });

  test('of a job is named as not followed', () => {
    const task = `T1 of Q1. ${'Rank the qubits. '.repeat(60)}Leave out Q7.`;
    const given = { ownInstructions: null, reviewNotes: [], chipId: 'demo-64', now };
    expect(readJobRequest({ ...given, task }).unsupported).toEqual(['Rank the qubits']);
  });
});

/** In pieces, as models stream. */
function streamed(text: string, reader: { push(piece: string): unknown; end(): unknown }): void {
  for (let at = 0; at < text.length; at += 64) reader.push(text.slice(at, at + 64));
  reader.end();
}

const evidence = { calls: [], earlierCalls: [], metrics: shippedMetrics.metrics, now };

/** Everything that reads what people, models, files and programs write. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a question': (text) => readQuestion(text, { now, names }),
  'a question after six such': (text) => {
    const history = Array.from({ length: 6 }, () => ({ question: text, answer: text }));
    return readQuestion('and their T2?', { now, names, history });
  },
  'names in it': (text) => readNames(text, { now, chips: ['demo-64'], own: [] }),
  'doubt in it': doubtsNumbers,
  'a wish for live values in it': asksForLive,
  'a wish for a warning in it': (text) => warnRequestIn(`warn me when ${text}`, text),
  'a wish for a job in it': (text) => jobRequestIn(text, ['demo-64']),
  'a question about a result': partsAskedFor,
  instructions: readTaskResult,
  'the task of a job': (text) =>
    readJobRequest({ task: text, ownInstructions: null, reviewNotes: [], chipId: 'demo-64', now }),
  'wishes for a template': readRequests,
  'secrets in it': redactSecrets,
  'secrets in a stream': (text) => streamed(text, createTextRedactor()),
  'tables in it': stripTables,
  'tables in a stream': (text) => streamed(text, createTableStripper()),
  'the answer of a model': (text) => streamed(text, createAnswerDecoder()),
  'steps of an answer': (text) => {
    const answer = createAnswerText(() => undefined);
    answer.beginStep();
    answer.add(text);
  },
  'numbers of an answer': (text) => groundNumbers(`${text} 5 us`, { ...evidence, userTexts: ['T1?'] }),
  'numbers of a question': (text) => groundNumbers('T1 is 5 us', { ...evidence, userTexts: [text] }),
  'a search': searchTerms,
  'where a search is found': (text) => findTerms(searchTerms(text.slice(0, 200)), text),
  'an excerpt': (text) => excerptOf(searchTerms('t1 q1 qubit'), text),
  'a rule': (text) => parseRule(text, { metrics: shippedMetrics, chipId: 'demo-64' }),
  'the condition of a rule': (text) =>
    parseRule(`t1 of any qubit ${text}`, { metrics: shippedMetrics, chipId: 'a' }),
  'the name of a part': normaliseQid,
  'the header of a table': (text) => tried(() => readHeader([text])),
  'the reply of a program': (text) => tried(() => parsePythonJson('reply', text)),
  'formulas in an answer': withDollars,
  'blocks of an answer': markdownBlocks,
  'open marks of an answer': withMarksClosed,
  'an answer to be said': (text) => sentencesToSay(text, 0, true),
  'an entry of a logbook': inertMarkdown,
  'words of an entry': escapeMarkdown,
  'the task of a form': taskText,
  'a form without a task': withTask,
};

function tried(read: () => unknown): void {
  try {
    read();
  } catch {
    // A refusal must be quick, too.
  }
}

describe('10,000 characters are read within 50 ms of the processor', () => {
  const LENGTH = 10_000;
  const MOST_MS = 50;
  const texts = hostileTexts(LENGTH);
  /** The best of several: collecting of garbage and compiling are not the reader's. */
  const TRIES = 12;

  function leastMs(read: () => unknown): number {
    let least = Infinity;
    for (let attempt = 0; attempt < TRIES && least > MOST_MS; attempt += 1) {
      least = Math.min(least, cpuMs(read));
    }
    return least;
  }

  test('there are 200 shapes of text', () => {
    expect(texts.size).toBeGreaterThanOrEqual(200);
    expect([...texts.values()].every(({ length }) => length === LENGTH)).toBe(true);
  });

  test.each(Object.entries(READERS))('%s', (_, read) => {
    for (const text of [...texts.values()].slice(0, 20)) read(text.slice(0, 300));
    const slow = [...texts].flatMap(([shape, text]) => {
      const ms = leastMs(() => read(text));
      return ms > MOST_MS && ms > MOST_MS * slowness()
        ? [`${JSON.stringify(shape)}: ${ms.toFixed(0)} ms`]
        : [];
    });
    expect(slow).toEqual([]);
  });
});
