import type { ToolEvidence } from '../../../src/domain/grounding/read-facts.ts';

const QUBITS = 1_024;
const PARAMETERS = 14;

/**
 * A chip summary as a large chip has it: 1,024 qubits with 14 parameters; that of qubit 512 is 512.03 μs for
 * `parameter_3`.
 */
export function largeResult(): ToolEvidence {
  const names = Array.from({ length: PARAMETERS }, (_, index) => `parameter_${index}`);
  const figures = { unit: 'μs', scale: 1, display_unit: 'μs', mean: 1 };
  const qubits = Array.from({ length: QUBITS }, (_, qid) => ({
    qid: String(qid),
    ...Object.fromEntries(names.map((name, index) => [name, qid + index / 100])),
  }));
  const statistics = Object.fromEntries(names.map((name) => [name, figures]));
  return { callId: 'large', arguments: {}, result: { data: { chip_id: 'large', statistics, qubits } } };
}
