/** The form of a new job without a browser: what changes it, what is kept over a change of expert, and what is sent. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  artifactsOf,
  editForm,
  EMPTY_FORM,
  holdsPreset,
  overrideOf,
  settingOf,
  toolsOf,
  withArtifacts,
  withExpert,
  withoutEdit,
  withoutEdits,
  withPreset,
  withSetting,
  type ExpertBase,
  type JobForm,
} from '../../../client/features/jobs/new/job-form.ts';
import { computeOverride, isSameJson, mergeConfig } from '../../../src/domain/artifacts/config-merge.ts';

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

type Change = (form: JobForm) => JobForm;
const after = (...changes: readonly Change[]): JobForm =>
  changes.reduce((form, change) => change(form), EMPTY_FORM);
const chosen =
  (expert: ExpertBase, edits: 'KEEP' | 'REPLACE' = 'REPLACE'): Change =>
  (form) =>
    withExpert(form, expert, edits);
const set =
  (name: 'model' | 'temperature' | 'reasoning_level', value: string | number): Change =>
  (form) =>
    withSetting(form, ['llm', name], value);
const tools =
  (category: string, names: readonly string[]): Change =>
  (form) =>
    withSetting(form, ['tools', category], names);

describe('the form of a new job', () => {
  test('is filled by the first expert', () => {
    const form = after(chosen(researcher));
    expect([form.instructions, form.config]).toEqual([researcher.instructions, researcher.config]);
  });

  test('knows each setting that was changed, and gives it back alone', () => {
    const form = after(chosen(researcher), set('temperature', 0.7), tools('timeseries', []));
    expect(overrideOf(form)).toEqual({ llm: { temperature: 0.7 }, tools: { timeseries: [] } });
    const reset = withoutEdit(form, ['llm', 'temperature']);
    expect(overrideOf(reset)).toEqual({ tools: { timeseries: [] } });
    expect(withoutEdits(reset).config).toEqual(researcher.config);
  });

  test('gives back a setting that the expert leaves to the server by taking it away', () => {
    const form = after(chosen(writer), set('model', 'mine'));
    expect(settingOf(form.config, ['llm', 'model'])).toBe('mine');
    const reset = withoutEdit(form, ['llm', 'model']);
    expect(computeOverride(writer.config, reset.config)).toEqual({});
  });

  test('keeps under another expert what was changed, and nothing else', () => {
    const form = after(chosen(researcher), set('temperature', 0.7), chosen(writer, 'KEEP'));
    expect(form.instructions).toBe(writer.instructions);
    expect(form.config).toEqual({
      llm: { temperature: 0.7, reasoning_level: 'low' },
      tools: { timeseries: [], sql: ['sql_query'] },
    });
    const written = after(
      chosen(researcher),
      (form) => ({ ...form, instructions: 'mine' }),
      chosen(writer, 'KEEP'),
    );
    expect(written.instructions).toBe('mine');
  });

  test('replaces under another expert all but the description', () => {
    const form = after(
      chosen(researcher),
      (empty) => ({ ...empty, description: 'drift', instructions: 'mine' }),
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
    const form = withPreset(after(chosen(researcher), set('model', 'mine')), 'fast', override);
    expect([form.presetId, settingOf(form.config, ['llm', 'model'])]).toEqual(['fast', 'mine']);
    expect(toolsOf(form.config, 'timeseries')).toEqual([]);
    expect(withoutEdits(form).presetId).toBeNull();
  });

  test('knows whether what a preset set is still set so', () => {
    const override = { llm: { temperature: 0.1 } };
    const applied = withPreset(after(chosen(researcher)), 'fast', override);
    const warmer = set('temperature', 0.2)(applied);
    const other = set('model', 'other')(applied);
    expect([applied, warmer, other].map((form) => holdsPreset(form, override))).toEqual([true, false, true]);
    expect(warmer.presetId).toBe('fast');
  });

  test('takes no edits of the user while the builder writes, but takes those of the builder', () => {
    const locked = after(chosen(researcher), (form): JobForm => ({ ...form, lock: 'BUILDER' }));
    for (const edit of [
      set('temperature', 1),
      (form: JobForm) => ({ ...form, instructions: 'x' }),
      chosen(writer),
    ]) {
      expect(editForm(locked, edit)).toBe(locked);
    }
    const artifacts = { instructions: 'by the builder', config: null, description: 'named' };
    const written = withArtifacts(locked, artifacts, null);
    expect(artifactsOf(written)).toEqual({ ...artifacts, config: researcher.config });
    const unlocked: JobForm = { ...written, lock: null };
    expect(editForm(unlocked, set('temperature', 1))).not.toBe(unlocked);
  });

  test('follows the builder to the expert that it writes for, also while it writes', () => {
    const locked = after(chosen(researcher), (form): JobForm => ({ ...form, lock: 'BUILDER' }));
    const artifacts = { instructions: 'by the builder', config: null, description: null };
    const written = withArtifacts(locked, artifacts, writer);
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
        fc.constant<Change>((form) => withoutEdit(form, ['tools', 'timeseries'])),
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
