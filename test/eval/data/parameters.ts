/** The parameters that questions ask about, from `parameters.yaml`. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const words = z.array(z.string()).min(1);
const askedParameter = z.strictObject({
  name: z.string(),
  unit: z.string(),
  times: z.number(),
  better: z.enum(['higher', 'lower']).nullable(),
  words: z.strictObject({ known: words, 'held-out': words, shorthand: words, japanese: z.string() }),
});
const schema = z.strictObject({ qubit: z.array(askedParameter), coupling: z.array(askedParameter) });

/** A parameter and what people call it. */
export type AskedParameter = z.infer<typeof askedParameter>;

const { qubit, coupling } = schema.parse(
  parse(readFileSync(new URL('./parameters.yaml', import.meta.url), 'utf8')),
);

/** Parameters of qubits. */
export const QUBIT_PARAMETERS: readonly AskedParameter[] = qubit;
/** Parameters of couplings. */
export const COUPLING_PARAMETERS: readonly AskedParameter[] = coupling;
/** Both. */
export const ASKED_PARAMETERS: readonly AskedParameter[] = [...QUBIT_PARAMETERS, ...COUPLING_PARAMETERS];

/** A stored value as it is shown. */
export const shownValue = (parameter: string, stored: number): number =>
  stored * (ASKED_PARAMETERS.find(({ name }) => name === parameter)?.times ?? 1);
