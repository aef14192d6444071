import { joinWords } from '../../domain/text/display-text.ts';
import type { AnswerWords, Duration } from './answer-words.ts';
import { sentence } from './text.ts';
import type { Usual } from './told.ts';

const EXAMPLES = [
  '- How healthy is the chip? How old is its data?',
  '- Which five qubits have the shortest T1? How many have T1 below 50?',
  '- Compare Q3 and Q5. Which of them has the better T1?',
  '- How did T2 of Q12 change over the last 30 days? The ZX90 fidelity of 0-1?',
  '- Compare this week with last week for T1.',
  '- Show a heatmap of the qubit frequency. Plot T1 against T2.',
  '- Are there outliers? What are the neighbours of Q7?',
  '- Which runs failed last? What notes are there on Q45? How many versions of T1 of Q7 are there?',
  '- Which parameters are there? What is the 90th percentile of T1?',
].join('\n');

const USUAL: Readonly<Record<Usual, (title: string) => string>> = {
  values: () => 'no value stands apart from the rest of the chip',
  ratings: () => 'no value is rated fair or bad',
  course: (title) => `${title} shows no decline to a new worst value`,
  notes: () => 'nobody left a note',
};

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ');

const duration = ({ count, unit }: Duration): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** The analyst in English; what tools say is English already. */
export const ENGLISH: AnswerWords = {
  toolLine: (line) => line,
  notLookedUp: (reason) => `I could not look this up: ${sentence(reason)}`,
  notRun: (tool) => `${tool} was not run`,
  notComputed: (reason) => `I could not answer this: ${sentence(reason)}`,
  calculationNotRun: 'the call that it needs was not run',
  impossiblePeriod: ({ problem, said }) => {
    switch (problem) {
      case 'NO_SUCH_DAY':
        return `“${said}” names a day that no calendar has. Write days as 2026-05-01 or 1 May.`;
      case 'BACKWARDS':
        return `“${said}” ends before it begins. Name the earlier day first, for example “between 1 and 14 May”.`;
      case 'FUTURE':
        return `“${said}” has not begun yet, so there is nothing measured in it. Name days that are over.`;
      default:
        return problem satisfies never;
    }
  },
  daysLeftOut:
    'For this I cannot pick out days, so the ones you name are left out; I can for the course and the figures of a parameter.',
  needsTwoParameters: 'For a correlation, name two parameters, for example T1 and T2.',
  needsParameterAndQubit: 'For versions, name a parameter and a qubit, for example T1 of Q7.',
  parameterTaken: (title) => `You named no parameter, so this is about ${title}.`,
  parametersTaken: 'You named no parameter, so here are T1, T2 and readout fidelity.',
  heatmapShown: 'The chart shows every qubit in its place.',
  courseShown: 'The chart shows the course.',
  figuresAreOverQubits:
    'I compute figures over the qubits of a chip, not over the runs of one qubit; these are its values.',
  askForValues: 'For values of these qubits ask again, for example “Compare Q3 and Q5 in T1”.',

  qubitOnChip: (label, chipId) => `${label} on ${chipId}:`,
  noValueOf: (name, label, names) => `${name}: no value; ${label} has ${joinWords(names)}.`,
  sameIn: (title) => `${title} is the same.`,
  highestOfNeutral: (label, title) => `${label} has the highest ${title}; neither way is better.`,
  bestIn: (label, title, end) => `${label} is the best in ${title}, with the ${end} value.`,

  verdict: (verdict, label, chipId) => {
    switch (verdict) {
      case 'unusual':
        return `There is something unusual about ${label} on ${chipId}:`;
      case 'weak':
        return `There is nothing unusual about ${label} on ${chipId}, but these values are not rated good:`;
      case 'nothing':
        return `There is nothing unusual about ${label} on ${chipId}.`;
      default:
        return verdict satisfies never;
    }
  },
  standsApart: (deviations, isBelow) =>
    `It stands apart: ${deviations} deviations ${isBelow ? 'below' : 'above'} the median of the chip.`,
  asUsual: (usual, title) => `As usual: ${joinWords(usual.map((each) => USUAL[each](title)))}.`,

  notInLayout: (qid, chipId, first, last) =>
    `There is no qubit ${qid} in the layout of ${chipId}; it goes from ${first} to ${last}.`,
  place: (row, column) => ` (row ${row}, column ${column})`,
  noNeighbours: (label, place, chipId) => `${label}${place} has no neighbours on ${chipId}.`,
  neighbours: (label, place, neighbours, chipId) =>
    `${label}${place} is coupled to ${joinWords(neighbours)} on ${chipId}.`,
  coupled: (a, b) => `Yes, ${a} and ${b} are coupled.`,
  notCoupled: (a, b) => `No, ${a} and ${b} are not coupled.`,

  measured: ({ oldest, oldestAge, newest, newestAge, hasLive }) => {
    const span =
      oldest === newest
        ? `measured ${newest}, ${duration(newestAge)} ago`
        : `measured from ${oldest} (${duration(oldestAge)} ago) to ${newest} (${duration(newestAge)} ago)`;
    return `${hasLive ? 'The stored results were' : 'These are stored results,'} ${span}.`;
  },
  someTooOld: (limit) =>
    ` Some are older than the limit of ${duration(limit)}, so measure again before relying on them.`,
  allFresh: (limit) => ` All are within the limit of ${duration(limit)}.`,

  resultPart: (part, { task, label, chipId }) => {
    switch (part) {
      case 'result':
        return `${task} of ${label} on ${chipId}`;
      case 'history':
        return `Runs of ${task} on ${label}, newest first`;
      case 'neighbours':
        return `Qubits next to ${label}, as set now`;
      case 'couplings':
        return `Couplings of ${label}, as set now`;
      case 'remedies':
        return `What the lab knows of problems with ${task}`;
      case 'meaning':
        return `What the lab knows of ${task}`;
      default:
        return part satisfies never;
    }
  },
  resultLine: (line) => line,
  nothingToldOf: (heading) => `${heading}: nothing is known.`,

  drafted: (expertId, chipId) =>
    `This is longer work, so I drafted a job of the ${expertId} on ${chipId} instead of answering. Nothing has been started: open the draft, change what you like, and submit it.`,
  notDrafted: (reason) => `This is longer work, but I could not draft a job for it: ${sentence(reason)}`,

  help: (words) =>
    [
      `I am the offline analyst: I answer by fixed rules, without a language model, and I did not understand this question${words.length === 0 ? '' : `; I do not know ${quoted(words)}`}. I can answer questions such as these:`,
      EXAMPLES,
      'I know T1, T2 (echo), T2*, readout, gate and Bell-state fidelities, frequency and anharmonicity, and any parameter by its stored name.',
    ].join('\n\n'),
  cannotAct: 'I cannot do this: I only read calibration data, and I measure, change and delete nothing.',
  notice: (words) => {
    const left = words.length === 0 ? '' : ` Words that I do not know, and left out: ${quoted(words)}.`;
    return `_From the offline analyst: fixed rules, no language model.${left}_`;
  },
  nothingToCheck:
    'I am the offline analyst and have no earlier values here that I could check. Ask for some, for example "What is T1 of Q7?"; if they look wrong, say so, and they are compared with live ones.',
  valueByValue: 'Value by value:',
};
