/** The preflight of a question that asks for live values: the live source is read before the model is asked. */
import { presentOf, type Chip } from '../../domain/chip/chip.ts';
import type { MetricScope } from '../../domain/values/metric.ts';
import type { Loaders } from '../../services/loaders/loaders.ts';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';
import type { Preflight } from '../loop/preflight-calls.ts';
import { readSlots } from '../../domain/questions/slots.ts';
import { getLiveParameters } from '../tools/get-live-parameters.ts';

/** A question, with the chip and qubit of its session. */
export type LiveQuestion = {
  readonly text: string;
  readonly chipId: string | null;
  readonly qid: string | null;
};

export type LiveReads = {
  readonly metrics: CalibrationServices['metrics'];
  readonly loaders: Pick<Loaders, 'chip' | 'couplingsOfChip'>;
};

/** Most words that are looked up as names of chips. */
const MOST_WORDS = 100;
/** Most couplings in one call. */
const MAX_COUPLINGS = 128;

/** Reads the qubits and parameters that the question names, else all of the chip. */
export async function livePreflight(question: LiveQuestion, reads: LiveReads): Promise<Preflight> {
  const named = readSlots(question.text);
  // Any word may be the name of a chip; only known chips count.
  const words = new Set(question.text.match(/[a-z][\w-]+/giu)?.slice(0, MOST_WORDS));
  const chips = await Promise.all([...words].map((word) => reads.loaders.chip.load(word)));
  const namedChip = chips.find((each) => each !== null) ?? null;
  const chip =
    namedChip ?? (question.chipId === null ? null : await reads.loaders.chip.load(question.chipId));
  const isOf = (scope: MetricScope) => (name: string) => reads.metrics.find(name, scope) !== null;
  const names = named.metrics.filter((name) => isOf('QUBIT')(name) || isOf('COUPLING')(name));
  const selected = question.qid === null || namedChip !== null ? [] : [question.qid];
  const qubits = named.qids.length > 0 ? named.qids : selected;
  const isOfCouplings = names.length > 0 && !names.some(isOf('QUBIT'));
  const qids = isOfCouplings && chip !== null ? await couplingsOf(chip, qubits, reads) : qubits;
  const args = {
    chip_id: chip?.chipId ?? question.chipId,
    qids: qids.length > 0 ? qids : null,
    param_names: names.length > 0 ? names : null,
  };
  return {
    phase: 'CALLING_TOOLS',
    status: 'Asking the live source',
    words: '',
    calls: [{ callId: 'server_1', name: getLiveParameters.name, arguments: JSON.stringify(args) }],
    conclude: () => '',
  };
}

/** Couplings of `qubits`; all if there are none. */
async function couplingsOf(
  chip: Chip,
  qubits: readonly string[],
  { loaders }: LiveReads,
): Promise<readonly string[]> {
  const isWanted = (qid: string): boolean => qubits.length === 0 || qubits.includes(qid);
  return presentOf(await loaders.couplingsOfChip.load(chip))
    .filter(({ controlQid, targetQid }) => isWanted(controlQid) || isWanted(targetQid))
    .slice(0, MAX_COUPLINGS)
    .map(({ couplingId }) => couplingId);
}
