import { readFile } from 'node:fs/promises';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { StartupError } from '../base/errors.ts';

/**
 * Reads and validates a YAML file.
 * @throws StartupError naming the file, line and path of every problem, and what is expected.
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

/** Like {@link readYamlFile}, for a text; `file` is only used in messages. */
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

/** Offset of the value at `path`, or of its nearest existing ancestor. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
