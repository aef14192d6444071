import { useMemo } from 'react';
import { useClient, type Client } from 'urql';
import { computeOverride } from '../../../../../src/domain/artifacts/config-merge.ts';
import {
  DeleteExpertDocument,
  ExpertForJobDocument,
  SaveExpertDocument,
  type ExpertCardFragment,
  type ExpertWholeFragment,
  type SaveExpertInput,
} from '../../../../gql/graphql.ts';
import { useRefusal } from '../../../../lib/graphql/refusal.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { jsonObject } from '../../json-object.ts';
import { DEFAULTS_ID, type JobForm } from '../job-form.ts';

/** How an expert is listed. */
export type Listing = Pick<SaveExpertInput, 'expertId' | 'displayName' | 'description'>;

/** The saved expert, or why it was not saved, in words for the reader. */
type Saved = { readonly expert: ExpertWholeFragment } | { readonly refused: string };

/** Saves and deletes experts of the project. */
export function useSavedExperts() {
  const client = useClient();
  const { common } = useWords();
  const refusal = useRefusal();
  return useMemo(() => {
    const save = async (
      form: JobForm,
      listing: Omit<SaveExpertInput, 'instructions' | 'config'>,
    ): Promise<Saved> => {
      const config = await overDefaults(client, form);
      if (config === null) return { refused: common.noServer };
      const input = { ...listing, instructions: form.instructions, config };
      const { data, error } = await client.mutation(SaveExpertDocument, { input }).toPromise();
      const result = data?.saveExpert;
      if (result && 'expert' in result) return { expert: result.expert };
      // The dialog has no fields for the paths, which the message of the whole would name.
      const issues = result && 'issues' in result && result.issues.map(({ message }) => message).join('; ');
      return { refused: issues || (refusal(result, error) ?? '') };
    };
    return {
      /** Saves instructions and settings of the form as a new expert. */
      add: save,
      /** Saves them over a saved expert; refused if somebody else has saved it in the meantime. */
      replace: (
        form: JobForm,
        { expertId, displayName, description, icon, color, tags, version }: ExpertCardFragment,
      ) => save(form, { expertId, displayName, description, icon, color, tags, version: version ?? null }),
      /** Resolves with why the expert was not deleted; null if it was. */
      async remove({ expertId, version }: ExpertCardFragment): Promise<string | null> {
        const input = { expertId, version: version ?? null };
        const { data, error } = await client.mutation(DeleteExpertDocument, { input }).toPromise();
        return refusal(data?.deleteExpert, error);
      },
    };
  }, [client, common, refusal]);
}

/**
 * What differs from the server's defaults, so that a saved expert follows them in the rest; null if they cannot be
 * read.
 */
async function overDefaults(client: Client, { config }: JobForm) {
  const { data } = await client.query(ExpertForJobDocument, { expertId: DEFAULTS_ID }).toPromise();
  return data?.expert ? computeOverride(jsonObject.parse(data.expert.config.json), config) : null;
}
