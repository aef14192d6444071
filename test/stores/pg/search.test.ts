/** The index of words: what it finds, what it never breaks, and how it gets what was there before it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'kysely';
import { searchTerms, toTsquery } from '../../../src/domain/text/search-words.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { insertMessage } from '../../../src/stores/pg/messages.ts';
import { FOUND_KINDS, findTexts, indexBacklog, MOST_RANKED } from '../../../src/stores/pg/search.ts';
import { deleteSession } from '../../../src/stores/pg/session-delete.ts';
import { viewer } from '../../support/chat.ts';
import { openPgStore } from './pg-store.ts';

let store: Awaited<ReturnType<typeof openPgStore>>;
beforeAll(async () => {
  store = await openPgStore();
});
afterAll(() => store.close());

const isFound = async (search: string, text: string): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select search_words(${text}) @@ lower(${toTsquery(searchTerms(search))})::tsquery as found
  `.execute(store.db);
  return rows[0]?.found === true;
};

/** Answers with these texts in one conversation. */
async function answers(...texts: string[]): Promise<string> {
  const session = await store.newSession();
  const turn = await store.newTurn(session.id, newId());
  await store.transact(async (tx) => {
    for (const text of texts) {
      await insertMessage(tx, {
        id: newId(),
        sessionId: session.id,
        turnId: turn.id,
        projectId: viewer.projectId,
        viewerId: viewer.id,
        role: 'ASSISTANT',
        text,
        blocks: [],
        freshness: [],
        model: null,
        assessment: null,
        strippedTables: 0,
        unverifiedTable: false,
      }).execute();
    }
  });
  return session.id;
}

const search = (text: string, more: { limit?: number; after?: { rank: number; id: string } } = {}) =>
  findTexts(store.db, viewer, {
    terms: searchTerms(text),
    kinds: FOUND_KINDS,
    chip: null,
    personId: null,
    from: null,
    until: null,
    limit: 100,
    after: null,
    ...more,
  });

test.each([
  ['Q27', 'T1 of Q27 is 40 µs', true],
  ['q0027', 'T1 of Q27 is 40 µs', true],
  ['Q2', 'T1 of Q27 is 40 µs', false],
  ['40 μs', 'T1 of Q27 is 40 µs', true], // the other mu
  ['Q00-Q01', 'the coupling Q00–Q01 drifts', true],
  ['Q00-Q01', 'Q00 beside Q01', false],
  ['t2_echo', 'T2 echo', true],
  ['calibrat', 'Recalibrated and calibrated', true],
  ['0.998', 'a fidelity of 0.998', true],
  ['緩和時間', 'Q27の緩和時間は短い', true],
  ['和時', 'Q27の緩和時間は短い', true],
  ['時緩', 'Q27の緩和時間は短い', false],
  ['い', 'Q27の緩和時間は短い', true],
  ['Q27の緩和', 'Ｑ２７の緩和時間', true],
  ['キャリブレーション', 'ｷｬﾘﾌﾞﾚｰｼｮﾝを実行', true],
  ['ΔF ÜBER', 'Δf über', true],
])('%s in “%s”: %s', async (words, text, found) => {
  expect(await isFound(words, text)).toBe(found);
});

test('every text is indexed, and found by each of its own words', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (raw) => {
      const text = raw.replaceAll('\0', '').toWellFormed();
      await sql`select search_words(${text})`.execute(store.db);
      const [word] = searchTerms(`"${text.replaceAll('"', ' ')}"`);
      if (word !== undefined)
        expect(await isFound(`"${word.parts.join(' ')}"`, word.parts.join(' '))).toBe(true);
    }),
    { numRuns: 150 },
  );
  for (const text of [
    '緩和時間'.repeat(20_000),
    'ﷺ'.repeat(50_000),
    'a'.repeat(100_000),
    'x1 '.repeat(60_000),
  ])
    await sql`select search_words(${text})`.execute(store.db);
});

test('closer texts come first, of equals the newest, and pages have each once', async () => {
  await answers('zirconium once', 'zirconium', 'zirconium zirconium zirconium zirconium', 'zirconium once');
  const all = await search('zirconium');
  expect(all.map(({ text }) => text)).toEqual([
    'zirconium zirconium zirconium zirconium',
    'zirconium once',
    'zirconium',
    'zirconium once',
  ]);
  const paged = [];
  for (let after = null; ;) {
    const [row] = await search('zirconium', { limit: 1, ...(after && { after }) });
    if (row === undefined) break;
    paged.push(row.id);
    after = row;
  }
  expect(paged).toEqual(all.map(({ id }) => id));
});

test('a word that many texts have costs a bounded search, which says so', async () => {
  await answers(...Array.from({ length: MOST_RANKED + 1 }, () => 'xenon'));
  const [row] = await search('xenon', { limit: 1 });
  expect(row).toMatchObject({ text: 'xenon', isCut: true });
});

test('what was written before the index gets into it, whatever is deleted meanwhile', async () => {
  const [kept, gone] = [await answers('palladium'), await answers('palladium too')];
  await sql`delete from search_entries where session_id = any(${[kept, gone]}::uuid[])`.execute(store.db);
  await sql`insert into search_backlog select unnest(${[kept, gone]}::uuid[])`.execute(store.db);
  expect(await search('palladium')).toEqual([]);
  await store.transact(async (tx) => {
    const session = await tx
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', gone)
      .executeTakeFirstOrThrow();
    await deleteSession(tx, {
      id: session.id,
      kind: 'COPILOT',
      projectId: 'demo',
      viewerId: viewer.id,
    } as never);
  });
  expect(await indexBacklog(store.db)).toBe(2);
  expect((await search('palladium')).map(({ sessionId }) => sessionId)).toEqual([kept]);
  expect(await indexBacklog(store.db)).toBe(0);
  const { rows } = await sql`select from search_entries where session_id = ${gone}`.execute(store.db);
  expect(rows).toEqual([]);
});
