/** Numbers in the formats that figures ask for: what is common of those of d3. */

const FORMAT = /^(?<sign>\+?)(?<comma>,?)(?:\.(?<digits>\d{1,2}))?(?<trim>~?)(?<type>[dfegr%s]?)$/u;

/** The number in a format such as `.2f`, `d`, `,.1%`; null for a format that is not known. */
export function formatted(value: number, format: string): string | null {
  const parts = FORMAT.exec(format)?.groups;
  if (parts === undefined) return null;
  const { comma = '', trim = '', type = '' } = parts;
  const digits = parts['digits'] === undefined ? null : Math.min(20, Number(parts['digits']));
  const text = written(value, type, digits);
  if (text === null) return null;
  const short = trim === '' || !text.includes('.') ? text : text.replace(/\.?0+(?=\D*$)/u, '');
  const grouped =
    comma === '' ? short : short.replace(/^-?\d+/u, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, ','));
  return parts['sign'] === '+' && value > 0 ? `+${grouped}` : grouped;
}

function written(value: number, type: string, digits: number | null): string | null {
  switch (type) {
    case 'd':
      return value.toFixed(0);
    case 'f':
      return value.toFixed(digits ?? 6);
    case 'e':
      return value.toExponential(digits ?? 6);
    case '%':
      return `${(value * 100).toFixed(digits ?? 6)}%`;
    case 'g':
    case 'r':
      return value.toPrecision(Math.max(1, digits ?? 6));
    case '':
      return digits === null ? String(value) : String(Number(value.toPrecision(Math.max(1, digits))));
    default:
      return null;
  }
}

/** Words with `%{name}` and `%{name:format}` in place of values; null where one is not known. */
export function filledIn(template: string, values: Readonly<Record<string, unknown>>): string | null {
  let isKnown = true;
  const text = template.replaceAll(/%\{(\w+)(?::([^}]*))?\}/gu, (_all, name: string, format?: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const shown =
      typeof value === 'number' ? (format === undefined ? String(value) : formatted(value, format)) : value;
    if (typeof shown === 'string') return shown;
    isKnown &&= value === null;
    return '';
  });
  return isKnown ? text : null;
}
