/** The word for a name that the server gave; the name itself where the catalogue has none for it. */
export const wordFor = (words: Readonly<Record<string, string>>, name: string): string => words[name] ?? name;
