/** Reads what a control server says, as it says it. */
import { z } from 'zod';

const answer = z.object({
  values: z.array(z.object({ qid: z.string().optional(), parameter: z.string(), value: z.number() })),
});

/** A value of a qubit at this moment, in the unit of the control server, which is the stored one. */
export type LiveValue = { readonly qid: string; readonly parameter: string; readonly value: number };

/** The values of qubits at `url`. @throws Error when nothing there answers as a control server does. */
export async function readLiveValues(url: string): Promise<readonly LiveValue[]> {
  const response = await fetch(url);
  const { values } = answer.parse(await response.json());
  return values.flatMap(({ qid, parameter, value }) =>
    qid === undefined ? [] : [{ qid, parameter, value }],
  );
}
