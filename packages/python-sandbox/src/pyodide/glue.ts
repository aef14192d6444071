/** One change to Pyodide's own scripts, with how often it must apply; another count means another Pyodide. */
type Replacement = {
  readonly what: string;
  readonly pattern: RegExp;
  readonly by: string;
  readonly count: number;
};

/** The factory that `pyodide.asm.mjs` exports is left on the global object, where `realm-boot.js` takes it from. */
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
/** A real `import()` in a vm script rejects with an error object of the host, which is a way out. */
const DYNAMIC_IMPORT = { what: 'import()', pattern: /(?<![\w$.])import\(/g, by: 'refuseImport(' };

const ASM_REPLACEMENTS: readonly Replacement[] = [
  { ...EXPORT, count: 1 },
  { ...META_URL, count: 3 },
  { ...DYNAMIC_IMPORT, count: 15 },
];

const LOADER_REPLACEMENTS: readonly Replacement[] = [{ ...DYNAMIC_IMPORT, count: 13 }];

/** `pyodide.asm.mjs` as a plain script without a way to load host modules. Throws where a count is off. */
export function sealAsmGlue(source: string): string {
  return replaceAll('pyodide.asm.mjs', source, ASM_REPLACEMENTS);
}

/** `pyodide.js` without a way to load host modules. Throws where a count is off. */
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
