import type { ParameterOfQubitFragment } from '../../gql/graphql.ts';
import { errorText, quantityText } from '../../lib/format/quantity.ts';

type Parameter = Pick<ParameterOfQubitFragment, 'value' | 'displayValue' | 'displayUnit' | 'error' | 'text'>;

/** The value of a parameter as shown, with its unit; null where there is none. */
export function parameterText(parameter: Parameter): string | null {
  const { displayValue, displayUnit, text } = parameter;
  if (displayValue === null) return text;
  return quantityText(displayValue, displayUnit, displayError(parameter));
}

/** Its standard error as shown, to the digits of its value; null where none was recorded. */
export function parameterErrorText(parameter: Parameter): string | null {
  const error = displayError(parameter);
  const { displayValue, displayUnit } = parameter;
  return error === null || displayValue === null ? null : errorText(displayValue, displayUnit, error);
}

/** The error in the unit of the shown value: errors come in the unit of the stored one. */
export function displayError({ value, displayValue, error }: Parameter): number | null {
  if (error === null || error === 0 || displayValue === null) return null;
  return value === null || value === 0 ? error : Math.abs((error * displayValue) / value);
}
