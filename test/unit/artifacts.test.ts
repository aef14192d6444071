import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyArtifactCall } from '../../src/domain/artifacts/apply-artifact-call.ts';
import { ARTIFACT_TOOL_NAMES } from '../../src/domain/artifacts/artifact-calls.ts';
import type { Artifacts } from '../../src/domain/artifacts/artifacts.ts';
import { ARTIFACT_VECTORS, VECTOR_RULES } from '../support/artifact-vectors.ts';

const nothing: Artifacts = { instructions: null, config: null, description: null };

describe('the artifact tools', () => {
  test.each(ARTIFACT_VECTORS.map((vector) => [`${vector.tool} ${vector.name}`, vector] as const))(
    '%s',
    (_, { before, strict, tool, args, outcome, after, note }) => {
      const artifacts = { ...nothing, ...before };
      const rules = { ...VECTOR_RULES, strict: strict ?? false };
      const change = applyArtifactCall(artifacts, tool, args, rules);
      expect(change).toMatchObject({ outcome, artifacts: { ...nothing, ...(after ?? before) } });
      if (after === undefined) expect(change.artifacts).toBe(artifacts);
      if (note !== undefined) expect(change.note).toMatch(note);
    },
  );

  test('never throw and never change what they were given, whatever the arguments', () => {
    const artifacts = Object.freeze({ instructions: 'a\nb', config: Object.freeze({}), description: 'd' });
    fc.assert(
      fc.property(fc.constantFrom(...ARTIFACT_TOOL_NAMES), fc.anything(), (tool, args) => {
        const { outcome, artifacts: after } = applyArtifactCall(artifacts, tool, args, VECTOR_RULES);
        expect(outcome === 'INVALID_ARGS').toBe(after === artifacts);
      }),
    );
  });

  test('say that nothing changed exactly when nothing did, and explain it', () => {
    const text = fc.stringMatching(/^[ab\n]{0,12}$/u);
    const line = fc.option(fc.integer({ min: -2, max: 9 }));
    const call = fc.oneof(
      fc.record({ tool: fc.constant('update_instructions' as const), args: fc.record({ content: text }) }),
      fc.record({
        tool: fc.constant('edit_instructions' as const),
        args: fc.record({ old_text: text, new_text: text }),
      }),
      fc.record({
        tool: fc.constant('insert_instructions' as const),
        args: fc.record({ content: text, line }),
      }),
    );
    fc.assert(
      fc.property(fc.option(text), call, fc.boolean(), (instructions, { tool, args }, strict) => {
        const before = { ...nothing, instructions };
        const change = applyArtifactCall(before, tool, args, { ...VECTOR_RULES, strict });
        const applied = change.outcome.startsWith('APPLIED');
        expect(change.artifacts.instructions === instructions).toBe(!applied);
        if (!applied) expect(change.note).not.toBeNull();
      }),
    );
  });
});
