import type { CodegenConfig } from '@graphql-codegen/cli';

/** Types of the clients' operations, from the committed schema. Clients import them as types only. */
const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  documents: ['client/terminal/**/*.ts'],
  silent: true,
  emitLegacyCommonJSImports: false,
  importExtension: '.ts',
  generates: {
    'client/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { DateTime: 'string', JSON: 'unknown', ID: 'string' },
      },
    },
  },
};

export default config;
