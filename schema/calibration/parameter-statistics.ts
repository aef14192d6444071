import { ParameterStatistics } from '../refs.ts';

ParameterStatistics.implement({
  description:
    'Figures of one parameter over qubits, or over couplings, one value each, in display scale. All but the counts are null when there is no value.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Key of the parameter.' }),
    title: t.exposeString('title', { description: 'Name for people.' }),
    unit: t.exposeString('displayUnit', { description: 'Unit of all figures here.' }),
    count: t.int({ description: 'Those with a usable value.', resolve: ({ display }) => display.count }),
    missing: t.exposeInt('missing', { description: 'Those without a usable value.' }),
    mean: t.float({
      nullable: true,
      description: 'Arithmetic mean.',
      resolve: ({ display }) => display.mean,
    }),
    median: t.float({ nullable: true, description: 'Median.', resolve: ({ display }) => display.median }),
    stdev: t.float({
      nullable: true,
      description: 'Sample standard deviation; null below two values.',
      resolve: ({ display }) => display.stdev,
    }),
    min: t.float({ nullable: true, description: 'Smallest value.', resolve: ({ display }) => display.min }),
    max: t.float({ nullable: true, description: 'Largest value.', resolve: ({ display }) => display.max }),
  }),
});
