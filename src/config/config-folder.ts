import { fileURLToPath } from 'node:url';

/** The folder of everything that is configured as files: metrics, topologies, prompts, task knowledge, experts. */
export const CONFIG_FOLDER = fileURLToPath(new URL('../../config/', import.meta.url));
