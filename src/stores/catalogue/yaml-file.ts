import { readFile } from 'node:fs/promises';
import { parse, YAMLParseError } from 'yaml';
import type { z } from 'zod';
import { StartupError } from '../../errors.ts';

/**
 * Reads a YAML file and checks its shape.
 * @throws StartupError naming the file, the place in it, and what would be right.
 */
export async function readYamlFile<Shape extends z.ZodType>(
  file: string,
  shape: Shape,
): Promise<z.output<Shape>> {
  const parsed = shape.safeParse(await parseFile(file));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(
    ({ path, message }) => `  ${path.join('.') || 'top level'}: ${message}`,
  );
  throw new StartupError(`${file} cannot be used:\n${lines.join('\n')}`, { cause: parsed.error });
}

async function parseFile(file: string): Promise<unknown> {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof YAMLParseError) {
      throw new StartupError(`${file} is not YAML: ${error.message}`, { cause: error });
    }
    throw new StartupError(`${file} cannot be read: ${String(error)}`, { cause: error });
  }
}
