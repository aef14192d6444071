/** Where in the form it is wrong what the server refuses. Pure. */
import type { ShownProblem } from './field.ts';
import type { FormField } from './form-input.ts';

/** An issue of `InvalidInputError`; its path begins with `input`. */
type Issue = { readonly path: readonly string[]; readonly message: string };

const FIELDS: Readonly<Record<string, FormField>> = {
  expertId: 'expert',
  description: 'description',
  chipId: 'chip',
  instructions: 'instructions',
  datasourceIds: 'datasources',
  instructionsUploadId: 'uploads',
  configUploadId: 'uploads',
};

const SETTINGS: Readonly<Record<string, FormField>> = {
  model: 'model',
  temperature: 'temperature',
  reasoning_level: 'reasoning',
};

/** An issue at its field. What of the path the field does not say stands before the message. */
export function problemOfIssue({ path, message }: Issue): ShownProblem {
  const [, argument = '', group, key = ''] = path;
  const isOverride = argument === 'configOverride';
  const field = isOverride ? settingField(group, key) : FIELDS[argument];
  const place = path.slice(field === undefined ? 1 : !isOverride ? 2 : field === 'tools' ? 3 : 4);
  return { field: field ?? null, text: [place.join('.'), message].filter(Boolean).join(' ') };
}

const settingField = (group: string | undefined, key: string): FormField | undefined =>
  group === 'tools' ? 'tools' : SETTINGS[key];
