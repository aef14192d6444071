/** The day that a file's name gives, `chip.2026-05-20.json` or `chip_2026_05_20.json`, from midnight UTC; null for none. */
export function dayInName(name: string): Date | null {
  const [, year, month, day] = /(?<!\d)(\d{4})[-_](\d{2})[-_](\d{2})(?!\d)/u.exec(name) ?? [];
  if (year === undefined) return null;
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.getUTCDate() !== Number(day) ? null : at;
}
