import type { ModelCatalog, ModelOption } from '../../agent/models/catalog.ts';
import { ModelError } from '../../agent/model.ts';
import type { ModelProvider } from '../../agent/models/provider.ts';
import { PROVIDERS } from '../../config/providers.ts';
import { findingsOf, type Finding } from './finding.ts';

/** The model catalogue and the configured providers. */
export type DoctorModels = { readonly catalog: ModelCatalog; readonly providers: readonly ModelProvider[] };

/** Maximum number of model names shown. */
const SHOWN_NAMES = 8;

const report = findingsOf('models');

/** Reports the offered models and whether each provider answers. Only requests model lists, which is free. */
export async function modelFindings(
  { catalog, providers }: DoctorModels,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const offered = catalog.options().filter(({ available }) => available);
  const listed = report.ok(`offered: ${offered.map(knownWords).join(', ')}; default: ${catalog.defaultName}`);
  if (providers.length === 0) {
    const message =
      'no provider is configured, so the offline analyst answers, which understands a limited set of questions';
    return [
      listed,
      report.warning(
        message,
        `set ${Object.values(PROVIDERS)
          .map(({ variables }) => variables)
          .join(', or ')}`,
      ),
    ];
  }
  const found = providers.map((provider) => providerFinding(provider, wantedOf(provider, catalog), signal));
  return [listed, ...(await Promise.all(found))];
}

/** A model with what is known of it: window, what it can do, and whether the window is a guess. */
function knownWords({ name, capabilities: can }: ModelOption): string {
  if (can === null) return name;
  const isGuess = can.source === 'assumed' || can.source === 'newer';
  const words = [
    `${Math.round(can.contextTokens / 1000)} k tokens${isGuess ? ' assumed' : ''}`,
    ...(can.images === true ? ['pictures'] : []),
    ...(can.reasons === true ? ['thinks'] : []),
    ...(can.tools === false ? ['no tools'] : []),
    ...(can.price === null ? ['no price'] : []),
  ];
  return `${name} (${words.join('; ')})`;
}

/** Models that are offered from this provider. */
const wantedOf = ({ id }: ModelProvider, catalog: ModelCatalog): readonly string[] =>
  catalog.options().flatMap(({ name, provider, available }) => (provider === id && available ? [name] : []));

async function providerFinding(
  { id, title, list }: ModelProvider,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<Finding> {
  try {
    const names = await list(signal);
    if (names === null) {
      return report.warning(`${title} answers, but does not list its models`, 'try it with npm run ask');
    }
    if (names.length === 0) return report.problem(`${title} answers, but has no models`, 'install one there');
    const missing = wanted.filter((name) => !names.includes(name));
    if (missing.length === 0) return report.ok(`${title} answers and has ${shown(names)}`);
    return report.warning(
      `${title} answers, but does not list ${missing.join(', ')}; it has ${shown(names)}`,
      'set COPILOT_MODEL to one of its models, or edit models in the settings',
    );
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return report.problem(
      error.message,
      `check ${PROVIDERS[id].variables} and the network; turns fail until it answers`,
    );
  }
}

function shown(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  return names.slice(0, SHOWN_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
