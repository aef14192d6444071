/** The metrics catalogue as a file: `config/metrics.yaml`; the comment at its top explains the fields. */
import { z } from 'zod';
import {
  createMetricCatalog,
  type Direction,
  type Metric,
  type MetricCatalog,
  type MetricScope,
} from '../../domain/values/metric.ts';
import { canonicalUnit } from '../../domain/values/units.ts';
import { readYamlFile } from '../../config/yaml-file.ts';

const DIRECTION_WORDS: Readonly<Record<'higher' | 'lower' | 'neutral', Direction>> = {
  higher: 'HIGHER_IS_BETTER',
  lower: 'LOWER_IS_BETTER',
  neutral: 'NEUTRAL',
};

const threshold = z.number().nullable().default(null);

const entry = z
  .strictObject({
    title: z.string().min(1),
    unit: z.string(),
    scale: z.number().positive().default(1),
    direction: z.enum(['higher', 'lower', 'neutral']),
    good: threshold,
    excellent: threshold,
    bad: threshold,
    disabledAt: threshold,
    staleAfterHours: z.number().positive().nullable().default(null),
  })
  .superRefine(({ direction, good, excellent, bad, disabledAt }, context) => {
    const given = [excellent, good, bad].filter((value) => value !== null);
    if (direction === 'neutral' && given.length > 0) {
      context.addIssue({ code: 'custom', message: 'a neutral metric has no thresholds' });
    }
    if (good === null && given.length > 0) {
      context.addIssue({ code: 'custom', path: ['good'], message: 'is needed beside excellent and bad' });
    }
    if (disabledAt !== null && (direction !== 'higher' || disabledAt >= (bad ?? good ?? Number.MAX_VALUE))) {
      context.addIssue({
        code: 'custom',
        path: ['disabledAt'],
        message: 'needs direction: higher and a value below all thresholds',
      });
    }
    const sign = direction === 'lower' ? -1 : 1;
    if (given.some((value, index) => index > 0 && sign * value >= sign * (given[index - 1] ?? value))) {
      context.addIssue({
        code: 'custom',
        message: `excellent, good, bad must go from better to worse; ${direction} is better here`,
      });
    }
  });

const catalogue = z.strictObject({
  qubit: z.record(z.string().regex(/^\w+$/u), entry),
  coupling: z.record(z.string().regex(/^\w+$/u), entry),
});

/**
 * Reads the catalogue.
 * @throws StartupError when the file is missing or invalid.
 */
export async function readMetricCatalog(file: string): Promise<MetricCatalog> {
  const { qubit, coupling } = await readYamlFile(file, catalogue);
  return createMetricCatalog([...metricsOf(qubit, 'QUBIT'), ...metricsOf(coupling, 'COUPLING')]);
}

function metricsOf(entries: Readonly<Record<string, z.output<typeof entry>>>, scope: MetricScope): Metric[] {
  return Object.entries(entries).map(([name, { direction, unit, ...rest }]) => ({
    name,
    ...rest,
    unit: canonicalUnit(unit),
    direction: DIRECTION_WORDS[direction],
    scope,
  }));
}
