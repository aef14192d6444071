import { countOf, joinWords } from '../../../domain/text/display-text.ts';
import { COURSE, REPORT, STEPS } from './en-report.ts';
import type {
  AnalysisWords,
  CalibrationWords,
  ChangesWords,
  ChangeWords,
  JobWords,
  ValuesWords,
} from './job-words.ts';

const windowOf = (hours: number): string =>
  hours === 168
    ? 'week'
    : hours === 24
      ? 'day'
      : hours % 24 === 0
        ? countOf(hours / 24, 'day')
        : countOf(hours, 'hour');

const changeOf = ({ title, label, now, before, sigma }: ChangeWords): string =>
  `${title} of ${label} (${now}, before ${before}, ${sigma} sigma)`;

const was = (count: number): string => (count === 1 ? 'was' : 'were');

const CHANGES: ChangesWords = {
  window: (hours) => `the last ${windowOf(hours)}`,
  notCompared: (hours) =>
    `changes: of no parameter are there runs in both the last ${windowOf(hours)} and the ${windowOf(hours)} before it`,
  noneWorse: (compared, sigma, hours) =>
    `Of ${countOf(compared, 'compared value')} none became worse by ${sigma} sigma or more against the ${windowOf(hours)} before.`,
  worse: (count, compared, sigma, hours, clearest) =>
    `${count} of ${countOf(compared, 'compared value')} became worse by ${sigma} sigma or more against the ${windowOf(hours)} before; the clearest: ${joinWords(clearest.map(changeOf))}.`,
  nothingToFollow:
    'causes: no value is known to have become clearly worse, so nothing was followed to its runs',
  together: (label, titles) =>
    `${label}: ${joinWords(titles)} became worse together, which speaks for the qubit itself, such as a defect or its temperature, and against a single bad run.`,
  alone: (label, title) =>
    `${label}: only ${title} became worse; repeat that measurement before looking for a cause.`,
  lasting: (label, title) =>
    `${label}: ${title} has become worse over many results, so this is no single bad run.`,
  onlyLookedAt: (label, title) =>
    `${label}: ${title} became worse; whether other parameters did was not looked at.`,
  notWorse: (label) => `${label}: no looked-at parameter became clearly worse in this time.`,
  notKnown: (label) =>
    `${label}: whether it became worse cannot be told, for there are no results to compare.`,
  measureNow: (label, title) =>
    `Measure ${title} of ${label} now, and again after some days: only then is there something to compare.`,
  noted: (lines) => `People noted: ${lines.join(' ')}`,
  notNoted: 'Nobody left a note on them.',
  unexplained: 'What the runs, versions and notes below do not explain stays unexplained.',
  course: (title, label) => `${title} of ${label}, oldest first`,
  repeatSeveral: (label, titles) =>
    `Measure ${joinWords(titles)} of ${label} several times within a day: a defect that moves shows as jumps, a lasting loss does not. Until then plan nothing that depends on ${label}.`,
  repeatOnce: (label, title) =>
    `Measure ${title} of ${label} once more; only if the value stays low is there something to explain.`,
  waitFor: (label) => `${label}: nothing to do beyond the usual runs.`,
  nothingNext: 'what would decide: no known change asks for a measurement',
  meanOf: (title, line) => `${title}: ${line}`,
};

const VALUES: ValuesWords = {
  ranked: (end, title, shown, of, isCouplings) =>
    `The ${shown.length === 1 ? '' : `${shown.length} `}${end} ${title} of ${countOf(of, isCouplings ? 'coupling' : 'qubit')}: ${shown.join(', ')}.`,
  rating: (rating) => rating.toLowerCase(),
  row: (label, shown, rating) => `${label} ${shown}${rating === null ? '' : ` (${rating.toLowerCase()})`}`,
  noValues: (title) => `${title}: no stored value`,
  noCouplings: 'couplings: no stored value of a two-qubit gate',
  withoutValue: (title, count, isCouplings) =>
    `${title}: ${countOf(count, isCouplings ? 'coupling' : 'qubit')} without a value.`,
  distribution: (title, count) => `How ${title} is distributed over ${countOf(count, 'qubit')}`,
  outliers: (count, farthest) =>
    `${countOf(count, 'value')} ${count === 1 ? 'lies' : 'lie'} far from the rest of the chip; the farthest: ${joinWords(farthest)}.`,
  outlier: (title, label, value, score) =>
    `${title} of ${label} with ${value} (${Math.abs(score) > 100 ? 'more than 100' : Math.abs(score).toFixed(1)} robust deviations ${score < 0 ? 'below' : 'above'} the median)`,
  noOutliers: 'No value is known to lie far from the rest of the chip.',
  failures: (count, isMore, newest) =>
    `${isMore ? `The newest ${countOf(count, 'failed run')} ${was(count)} looked at` : `${countOf(count, 'failed run')} ${was(count)} found`}; the newest: ${newest}.`,
  failure: (task, label, time, message) =>
    `${task} on ${label}, ${time}${message === null ? '' : `: ${message}`}`,
  noFailures: 'No failed run is stored.',
  notesOn: (labels) => `People left notes on ${joinWords(labels)}.`,
};

const CALIBRATION: CalibrationWords = {
  needs: (lookedAt, parameters, { bad, old, fair }, missing) =>
    `Among the ${lookedAt} worst of each of ${countOf(parameters, 'parameter')}, ${bad} values are bad, ${old} are older than 48 h and ${fair} are fair; ${countOf(missing, 'value')} ${missing === 1 ? 'is' : 'are'} missing.`,
  noNeeds: 'values to be measured: there is no stored value to judge by',
  repeated: (all, open) =>
    `Of the newest ${countOf(all, 'failed measurement')}, ${open} ${was(open)} not repeated with success since.`,
  measuredAgo: (hours) =>
    `measured ${hours < 48 ? countOf(Math.round(hours), 'hour') : countOf(Math.round(hours / 24), 'day')} ago`,
  measuredUnknown: 'measured at an unknown time',
  runFailed: (message) => `the run failed${message === null ? '' : `: ${message}`}`,
  taskFor: (title) => `a task for ${title}`,
  nothingToDo: 'Nothing needs measuring: no value is below its limits or old, and no run failed.',
  noOrder: 'an order: without stored values there is nothing to put into one; measure the whole chip first',
  proposed: (count, { bad, failed, old, fair }, left) =>
    `${countOf(count, 'measurement')} proposed: ${bad} for bad values, ${failed} for failed runs, ${old} for old values, ${fair} for fair values${left === 0 ? '' : `; ${left} left out because of notes of people`}.`,
  rule: 'Order: bad values, then failed runs, then values older than 48 h, then fair values. Measure again before anything is changed: one run is no trend. How long each takes is not estimated.',
  allOld:
    'Every value that was looked at is old: run each task once on the whole chip, then make this plan anew.',
  heads: ['Place', 'Task', 'On', 'Reason'],
  csvHeads: ['order', 'priority', 'entity', 'task', 'parameter', 'reason'],
  wholeOrder: (path) => `The whole order is in ${path}.`,
  left: ({ task, label, reason }, note) =>
    `Left out: ${task} on ${label} (${reason}), for a person noted “${note}”`,
  neverRan: (tasks) => `This project never ran ${joinWords(tasks)}: use what measures the same there.`,
  adviseNote: (label, note) => `Leave ${label} out of experiments: a person noted “${note}”`,
  adviseRun: ({ task, label, reason }) => `Run ${task} on ${label}: ${reason}.`,
  adviseOld: (hours) =>
    `Measure the chip again before relying on it: the newest value is ${Math.round(hours / 24)} days old.`,
  adviseFirst: 'Measure the chip: without stored values nothing else can be recommended.',
  adviseNothing: 'Nothing needs to be done by these values.',
  advised: (count) => `${countOf(count, 'recommendation')}, the most pressing first.`,
};

const ANALYSIS: AnalysisWords = {
  readsOnly: 'These are figures of the whole chip; the analysis reads only what was asked for.',
  tooFew: 'statistics: no parameter has values of four qubits or more',
  notRun: (reason) =>
    `The analysis could not be run${reason === null ? ': no values were fetched' : `: ${reason}`}.`,
  script: (path) => `The script is ${path}; run it again by run_python after fetching the chip summary.`,
  method:
    'Intervals hold at 95 %: of medians by order statistics, of correlations by Fisher’s transformation. Far off is 3.5 and more in units of 1.4826 times the median absolute deviation (Iglewicz and Hoaglin, 1993). A relation is no cause.',
  line: (line) => line,
  files: (paths) => `Tables and figures: ${paths.join(', ')}.`,
  histogram: (name, unit) => `Qubits by ${name}${unit === '' ? '' : ` in ${unit}`}`,
};

/** The analyst at work, in English. */
export const ENGLISH_JOB: JobWords = {
  language: 'en',
  toolLine: (line) => line,
  steps: STEPS,
  course: COURSE,
  report: REPORT,
  changes: CHANGES,
  values: VALUES,
  calibration: CALIBRATION,
  analysis: ANALYSIS,
};
