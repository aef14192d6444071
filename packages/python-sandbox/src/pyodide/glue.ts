/** A change to Pyodide's scripts. A `count` other than expected means another Pyodide version. */
type Replacement = {
  readonly what: string;
  readonly pattern: RegExp;
  readonly by: string;
  readonly count: number;
};

/** Puts the factory exported by `pyodide.asm.mjs` on the global object, where `realm-boot.js` finds it. */
const EXPORT = {
  what: 'default export',
  pattern: /export default _createPyodideModule;?/g,
  by: ';globalThis.createPyodideModule=_createPyodideModule;',
};
const META_URL = {
  what: 'import.meta.url',
  pattern: /import\.meta\.url/g,
  by: '"file:///pyodide/pyodide.asm.mjs"',
};
/** A real `import()` in a vm script rejects with an error object of the host, a way to escape. */
const DYNAMIC_IMPORT = { what: 'import()', pattern: /(?<![\w$.])import\(/g, by: 'refuseImport(' };

const ASM_REPLACEMENTS: readonly Replacement[] = [
  { ...EXPORT, count: 1 },
  { ...META_URL, count: 3 },
  { ...DYNAMIC_IMPORT, count: 15 },
];

const LOADER_REPLACEMENTS: readonly Replacement[] = [{ ...DYNAMIC_IMPORT, count: 13 }];

/** `pyodide.asm.mjs` as a plain script that cannot load host modules. Throws on an unexpected count. */
export function sealAsmGlue(source: string): string {
  return replaceAll('pyodide.asm.mjs', source, ASM_REPLACEMENTS);
}

/** `pyodide.js` unable to load host modules. Throws on an unexpected count. */
export function sealLoader(source: string): string {
  return replaceAll('pyodide.js', source, LOADER_REPLACEMENTS);
}

function replaceAll(file: string, source: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((text, { what, pattern, by, count }) => {
    const found = text.match(pattern)?.length ?? 0;
    if (found !== count) {
      throw new Error(
        `${file}: expected ${count} × ${what} but found ${found}; this is not the pinned Pyodide`,
      );
    }
    return text.replace(pattern, by);
  }, source);
}
