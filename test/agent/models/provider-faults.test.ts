/**
 * Every fault of a provider, over HTTP and up to the end of a turn: requests, waits, outcome. With PROVIDER_FAULTS=file
 * the table is written to that file.
 */
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { adapterModel, add } from '../../support/adapters.ts';
import { ofType, runTurn } from '../../support/agent-run.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { laterFaultCases } from '../../support/later-faults.ts';
import { ANSWER, faultCases, type FaultCase } from '../../support/provider-faults.ts';
import { fakeWaiting } from '../../support/waiting.ts';

const startServer = ownModelServers();

/** A row of the table of faults. */
async function played({ kind, replies, fallback }: FaultCase) {
  const waiting = fakeWaiting();
  const server = await startServer(replies);
  const other = await startServer(fallback ?? []);
  const { outcome, text, activities } = await runTurn(adapterModel(kind, server), [add], {
    fallback: fallback === undefined ? null : adapterModel(kind, other, { name: 'other' }),
    ...waiting,
  });
  return {
    outcome,
    text,
    requests: [server.requests.length, other.requests.length],
    waits: waiting.waits,
    told: ofType(activities, 'status').flatMap((each) => (each.phase === 'WAITING' ? each.text : [])),
    secondRequest: JSON.stringify(server.requests[1] ?? null),
  };
}

describe('A fault of a provider', () => {
  const rows: string[] = ['| fault | requests | waits (ms) | outcome |', '| --- | --- | --- | --- |'];
  afterAll(() => {
    const file = process.env['PROVIDER_FAULTS'];
    if (file !== undefined) writeFileSync(file, `${rows.join('\n')}\n`);
  });

  test.each([...faultCases(), ...laterFaultCases].map((each) => [each.name, each] as const))(
    '%s',
    async (_name, fault) => {
      const { ends } = fault;
      const { outcome, text, requests, waits, told, secondRequest } = await played(fault);
      const ended =
        outcome.error === null ? outcome.status : `${outcome.error.code}: ${outcome.error.message}`;
      rows.push(
        `| ${[fault.name, requests.join(' + '), waits.map(Math.round).join(', '), ended].join(' | ')} |`,
      );
      const least = ends.waits.filter(([from]) => from > 0);
      expect({ error: outcome.error?.code ?? null, requests, waits: waits.length }).toEqual({
        error: ends.error ?? null,
        requests: ends.requests,
        waits: least.length,
      });
      if (ends.error === undefined) expect(text).toBe(ANSWER);
      for (const [index, [from, to]] of least.entries()) {
        expect(waits[index]).toBeGreaterThanOrEqual(from);
        expect(waits[index]).toBeLessThanOrEqual(to);
      }
      expect(told).toEqual(
        waits.map((ms) => expect.stringMatching(`asking again in ${Math.ceil(ms / 1000)} s$`)),
      );
      if (ends.message) expect(outcome.error?.message).toMatch(ends.message);
      if (ends.hides) expect(outcome.error?.message).not.toMatch(ends.hides);
      if (ends.secondRequest) expect(secondRequest).toMatch(ends.secondRequest);
    },
  );
});
