/** Files of IBM-style snapshots: read, and put together as pairs. */
import { parseIbmSnapshot, type IbmSnapshot } from '../sources/ibm/ibm-json.ts';
import { readInputText } from './read-input.ts';

/**
 * Reads one pair of files.
 * @throws InvalidInputError naming the file, the place in it, and what would be right.
 */
export async function readIbmSnapshot(
  propertiesPath: string,
  configurationPath: string,
): Promise<IbmSnapshot> {
  return parseIbmSnapshot(
    { name: propertiesPath, text: await readInputText(propertiesPath) },
    { name: configurationPath, text: await readInputText(configurationPath) },
  );
}
