import { countOf, joinWords } from '../../../domain/text/display-text.ts';
import type { CourseWords, JobWords, ReportWords, ScopeWords } from './job-words.ts';

/** To-dos and headings in English. */
export const STEPS: JobWords['steps'] = {
  state: {
    todo: 'Take the state of the chip: health, statistics and problems.',
    title: 'State of the chip',
  },
  changes: {
    todo: 'Compare each main parameter with the time before, qubit by qubit.',
    title: 'What changed',
  },
  causes: {
    todo: 'Follow the clearest changes to the runs, versions and notes behind them.',
    title: 'What stands behind the changes',
  },
  extremes: {
    todo: 'Rank the qubits by each main parameter, and cite the worst of each.',
    title: 'Best and worst qubits',
  },
  couplings: { todo: 'Rank the couplings by the fidelity of their gates.', title: 'Couplings' },
  period: {
    todo: "Compare the chip's means with those of the time before.",
    title: 'Change over the period',
  },
  outliers: {
    todo: 'Find values that lie far from the rest of the chip, and cite the farthest.',
    title: 'Outliers',
  },
  incidents: {
    todo: 'Look through failed runs, the newest calibrations and notes of people.',
    title: 'Failed runs and notes',
  },
  data: { todo: 'Fetch the current values of all qubits and keep them for the analysis.', title: 'Data' },
  analysis: { todo: 'Write the script, run it, and keep its tables and its chart.', title: 'Analysis' },
  needs: { todo: 'Find the values that are below their limits, or old.', title: 'What needs measuring' },
  failures: { todo: 'Find the runs that failed and were not repeated.', title: 'Runs to repeat' },
  order: { todo: 'Put the measurements into an order and write it as a table.', title: 'Proposed order' },
  next: { todo: 'Say which measurement would decide.', title: 'Next' },
  recommendations: { todo: 'Say what to do, with the reason of each.', title: 'Recommendations' },
};

const GOALS: Readonly<Record<string, string>> = {
  researcher: 'Find what changed, and what stands behind it',
  coder: 'Analyse the current values by a script that can be run again',
  writer: 'Gather what a calibration report says',
  calibrator: 'Find what to calibrate next, and in which order',
};

/** Phases and their ends in English. */
export const COURSE: CourseWords = {
  goal: (expertId) => GOALS[expertId] ?? 'Gather what the data says about the task',
  goalOfReport: 'Write the report',
  reportTodo: (path) => `Write ${path} from the notes.`,
  planned: (titles) =>
    `I planned ${countOf(titles.length, 'to-do')} as the offline analyst: ${joinWords(titles.map((title) => title.toLowerCase()))}.`,
  notesComplete: 'The notes are complete; next I write the report.',
  notDone: 'Not done: the phase ended before it.',
  unknownTodo: (id) => `To-do ${id} is none that the offline analyst knows.`,
  unknownTodoResult: 'Not done: the offline analyst works by fixed rules and does not know this to-do.',
  wrote: (path, notes) => `Wrote ${path} from ${countOf(notes, 'note')}.`,
  nothingToDo: 'There was nothing to do in this phase.',
  unreadable: (path) => `${path} could not be read, so the job is not finished.`,
  seeReport: 'See the report.',
  ended: (path) => `The report is ${path}. _From the offline analyst: fixed rules, no language model._`,
  refused: (call, reason) => `${call} was refused: ${reason}`,
  cutOff:
    'A limit of this phase was reached before its work was done; what is in the workspace is kept, and the next phase goes on from there.',
  askReview:
    'The report is ready for you, as you asked. Approve it, or send it back with a note of what to change, such as “only Q27”, “last 14 days” or “add couplings”.',
  noSuchChip: (chip, known) =>
    `This project has no chip ${chip}; it has ${joinWords(known)}. Send the job back with a note such as “chip ${known[0] ?? 'name'}”.`,
  noChip: 'This project has no chip, so there is nothing to look at. Import one, then send the job back.',
};

const TITLES: Readonly<Record<string, string>> = {
  researcher: 'Investigation',
  coder: 'Analysis',
  writer: 'Calibration report',
  calibrator: 'Plan of the next calibrations',
};

const ageOf = (hours: number): string =>
  hours < 48 ? countOf(Math.round(hours), 'hour') : countOf(Math.round(hours / 24), 'day');

function scopeOf({ parameters, entities, excluded, windowHours }: ScopeWords): string {
  const days = windowHours === null ? [] : [`the last ${ageOf(windowHours)}`];
  const parts = [
    ...(parameters.length > 0 ? [joinWords(parameters)] : []),
    ...(entities.length > 0 ? [joinWords(entities)] : []),
    ...days,
  ];
  const without =
    excluded.length === 0
      ? ''
      : `${parts.length === 0 ? 'everything but ' : ', without '}${joinWords(excluded)}`;
  return `Looked at, as asked: ${parts.join('; ')}${without}.`;
}

/** The report around its sections in English. */
export const REPORT: ReportWords = {
  title: (expertId, chip) => `${TITLES[expertId] ?? 'Report'}: ${chip ?? "the project's newest chip"}`,
  written: (time) =>
    `Written ${time} UTC by the offline analyst: fixed rules over stored results, no language model.`,
  task: (text) => `Task: ${text}`,
  reviewNote: (number, text) => `Review note ${number}: ${text}`,
  scope: scopeOf,
  unfollowed: (texts) => `Could not be followed: ${texts.map((text) => `“${text}”`).join(', ')}.`,
  result: 'Result',
  nothingOn: (texts) => `Nothing can be told on ${texts.join('; on ')}.`,
  allFrom: (oldest, newest, hours) =>
    `All of this is from stored results of ${oldest} to ${newest} UTC; the newest is ${ageOf(hours)} old.`,
  noTime: 'Of no result the time of measurement is known.',
  unchecked: 'What was not checked',
  uncheckedLines: [
    'The task was read by fixed rules, for parameters, qubits, couplings, a chip, a time and parts of the report; nothing else of it was understood.',
    'Stored results only: nothing was measured, and nothing was compared with live values.',
    'Values that are excluded or of failed runs are in no figure; causes outside of stored runs and notes were not looked for.',
  ],
  noTools: (titles) => `Left out, since this expert has no tools for it: ${titles.join(', ')}.`,
  references: 'References',
  records: (numbers) => `Records: ${numbers.join(' ')}`,
  measured: (oldest, newest) =>
    `Stored results, measured ${oldest === newest ? '' : `${oldest} to `}${newest} UTC.`,
  measuredStart: 'Stored results, measured ',
  notFound: (reason) => `Not found: ${reason}`,
  nothingFound: 'Nothing was found.',
};
