/**
 * Loads the context of a task result: its execution, other runs of the task, and the current values of its qubit, the
 * neighbours, the couplings and the whole chip. The number of reads does not depend on how many of these there are.
 */
import { presentOf, type Chip, type Coupling, type Qubit } from '../../domain/chip/chip.ts';
import { neighborsOf } from '../../domain/chip/topology.ts';
import { isCouplingId, qidLabel, twinOf } from '../../domain/qid.ts';
import type { TaskKnowledge } from '../../domain/records/task-knowledge.ts';
import { parameterStatistics } from '../../domain/values/parameter-statistics.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import type { TaskResult } from '../../domain/values/task-result.ts';
import type { Loaders } from '../../services/loaders/loaders.ts';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';
import type { TaskKnowledgeService } from '../../services/calibration/task-knowledge.ts';
import type { AnalysisContext, EntityValues } from '../prompt/analysis-sections.ts';

export type AnalysisDeps = {
  readonly services: Pick<CalibrationServices, 'taskResults' | 'qubits' | 'couplings' | 'metrics'>;
  readonly loaders: Loaders;
  readonly knowledge: TaskKnowledgeService;
};

/** Runs that the spread is computed from. */
const SPREAD_RUNS = 30;
/** Runs listed one by one unless the task's knowledge sets another number. */
const SHOWN_RUNS = 5;

/** Parts that the chip does not have, or no longer has, are empty. */
export async function loadAnalysis(deps: AnalysisDeps, result: TaskResult): Promise<AnalysisContext> {
  const knowledge = deps.knowledge.find(result.name);
  const [chip, execution] = await Promise.all([
    deps.loaders.chip.load(result.chipId),
    result.executionId === '' ? null : deps.loaders.execution.load(result.executionId),
  ]);
  const related = knowledge?.related ?? [];
  const shownRuns = related.find(({ type }) => type === 'history');
  const bare: AnalysisContext = {
    result,
    label: result.qid === '' ? '' : qidLabel(result.qid, chip?.size ?? 0),
    execution,
    knowledge,
    currentCooldownId: chip?.currentCooldownId ?? null,
    runs: [],
    hasOlderRuns: false,
    shownRuns: shownRuns?.type === 'history' ? shownRuns.lastN : SHOWN_RUNS,
    current: [],
    chipStatistics: [],
    neighbors: [],
    couplings: [],
  };
  if (chip === null) return bare;
  const subject = await findSubject(deps, chip, result.qid);
  if (subject === null) return bare;
  const { items, hasNextPage } = await deps.services.taskResults.page(chip, {
    first: SPREAD_RUNS,
    filter: { taskName: result.name, qid: result.qid === '' ? null : result.qid },
  });
  const runs = items.map(({ item }) => item);
  return {
    ...bare,
    runs,
    hasOlderRuns: hasNextPage,
    ...(await loadValues(deps, { chip, subject, outputs: outputNamesOf([result, ...runs]), knowledge })),
  };
}

/** The subject of a result, with all qubits and couplings of its chip. */
type Subject = {
  readonly qids: readonly string[];
  readonly couplingId: string | null;
  readonly qubits: readonly Qubit[];
  readonly couplings: readonly Coupling[];
};

/** Null for a qubit or coupling that the chip does not have. */
async function findSubject({ loaders }: AnalysisDeps, chip: Chip, qid: string): Promise<Subject | null> {
  const [qubits, couplings] = await Promise.all([
    loaders.qubitsOfChip.load(chip),
    loaders.couplingsOfChip.load(chip),
  ]);
  if (isCouplingId(qid)) {
    const coupling = couplings.find(({ couplingId }) => couplingId === qid || couplingId === twinOf(qid));
    if (coupling === undefined) return null;
    const { couplingId, controlQid, targetQid } = coupling;
    return { qids: [controlQid, targetQid], couplingId, qubits, couplings };
  }
  if (qid !== '' && !qubits.some((qubit) => qubit.qid === qid)) return null;
  return { qids: qid === '' ? [] : [qid], couplingId: null, qubits, couplings };
}

/** Outputs of the first of `results` that has any: a failed run has none, so those of an earlier run count. */
const outputNamesOf = (results: readonly TaskResult[]): readonly string[] =>
  results
    .find(({ outputParameters }) => outputParameters.length > 0)
    ?.outputParameters.map(({ name }) => name) ?? [];

type Wanted = {
  readonly chip: Chip;
  readonly subject: Subject;
  readonly outputs: readonly string[];
  readonly knowledge: TaskKnowledge | null;
};

async function loadValues(
  { services }: AnalysisDeps,
  { chip, subject, outputs, knowledge }: Wanted,
): Promise<Pick<AnalysisContext, 'current' | 'chipStatistics' | 'neighbors' | 'couplings'>> {
  const { qids, couplingId, qubits, couplings } = subject;
  const ofQubit = couplingId === null;
  const relatedParameters = (type: 'neighbor_qubits' | 'coupling'): readonly string[] =>
    (knowledge?.related ?? []).flatMap((each) => (each.type === type ? each.parameters : []));
  const ofQubits = [...new Set([...(ofQubit ? outputs : []), ...relatedParameters('neighbor_qubits')])];
  const ofCouplings = [...new Set([...(ofQubit ? [] : outputs), ...relatedParameters('coupling')])];
  const ownQubits = ofQubit ? qubits.filter(({ qid }) => qids.includes(qid)) : [];
  const ownCouplings = couplings.filter((coupling) => coupling.couplingId === couplingId);
  const [qubitValues, couplingValues, ownOfQubit, ownOfCoupling] = await Promise.all([
    services.qubits.parameters(ofQubits.length > 0 ? qubits : [], ofQubits),
    services.couplings.parameters(ofCouplings.length > 0 ? couplings : [], ofCouplings),
    services.qubits.parameters(ownQubits, null),
    services.couplings.parameters(ownCouplings, null),
  ]);
  const near = nearOf(subject);
  const valuesOf = (
    ids: readonly string[],
    names: readonly string[],
    find: (id: string) => readonly ParameterValue[] | undefined,
  ): readonly EntityValues[] =>
    names.length === 0
      ? []
      : ids.map((id) => ({ label: qidLabel(id, chip.size), parameters: named(find(id), names) }));
  return {
    current: (ofQubit ? ownOfQubit : ownOfCoupling)[0] ?? [],
    chipStatistics: outputs.map((name) =>
      parameterStatistics(
        name,
        services.metrics.find(name, ofQubit ? 'QUBIT' : 'COUPLING'),
        named((ofQubit ? qubitValues : couplingValues).flat(), [name]),
        (ofQubit ? qubits : presentOf(couplings)).length,
      ),
    ),
    neighbors: valuesOf(near.qids, relatedParameters('neighbor_qubits'), (id) => {
      return qubitValues[qubits.findIndex(({ qid }) => qid === id)];
    }),
    couplings: valuesOf(near.couplingIds, relatedParameters('coupling'), (id) => {
      return couplingValues[couplings.findIndex((coupling) => coupling.couplingId === id)];
    }),
  };
}

/** Neighbours and couplings of a qubit; of a coupling its two qubits and itself. */
function nearOf({ qids, couplingId, couplings }: Subject): {
  readonly qids: readonly string[];
  readonly couplingIds: readonly string[];
} {
  if (couplingId !== null) return { qids, couplingIds: [couplingId] };
  const [qid] = qids;
  if (qid === undefined) return { qids: [], couplingIds: [] };
  const present = presentOf(couplings);
  const ends = present.map(({ controlQid, targetQid }) => [controlQid, targetQid] as const);
  const touching = present.filter(({ controlQid, targetQid }) => controlQid === qid || targetQid === qid);
  return { qids: neighborsOf(qid, ends), couplingIds: touching.map(({ couplingId: id }) => id) };
}

const named = (
  values: readonly ParameterValue[] | undefined,
  names: readonly string[],
): readonly ParameterValue[] => (values ?? []).filter(({ name }) => names.includes(name));
