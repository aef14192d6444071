import { useCallback, useState } from 'react';
import { useClient } from 'urql';
import { ARTIFACT_LIMITS } from '../../../../../src/domain/artifacts/artifacts.ts';
import { UploadTextDocument } from '../../../../gql/graphql.ts';
import { chosenProject } from '../../../../lib/graphql/project.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import type { UploadedText } from '../form-state.ts';

/** What became of a file. */
export type UploadOutcome = { readonly upload: UploadedText } | { readonly refused: string };

/** Sends a text to the server, to be named when the job is made. */
export function useUpload() {
  const client = useClient();
  const { common, newJob } = useWords();
  const [isUploading, setUploading] = useState(false);
  const upload = useCallback(
    async (file: File): Promise<UploadOutcome> => {
      if (file.size > ARTIFACT_LIMITS.instructionsBytes) return { refused: newJob.fileTooLarge(file.name) };
      setUploading(true);
      const projectId = chosenProject();
      // A form with a file needs a header that other sites cannot make a browser send.
      const headers = {
        'graphql-require-preflight': '1',
        ...(projectId !== null && { 'x-project-id': projectId }),
      };
      const { data, error } = await client
        .mutation(UploadTextDocument, { input: { kind: 'TEXT', file } }, { fetchOptions: { headers } })
        .toPromise();
      setUploading(false);
      const result = data?.createUpload;
      if (result && 'upload' in result) return { upload: result.upload };
      if (result && 'message' in result) return { refused: result.message };
      return { refused: error?.networkError ? common.noServer : (error?.message ?? common.noServer) };
    },
    [client, common, newJob],
  );
  return { upload, isUploading };
}
