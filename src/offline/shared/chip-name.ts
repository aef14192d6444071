/** Words after “chip” that are not its name. */
const NOT_A_NAME =
  /^(?:and|or|is|has|had|was|were|are|can|could|does|did|do|that|which|with|without|for|in|on|of|at|by|to|from|as|so|but|if|when|where|why|how|today|now|only|since|over|during|report|summary|health|state|status|page|size|level|last|this|next|data|before|after|it|we|i)$/iu;

/**
 * The chip that the text of a job names: only a word right beside “chip”, or one in the form of an id (`demo-64`),
 * because a wrong guess would have the job look at another chip. Questions are read more freely, by `readSlots`.
 */
export function chipIn(clause: string): string | null {
  const [, before, after] =
    /\bchips?\s+(?:called |named )?["“]?([a-z][\w.-]*|\d[\w.-]*[a-z-][\w.-]*)|(?<![\w-])([a-z][\w.-]*)\s*(?:の)?チップ/iu.exec(
      clause,
    ) ?? [];
  const [, byItsForm] = /\b(?:of|on|for)\s+([a-z]+-\d[\w-]*)/iu.exec(clause) ?? [];
  const name = byItsForm ?? before ?? after;
  if (name === undefined || NOT_A_NAME.test(name)) return null;
  return name.replace(/[.,]+$/u, '');
}
