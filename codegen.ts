import type { CodegenConfig } from '@graphql-codegen/cli';
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset';
import type { Types } from '@graphql-codegen/plugin-helpers';

/** The web client's cache goes by type names; the terminal has no cache, and asks for what it shows. */
const typeNamesForTheWeb: Types.DocumentTransformObject = {
  transform: async ({ documents, ...rest }) => {
    const isOfTheWeb = ({ location }: Types.DocumentFile): boolean => location?.endsWith('.graphql') ?? false;
    const named = await addTypenameSelectionDocumentTransform.transform({
      ...rest,
      documents: documents.filter(isOfTheWeb),
    });
    return [...named, ...documents.filter((file) => !isOfTheWeb(file))];
  },
};

/**
 * Types and documents of the clients' operations, from the committed schema. The web client's are `.graphql` files
 * beside the components that use them; every document carries its hash, and `persisted-documents.json` has them all
 * by hash.
 */
const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  documents: ['client/**/*.graphql', 'client/{terminal,examples}/**/*.ts'],
  errorsOnly: true,
  emitLegacyCommonJSImports: false,
  importExtension: '.ts',
  generates: {
    'client/gql/': {
      preset: 'client',
      presetConfig: {
        fragmentMasking: false,
        persistedDocuments: { hashAlgorithm: 'sha256' },
      },
      documentTransforms: [typeNamesForTheWeb],
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { DateTime: 'string', JSON: 'unknown', ID: 'string' },
      },
    },
  },
};

export default config;
