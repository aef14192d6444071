import { readFile } from 'node:fs/promises';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { StartupError } from '../base/errors.ts';

/**
 * Reads a YAML file and checks its shape.
 * @throws StartupError naming the file, the line and place in it, and what would be right.
 */
export async function readYamlFile<Shape extends z.ZodType>(
  file: string,
  shape: Shape,
): Promise<z.output<Shape>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartupError(`${file} cannot be read: ${String(error)}`, { cause: error });
  });
  return parseYaml(text, file, shape);
}

/** Parses the text of a YAML file as {@link readYamlFile} does; `file` is for messages only. */
export function parseYaml<Shape extends z.ZodType>(
  text: string,
  file: string,
  shape: Shape,
): z.output<Shape> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new StartupError(`${file} is not YAML: ${broken.message}`, { cause: broken });
  }
  const parsed = shape.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => {
    const { line } = lines.linePos(offsetOf(document, path));
    return `  line ${line}, ${path.join('.') || 'top level'}: ${message}`;
  });
  throw new StartupError(`${file} cannot be used:\n${problems.join('\n')}`, { cause: parsed.error });
}

/** Where the value at `path` begins; for one that is missing, where that begins which should have it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
