import type { SeriesPoint as Point } from '../../src/domain/chip/chip-timeseries.ts';
import { builder } from '../builder.ts';
import { TrendEnum } from '../enums.ts';
import { Series } from '../refs.ts';

const SeriesPoint = builder.objectRef<Point>('SeriesPoint').implement({
  description: 'One measured value.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When the run ended, else when it started.' }),
    value: t.exposeFloat('displayValue', { description: 'In the unit of the series.' }),
    error: t.exposeFloat('displayError', {
      nullable: true,
      description: 'Standard error in the unit of the series; null when none was recorded.',
    }),
    taskId: t.exposeString('taskId', { nullable: true, description: 'The task result it came from.' }),
    executionId: t.exposeString('executionId', {
      nullable: true,
      description: 'The execution it came from.',
    }),
  }),
});

const scaled = (value: number | null, scale: number): number | null => value && value * scale;

Series.implement({
  description: 'History of one parameter of one qubit or coupling, in display scale.',
  fields: (t) => ({
    unit: t.string({ description: 'Unit of all values here.', resolve: ({ part }) => part.displayUnit }),
    points: t.field({
      type: [SeriesPoint],
      description: 'Oldest first.',
      resolve: ({ part }) => [...part.points],
    }),
    latest: t.float({
      nullable: true,
      description: 'Newest value in `unit`.',
      resolve: ({ part }) => scaled(part.latest, part.scale),
    }),
    min: t.float({
      nullable: true,
      description: 'Smallest value in `unit`.',
      resolve: ({ part }) => scaled(part.min, part.scale),
    }),
    max: t.float({
      nullable: true,
      description: 'Largest value in `unit`.',
      resolve: ({ part }) => scaled(part.max, part.scale),
    }),
    mean: t.float({
      nullable: true,
      description: 'Mean in `unit`.',
      resolve: ({ part }) => scaled(part.mean, part.scale),
    }),
    trend: t.field({
      type: TrendEnum,
      nullable: true,
      description: 'Which way it goes; null below two points.',
      resolve: ({ part }) => part.trend,
    }),
  }),
});
