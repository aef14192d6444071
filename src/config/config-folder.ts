import { fileURLToPath } from 'node:url';

/** Folder of the shipped configuration files: settings, metrics, topologies, prompts, task knowledge, experts. */
export const CONFIG_FOLDER = fileURLToPath(new URL('../../config/', import.meta.url));
