import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../src/server/http.ts';
import type { DemoDatabase } from '../support/demo-database.ts';
import { post } from '../support/graphql-client.ts';
import { describeWithSharedData } from '../support/shared-data.ts';
import { openSnapshotDatabase } from '../support/snapshot-database.ts';
import { startTestServer } from '../support/start-test-server.ts';

/** Real devices of 5 to 156 qubits in one project, beside the demo of 64. */
describeWithSharedData('couplings of every qubit with their values', () => {
  let database: DemoDatabase;
  let server: RunningServer;
  beforeAll(async () => {
    database = await openSnapshotDatabase();
    server = await startTestServer(database.services);
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  type Couplings = readonly { readonly couplingId: string; readonly parameters: readonly unknown[] }[];
  type Read = {
    readonly chipId: string;
    readonly couplings: Couplings;
    readonly qubits: readonly { readonly qid: string; readonly couplings: Couplings }[];
  };
  const EVERY_VALUE =
    'name title value unit displayValue displayUnit text error calibratedAt executionId taskId rating isStale state stateReason';
  const couplings = (fields: string) => `couplings { couplingId parameters { ${fields} } }`;

  /** Both ends of each coupling have it, with the same values. */
  function expectWhole({ qubits, couplings: all }: Read): void {
    const sort = (list: Couplings) => list.toSorted((a, b) => (a.couplingId < b.couplingId ? -1 : 1));
    const ends = qubits.flatMap((qubit) => qubit.couplings);
    expect(all.length).toBeGreaterThan(0);
    expect(sort(ends)).toEqual(sort([...all, ...all]));
    expect(ends.flatMap(({ parameters }) => parameters).length).toBeGreaterThan(0);
  }

  test('are read of all chips of the project at once', async () => {
    const fields = 'name value unit';
    const query = `{ chips { chipId ${couplings(fields)} qubits { qid ${couplings(fields)} } } }`;
    const { data, errors } = await post(server.url, query);
    expect(errors).toEqual([]);
    const chips = data?.['chips'] as readonly Read[];
    expect(new Set(chips.map(({ qubits }) => qubits.length))).toEqual(
      new Set([64, 156, 133, 127, 27, 7, 5, 20]),
    );
    for (const chip of chips) expectWhole(chip);
  });

  test.each(['demo-64', 'fez'])('are read with everything that is known of them on %s', async (chipId) => {
    const read = async (selection: string): Promise<Read> => {
      const { data, errors } = await post(server.url, `{ chip(chipId: "${chipId}") { ${selection} } }`);
      expect(errors).toEqual([]);
      return data?.['chip'] as Read;
    };
    const ofQubits = `qubits { qid parameters { ${EVERY_VALUE} } ${couplings(EVERY_VALUE)} }`;
    expectWhole({ ...(await read(ofQubits)), ...(await read(couplings(EVERY_VALUE))) });
  });

  test('are read with those of neighbours, and refused where that is repeated', async () => {
    const near = (fields: string) => `{ chip(chipId: "fez") { qubits { neighbors { qid ${fields} } } } }`;
    expect((await post(server.url, near('parameters { name value unit }'))).errors).toEqual([]);
    const { data, errors } = await post(
      server.url,
      near(`neighbors { neighbors { ${couplings(EVERY_VALUE)} } }`),
    );
    expect(data).toBeNull();
    expect(errors).toEqual([expect.objectContaining({ extensions: { code: 'QUERY_TOO_LARGE' } })]);
  });
});
