/** Members named in a text as `@Name`. */
export type Named = { readonly userId: string; readonly name: string };

/** What was typed behind the `@` before the caret; null where no name is being typed. */
export function mentionAt(text: string, caret: number): string | null {
  return /(?:^|[\s(（、。])@([^\s@]{0,40})$/u.exec(text.slice(0, caret))?.[1] ?? null;
}

/** The text with the name that is being typed completed, and where the caret then is. */
export function completed(text: string, caret: number, name: string): { text: string; caret: number } {
  const start = text.lastIndexOf('@', caret - 1);
  const before = `${text.slice(0, start)}@${name} `;
  return { text: before + text.slice(caret).trimStart(), caret: before.length };
}

/** Ids of the members whom a text names; of two names of which one begins the other, the longer counts. */
export function mentionedIn(text: string, members: readonly Named[]): readonly string[] {
  const byLength = members.toSorted((one, other) => other.name.length - one.name.length);
  const ids = new Set<string>();
  for (const [at] of [...text.matchAll(/@/gu)].map(({ index }) => [index] as const)) {
    const rest = text.slice(at + 1);
    const member = byLength.find(
      ({ name }) => rest.startsWith(name) && !/^\p{L}|^\p{N}/u.test(rest.slice(name.length)),
    );
    if (member !== undefined) ids.add(member.userId);
  }
  return [...ids];
}
