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

const config = {
  useTypeImports: true,
  enumsAsTypes: true,
  scalars: { DateTime: 'string', JSON: 'unknown', ID: 'string' },
};

/**
 * Types and documents of the clients' operations, from the committed schema. The web client's are `.graphql` files
 * beside the components that use them, with the fragments of the package that it follows by; every document carries its
 * hash, and `persisted-documents.json` has them all by hash.
 */
const generation: CodegenConfig = {
  schema: 'schema/schema.graphql',
  errorsOnly: true,
  emitLegacyCommonJSImports: false,
  importExtension: '.ts',
  generates: {
    'client/gql/': {
      preset: 'client',
      documents: ['client/**/*.graphql', 'client/terminal/**/*.ts', 'packages/client/src/fragments.ts'],
      presetConfig: {
        fragmentMasking: false,
        persistedDocuments: { hashAlgorithm: 'sha256' },
      },
      documentTransforms: [typeNamesForTheWeb],
      config,
    },
    // Only its types are used: the package has the texts of its operations itself.
    'packages/client/src/gql/': {
      preset: 'client',
      documents: ['packages/client/src/*.ts', 'packages/client/src/view/*.ts'],
      presetConfig: { fragmentMasking: false },
      config: { ...config, documentMode: 'string', scalars: { ...config.scalars, File: 'Blob' } },
    },
  },
};

export default generation;
