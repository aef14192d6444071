import type { ConfigPreset as DomainConfigPreset } from '../../src/experts/config-presets.ts';
import { builder } from '../builder.ts';

const ConfigPreset = builder.objectRef<DomainConfigPreset>('ConfigPreset').implement({
  description: 'Settings under a name, for a form to offer.',
  fields: (t) => ({
    presetId: t.exposeString('presetId', { description: 'Its id, such as `fast`.' }),
    title: t.exposeString('title', { description: 'Its name for people.' }),
    description: t.exposeString('description', { description: 'What it changes, in a sentence.' }),
    override: t.field({
      type: 'JSON',
      description: 'To be laid over the settings of an expert.',
      resolve: ({ override }) => override,
    }),
    unavailableReason: t.string({
      nullable: true,
      description: 'Why it cannot be used here, such as a model without its provider; null where it can.',
      resolve: ({ model }, _args, { services }) =>
        model === null ||
        services.copilotConfig.models.some(({ name, available }) => available && name === model)
          ? null
          : `the model ${model} has no provider here`,
    }),
  }),
});

builder.queryField('configPresets', (t) =>
  t.field({
    type: [ConfigPreset],
    description: 'Presets of settings in the order in which to offer them.',
    resolve: (_root, _args, { services }) => [...services.configPresets],
  }),
);
