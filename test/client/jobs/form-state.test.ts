/** The form of a new job without a browser: what changes it, what is kept over a change of expert, and what is sent. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  artifactsOf,
  changeForm,
  EMPTY_FORM,
  type ExpertBase,
  type FormAction,
  type JobForm,
  holdsPreset,
} from '../../../client/features/jobs/new/form-state.ts';
import { isModified, settingOf, toolsOf } from '../../../client/features/jobs/new/setting-paths.ts';
import { computeOverride, isSameJson, mergeConfig } from '../../../src/domain/jobs/config-merge.ts';

const researcher: ExpertBase = {
  expertId: 'researcher',
  displayName: 'Researcher',
  instructions: '# Researcher\n\n## Task\n\nSay what.\n',
  config: {
    llm: { model: 'big', temperature: 0, reasoning_level: 'high' },
    tools: { timeseries: ['series', 'compare'], sql: [] },
  },
};
const writer: ExpertBase = {
  expertId: 'writer',
  displayName: 'Writer',
  instructions: '# Writer\n',
  config: {
    llm: { temperature: 0.5, reasoning_level: 'low' },
    tools: { timeseries: [], sql: ['sql_query'] },
  },
};

const after = (...actions: readonly FormAction[]): JobForm => actions.reduce(changeForm, EMPTY_FORM);
const chosen = (expert: ExpertBase, edits: 'KEEP' | 'REPLACE' = 'REPLACE'): FormAction => ({
  type: 'expert',
  expert,
  edits,
});
const set = (name: 'model' | 'temperature' | 'reasoning_level', value: string | number): FormAction => ({
  type: 'setting',
  path: ['llm', name],
  value,
});
const tools = (category: string, names: readonly string[]): FormAction => ({
  type: 'setting',
  path: ['tools', category],
  value: names,
});

describe('the form of a new job', () => {
  test('is filled by the first expert', () => {
    const form = after(chosen(researcher));
    expect([form.instructions, form.config]).toEqual([researcher.instructions, researcher.config]);
  });

  test('knows each setting that was changed, and gives it back alone', () => {
    const form = after(chosen(researcher), set('temperature', 0.7), tools('timeseries', []));
    const modified = ({ config }: JobForm) =>
      (
        [
          ['llm', 'temperature'],
          ['llm', 'model'],
          ['tools', 'timeseries'],
        ] as const
      ).map((path) => isModified(researcher.config, config, path));
    expect(modified(form)).toEqual([true, false, true]);
    const reset = changeForm(form, { type: 'reset-setting', path: ['llm', 'temperature'] });
    expect(modified(reset)).toEqual([false, false, true]);
    expect(changeForm(reset, { type: 'reset-setting', path: null }).config).toEqual(researcher.config);
  });

  test('gives back a setting that the expert leaves to the server by taking it away', () => {
    const form = after(chosen(writer), set('model', 'mine'));
    expect(settingOf(form.config, ['llm', 'model'])).toBe('mine');
    const reset = changeForm(form, { type: 'reset-setting', path: ['llm', 'model'] });
    expect(computeOverride(writer.config, reset.config)).toEqual({});
  });

  test('keeps under another expert what was changed, and nothing else', () => {
    const form = after(chosen(researcher), set('temperature', 0.7), chosen(writer, 'KEEP'));
    expect(form.instructions).toBe(writer.instructions);
    expect(form.config).toEqual({
      llm: { temperature: 0.7, reasoning_level: 'low' },
      tools: { timeseries: [], sql: ['sql_query'] },
    });
    const written = after(chosen(researcher), { type: 'instructions', text: 'mine' }, chosen(writer, 'KEEP'));
    expect(written.instructions).toBe('mine');
  });

  test('replaces under another expert all but the description', () => {
    const form = after(
      chosen(researcher),
      { type: 'description', text: 'drift' },
      { type: 'instructions', text: 'mine' },
      set('temperature', 1),
      chosen(writer),
    );
    expect(form).toMatchObject({
      description: 'drift',
      instructions: writer.instructions,
      config: writer.config,
    });
  });

  test('lays a preset over what is set, and forgets its name when settings go back', () => {
    const override = { llm: { temperature: 0.2 }, tools: { timeseries: [] } };
    const form = after(chosen(researcher), set('model', 'mine'), {
      type: 'preset',
      presetId: 'fast',
      override,
    });
    expect([form.presetId, settingOf(form.config, ['llm', 'model'])]).toEqual(['fast', 'mine']);
    expect(toolsOf(form.config, 'timeseries')).toEqual([]);
    expect(changeForm(form, { type: 'reset-setting', path: null }).presetId).toBeNull();
  });

  test('knows whether what a preset set is still set so', () => {
    const override = { llm: { temperature: 0.1 } };
    const applied = changeForm(after(chosen(researcher)), { type: 'preset', presetId: 'fast', override });
    const warmer = changeForm(applied, { type: 'setting', path: ['llm', 'temperature'], value: 0.2 });
    const other = changeForm(applied, { type: 'setting', path: ['llm', 'model'], value: 'other' });
    expect([applied, warmer, other].map((form) => holdsPreset(form, override))).toEqual([true, false, true]);
    expect(warmer.presetId).toBe('fast');
  });

  test('takes no edits of the user while the builder writes, but takes those of the builder', () => {
    const locked = after(chosen(researcher), { type: 'lock', isLocked: true });
    for (const edit of [
      set('temperature', 1),
      { type: 'instructions', text: 'x' },
      { type: 'description', text: 'x' },
      { type: 'reset-instructions' },
      chosen(writer),
    ] as const) {
      expect(changeForm(locked, edit)).toBe(locked);
    }
    const artifacts = { instructions: 'by the builder', config: null, description: 'named' };
    const written = changeForm(locked, { type: 'artifacts', artifacts, expert: null });
    expect(artifactsOf(written)).toEqual({ ...artifacts, config: researcher.config });
    expect(
      changeForm(changeForm(written, { type: 'lock', isLocked: false }), set('temperature', 1)),
    ).not.toBe(written);
  });

  test('follows the builder to the expert that it writes for, also while it writes', () => {
    const locked = after(chosen(researcher), { type: 'lock', isLocked: true });
    const artifacts = { instructions: 'by the builder', config: null, description: null };
    const written = changeForm(locked, { type: 'artifacts', artifacts, expert: writer });
    expect(written.expert).toEqual(writer);
    expect(artifactsOf(written)).toMatchObject({ instructions: 'by the builder', config: writer.config });
  });

  test('for any edits: what differs from the expert, laid over it, is what the form shows', () => {
    const edits = fc.array(
      fc.oneof(
        fc.double({ min: 0, max: 2, noNaN: true }).map((value) => set('temperature', value)),
        fc.string().map((value) => set('model', value)),
        fc
          .array(fc.constantFrom('series', 'compare', 'sql_query'))
          .map((names) => tools('timeseries', names)),
        fc.constantFrom(researcher, writer).map((expert) => chosen(expert, 'KEEP')),
        fc.constant<FormAction>({ type: 'reset-setting', path: ['tools', 'timeseries'] }),
      ),
    );
    fc.assert(
      fc.property(edits, (actions) => {
        const { expert, config } = after(chosen(researcher), ...actions);
        const base = expert?.config ?? {};
        expect(isSameJson(mergeConfig(base, computeOverride(base, config)), config)).toBe(true);
      }),
    );
  });
});
