import { useMemo } from 'react';
import { useClient, type Client, type CombinedError } from 'urql';
import { computeOverride } from '../../../../../src/domain/jobs/config-merge.ts';
import {
  DeleteExpertDocument,
  ExpertForJobDocument,
  SaveExpertDocument,
  type ExpertCardFragment,
  type ExpertWholeFragment,
  type SaveExpertInput,
} from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { jsonObject } from '../../json-object.ts';
import type { JobForm } from '../form-state.ts';
import { DEFAULTS_ID } from '../use-filling.ts';

/** How an expert is listed. */
export type Listing = Pick<SaveExpertInput, 'expertId' | 'displayName' | 'description'>;

/** Keeps experts in the project. `refused` says why not, in words for the reader. */
export type SavedExpertActions = {
  /** Instructions and settings of the form under a new name. */
  readonly add: (form: JobForm, listing: Listing) => Promise<Saved>;
  /** The same in the place of a saved one; refused where somebody saved it meanwhile. */
  readonly replace: (form: JobForm, card: ExpertCardFragment) => Promise<Saved>;
  readonly remove: (card: ExpertCardFragment) => Promise<{ readonly refused: string | null }>;
};
type Saved = { readonly expert: ExpertWholeFragment } | { readonly refused: string };

/** The saved experts of the server that the page is connected to. */
export function useSavedExperts(): SavedExpertActions {
  const client = useClient();
  const { common } = useWords();
  return useMemo(() => {
    const reason = (error: CombinedError | undefined): string =>
      error && !error.networkError ? error.message : common.noServer;
    const save = async (form: JobForm, listing: Omit<SaveExpertInput, 'instructions' | 'config'>) => {
      const config = await overDefaults(client, form);
      if (config === null) return { refused: common.noServer };
      const input = { ...listing, instructions: form.instructions, config };
      const { data, error } = await client.mutation(SaveExpertDocument, { input }).toPromise();
      const result = data?.saveExpert;
      if (result && 'expert' in result) return { expert: result.expert };
      // A dialog has no field for each path, and the message of the whole would name them.
      if (result && 'issues' in result)
        return { refused: result.issues.map((issue) => issue.message).join('; ') };
      return { refused: result && 'message' in result ? result.message : reason(error) };
    };
    return {
      add: save,
      replace: (form, { expertId, displayName, description, icon, color, tags, version }) =>
        save(form, { expertId, displayName, description, icon, color, tags, version: version ?? null }),
      async remove({ expertId, version }) {
        const input = { expertId, version: version ?? null };
        const { data, error } = await client.mutation(DeleteExpertDocument, { input }).toPromise();
        const result = data?.deleteExpert;
        if (!result) return { refused: reason(error) };
        return { refused: 'message' in result ? result.message : null };
      },
    };
  }, [client, common]);
}

/** What differs from the defaults of the server, so that a saved expert follows them in the rest; null: not to be had. */
async function overDefaults(client: Client, { config }: JobForm) {
  const { data } = await client.query(ExpertForJobDocument, { expertId: DEFAULTS_ID }).toPromise();
  return data?.expert ? computeOverride(jsonObject.parse(data.expert.config.json), config) : null;
}
