import { describe, expect, test } from '@jest/globals';
import { configRows } from '../../../client/features/jobs/job/config-rows.ts';
import { linkReferences } from '../../../client/features/jobs/job/link-references.ts';
import { workedSeconds } from '../../../client/features/jobs/job-times.ts';
import { idOfName, narrowExperts, tagsOf } from '../../../client/features/jobs/new/experts/experts.ts';

describe('the settings of a job against its expert', () => {
  const base = { llm: { temperature: 0, reasoning_level: 'high' }, tools: { sql: ['sql_query'], git: [] } };
  const row = (resolved: typeof base, override: object | null, name: string) =>
    configRows({
      resolved,
      base,
      override: override as null,
      sources: [{ path: 'llm.temperature', layer: 'researcher' }],
    }).find(({ path }) => path[1] === name);

  test('name the layer of what is as the expert has it', () => {
    expect(row(base, null, 'temperature')).toMatchObject({
      isChanged: false,
      source: { kind: 'LAYER', layer: 'researcher' },
    });
  });

  test('tell what the job set from what came otherwise', () => {
    const resolved = { llm: { temperature: 1, reasoning_level: 'low' }, tools: { sql: [], git: [] } };
    const override = { llm: { temperature: 1 } };
    expect(row(resolved, override, 'temperature')).toMatchObject({
      isChanged: true,
      source: { kind: 'JOB' },
    });
    expect(row(resolved, override, 'reasoning_level')).toMatchObject({ source: { kind: 'OTHER' } });
    expect(row(resolved, override, 'sql')).toMatchObject({
      value: [],
      ofExpert: ['sql_query'],
      isChanged: true,
    });
  });
});

describe('references of a report', () => {
  const text = (value: string) => ({ type: 'text', value });
  const p = (...children: object[]) => ({ type: 'element', tagName: 'p', children });
  const linked = (...children: object[]) => {
    const tree = { type: 'root', children };
    linkReferences()(tree as Parameters<ReturnType<typeof linkReferences>>[0]);
    return tree.children;
  };

  test('lead to the paragraph that explains them, which does not lead to itself', () => {
    const [said, explained] = linked(p(text('T1 fell [1], see [2].')), p(text('[1] T1 of Q27')));
    expect(said).toEqual(
      p(
        text('T1 fell '),
        { type: 'element', tagName: 'a', properties: { href: '#reference-1' }, children: [text('[1]')] },
        text(', see '),
        text('[2]'),
        text('.'),
      ),
    );
    expect(explained).toMatchObject({
      properties: { id: 'reference-1' },
      children: [text(''), text('[1]'), text(' T1 of Q27')],
    });
  });

  test('in code stay as they are', () => {
    const code = { type: 'element', tagName: 'code', children: [text('a[1]')] };
    expect(linked(p(code), p(text('[1] x')))[0]).toEqual(p(code));
  });
});

describe('lists of jobs and experts', () => {
  test('a job is worked on from its beginning to its end, or until now', () => {
    const startedAt = '2026-01-01T00:00:00Z';
    const nowMs = Date.parse('2026-01-01T00:01:00Z');
    expect(workedSeconds({ startedAt, finishedAt: null }, nowMs)).toBe(60);
    expect(workedSeconds({ startedAt, finishedAt: '2026-01-01T00:00:05Z' }, nowMs)).toBe(5);
    expect(workedSeconds({ startedAt: null, finishedAt: null }, nowMs)).toBeNull();
  });

  test('experts are found by all words and by their tag', () => {
    const experts = [
      { expertId: 'researcher', displayName: 'Researcher', description: 'Finds drift', tags: ['drift'] },
      { expertId: 'writer', displayName: 'Writer', description: 'Writes', tags: ['report', 'drift'] },
    ];
    const found = (search: string, tag: string | null) =>
      narrowExperts(experts, search, tag).map(({ expertId }) => expertId);
    expect(found('DRIFT find', null)).toEqual(['researcher']);
    expect(found('', 'report')).toEqual(['writer']);
    expect(tagsOf(experts)).toEqual(['drift', 'report']);
  });
});

test.each([
  ['T1 drift', 't1-drift'],
  ['  Café – 2nd try! ', 'cafe-2nd-try'],
  ['3 qubits', 'qubits'],
  ['ドリフト', ''],
  [`a${'-b'.repeat(40)}`, `a${'-b'.repeat(31)}`],
])('the name %j suggests the id %j', (name, id) => {
  expect(idOfName(name)).toBe(id);
});
