/**
 * The words that the analyst has seen before. They tell it which words of a question it does not understand, and what a
 * misspelt word was meant to be.
 */
import { writtenOut } from './abbreviations.ts';
import { COMMON_WORDS } from './vocabulary.ts';

/** Words that mean something to the analyst. */
const OWN_WORDS =
  'abnormal against anharmonicity anharmonicities anomalies anomaly assignment average averages bell benchmark ' +
  'calibrated calibration calibrations chart classification coherence comment commented comments compare compared comparison connected ' +
  'connection cooldown cooldowns correlated correlation coupled coupling couplings cross declined declining decreasing degraded degrading ' +
  'dephasing developed developing deviation downhill downward difference differences differ distributed distribution drift drifting echo energy excluded ' +
  'execution executions factor failed failing fails failure failures fidelities fidelity freq frequencies frequency fresh ' +
  'graph hahn healthy heatmaps histogram improved improving increased layout lattice lifetime lab laboratory lifetimes limit lineage ' +
  'measured measurement measurements median metrics neighboring neighbouring normal note notes number numbers outdated ' +
  'overview pair pairs parameters pearson percent percentile percentiles pictures plot plots plotted poorest processor ' +
  'provenance quantile quantiles quartile rabi ramsey ranking readout readouts relaxation remark remarks report reports ' +
  'resonance scatter series single spread stale standard statistic statistics std dev stdev strongest strongly summarise ' +
  'summarize summary task tasks threshold thresholds topology trending typical unusual variance version versions weakest workflow workflows';

/** Words that most sentences are made of. */
const EVERYDAY_WORDS =
  'as by he if it its no of or she so to up we able above abroad actual actually add after again ago ahead all along already alright also although always am among and ' +
  'another anybody anyone anything around ask away back based because been before behind being below beside besides ' +
  'between beyond big bit both bring broke broken brought but call called came cannot case chance change changed changes ' +
  'changing check clear close come comes coming compute computed concerning connect continue could count counts course ' +
  'dear decline describe paint painted detail details develop developed did didn different display does doesn done down draw drawn drew drop dropped ' +
  'during early either else end enough especially even ever everyone everything exact exactly example excellent except ' +
  'exist exists explain far fast few fewer figure figures find fine first fit following form forget former forward found ' +
  'full further general get gets getting given gives glad goes going gone got gotten great greater had half hand happen ' +
  'happened happening happens hard has hello help her here hey high higher hold hour hours however idea important inside ' +
  'instead interested into isn itself just keep kind kinds know knows large larger last late lately later latest least ' +
  'leave left less let like likely list listed lists little live long longer longest look looked looking looks lot low ' +
  'lower made main make makes making many may maybe mean means might mind minute minutes moment more most much must name ' +
  'named names near nearest need needed never new newer newest next nice nobody none not nothing number off often okay old ' +
  'older oldest once ones only open order our ourselves out outside over overall own part particular past per perform ' +
  'performance performed performing perhaps place please plus point pointed points poor possible present pretty previous ' +
  'probably problem problems produce produced put question quick quickly quite rank rate rather real really reason recent ' +
  'recently recorded regard regarding remain respect respectively rest result results right rise rising row run runs said ' +
  'same saw say says second see seem seems seen several shape shall short shorter should showed showing shown shows side ' +
  'similar since single sit sits size small smaller some somebody someone something soon sort sorted start started state states ' +
  'stand stands still stop stored such sure take taken takes tell tells term terms than thank thanks them then there ' +
  'therefore these they thing things think this those though through time times to together too took top total touch ' +
  'touches trace traced trouble try turn twice two type under unit units until upon use used useful user uses using usual ' +
  'usually value values various very view visible want wanted wants was way ways week weeks well went were what when where ' +
  'whether which while who whole whom whose why wide will win wins wish with within without won word work works worse ' +
  'worth would wrong year years yes yesterday yet you young zero bad worst rely up ok via vs versus ever respond ' +
  'current currently device devices chip chips data date dates day days execute executed fall falling fell good ' +
  'graphs hz ghz mhz khz us ms ns isn aren wasn weren couldn wouldn has haven hasn don let lets reach recover kept ' +
  'january february april june july august september october november december onward onwards till throughout ' +
  'qubits qubit quantum bit bits state status health condition conditions improve worsen worsened worsening ' +
  'abnormalities outlier outliers strange odd suspicious best highest lowest worst largest smallest shortest biggest';

const WORDS: ReadonlySet<string> = new Set([
  ...COMMON_WORDS,
  ...OWN_WORDS.split(' '),
  ...EVERYDAY_WORDS.split(' '),
]);

/** Whether a word, in any case, is one that the analyst has seen. Forms with an apostrophe are known by their stem. */
export const isKnownWord = (word: string): boolean => WORDS.has(word.toLowerCase().replace(/'\w*$/u, ''));

/** Shorter words have too many others beside them; a wrong letter may be a right word that is not known here. */
const SHORTEST = { swapped: 6, wrong: 8 };

/** `text` with short forms written out, and misspelt words as they were meant where only one known word is one slip away. */
export const respelt = (text: string): string =>
  writtenOut(text.normalize('NFKC')).replaceAll(/(?<![\w-])[a-z]{2,}(?![\w-])/gu, (word) => {
    if (word.length < SHORTEST.swapped || isKnownWord(word)) return word;
    const isMeant = word.length < SHORTEST.wrong ? isSwapped : isOneSlip;
    const meant = [...WORDS].filter((known) => isMeant(word, known));
    return meant.length === 1 ? (meant[0] ?? word) : word;
  });

/** Whether `a` becomes `b` by swapping two letters that stand together. */
function isSwapped(a: string, b: string): boolean {
  const at = firstDifference(a, b);
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** Whether `a` becomes `b` by one letter more, less or other, or by a swap. */
function isOneSlip(a: string, b: string): boolean {
  const at = firstDifference(a, b);
  return (
    isSwapped(a, b) ||
    a.slice(at + 1) === b.slice(at + 1) ||
    a.slice(at) === b.slice(at + 1) ||
    a.slice(at + 1) === b.slice(at)
  );
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
