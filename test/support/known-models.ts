import { inTable, mergeFacts, type Facts } from '../../src/agent/models/capabilities.ts';
import type { KnownModel } from '../../src/agent/models/provider.ts';
import { createLessons, type Lesson, type Lessons } from '../../src/agent/models/shared/learned.ts';
import { readModelTable } from '../../src/config/model-table.ts';
import type { ModelSettings } from '../../src/config/settings.ts';

/** The table of models that is shipped. */
export const shippedModelTable = await readModelTable();

/** A model of which this is known, then what it teaches, then the table. */
export function knownModel(name: string, facts: Facts = {}, lessons: Lessons = createLessons()): KnownModel {
  const learned = ({ contextTokens, isBlind }: Lesson): Facts => ({
    contextTokens,
    images: isBlind ? false : null,
  });
  return {
    name,
    lessons,
    named: (other) => knownModel(other, facts, lessons),
    capabilities: () =>
      mergeFacts(
        [
          ['settings', facts],
          ['learned', learned(lessons.current())],
          ['table', inTable(shippedModelTable, name)?.facts ?? null],
        ],
        128_000,
      ),
  };
}

/** A model of the settings that says nothing but this. */
export const modelSettings = (
  given: Pick<ModelSettings, 'name' | 'provider'> & Partial<ModelSettings>,
): ModelSettings => ({
  like: null,
  supportsImages: null,
  supportsTools: null,
  supportsStrict: null,
  supportsTemperature: null,
  supportsReasoning: null,
  efforts: null,
  answerFormat: 'markdown',
  contextTokens: null,
  outputTokens: null,
  price: null,
  ...given,
});
