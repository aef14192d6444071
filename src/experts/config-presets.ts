import { z } from 'zod';
import type { JsonObject } from '../domain/visuals.ts';
import { readYamlFile } from '../config/yaml-file.ts';
import { checkLayer } from './config-layer.ts';

/** A named override of settings, offered by forms. */
export type ConfigPreset = {
  readonly presetId: string;
  readonly title: string;
  readonly description: string;
  /** Merged over the configuration of an expert. */
  readonly override: JsonObject;
  /** Its model; null keeps that of the expert. */
  readonly model: string | null;
};

const presetsFile = z.record(
  z.string().regex(/^[a-z][a-z0-9-]*$/u, 'must be small letters, digits and dashes'),
  z.strictObject({
    title: z.string().min(1),
    description: z.string().min(1),
    override: z.unknown().transform((given, context): JsonObject => {
      const checked = checkLayer(given, 'REFUSE');
      if ('config' in checked) return checked.config;
      for (const { path, message } of checked.issues) {
        context.addIssue({ code: 'custom', path: [...path], message });
      }
      return z.NEVER;
    }),
  }),
);

/**
 * Reads the presets in the order of the file.
 * @throws StartupError if the file is missing or invalid.
 */
export async function readConfigPresets(file: string): Promise<readonly ConfigPreset[]> {
  const presets = await readYamlFile(file, presetsFile);
  return Object.entries(presets).map(([presetId, { override, ...rest }]) => ({
    presetId,
    ...rest,
    override,
    model: modelOf(override),
  }));
}

function modelOf({ llm }: JsonObject): string | null {
  const model = typeof llm === 'object' && llm !== null && 'model' in llm ? llm.model : null;
  return typeof model === 'string' ? model : null;
}
