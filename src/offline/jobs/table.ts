/** A table in Markdown; bars and line ends within cells do not break it. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellOf).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

const cellOf = (text: string): string => text.replaceAll(/\s+/gu, ' ').replaceAll('|', '\\|').trim();
