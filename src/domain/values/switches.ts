/**
 * Switches: parameters by which a source says whether a whole part, or one gate of it, is in use. A part that is
 * switched off has no current value, whatever was measured on it before.
 */
import { formatTime } from '../text/display-text.ts';
import type { StateOf } from './current.ts';
import type { ParameterValue } from './parameter-value.ts';
import type { StoredParameter } from './stored-parameter.ts';

/** The switch of a whole part; 0 is off. */
export const PART_SWITCH = 'operational';

/** The switch of one gate, such as `cz_gate_operational`; `gate` is the gate's name in its parameters, `cz`. */
export const gateSwitch = (gate: string): string => `${gate}_gate_${PART_SWITCH}`;

const FIDELITY = /^([a-z]\w{0,40})_gate_fidelity$/u;

/** The switches that decide about a parameter: the part's, and of a gate's fidelity the gate's. */
export const switchesOf = (parameter: string): readonly string[] => {
  const gate = FIDELITY.exec(parameter)?.[1];
  return [PART_SWITCH, ...(gate === undefined ? [] : [gateSwitch(gate)])];
};

export const isSwitch = (parameter: string): boolean =>
  parameter === PART_SWITCH || parameter.endsWith(gateSwitch(''));

/** Whether a switch is off. */
export const isOff = ({ name, value }: Pick<StoredParameter, 'name' | 'value'>): boolean =>
  isSwitch(name) && value === 0;

/** The state of what is switched off. */
export const offState = (since: Date | null): StateOf => ({
  state: 'DISABLED',
  stateReason: `reported as not operational${since === null ? '' : ` at ${formatTime(since)}`}`,
});

/** What a value without a number has in place of one. */
export const NO_NUMBER = {
  value: null,
  error: null,
  displayValue: null,
  displayError: null,
  text: null,
  rating: 'UNKNOWN',
  isStale: false,
} as const;

/** A value that is not current any more: it is past, and the state says why. */
export function asPast(value: ParameterValue, state: StateOf): ParameterValue {
  const { value: stored, displayValue, displayUnit, unit, calibratedAt, taskId } = value;
  const lastGood =
    stored === null || displayValue === null || calibratedAt === null
      ? value.lastGood
      : { value: stored, unit, displayValue, displayUnit, measuredAt: calibratedAt, taskId };
  return { ...value, ...NO_NUMBER, ...state, lastGood };
}

/**
 * The values of one part as its switches leave them. A switch that is on says nothing that the values do not. One that
 * is off stays where it decides about the whole part, or about a gate without a fidelity.
 */
export function withSwitches(values: readonly ParameterValue[]): readonly ParameterValue[] {
  const off = new Map(values.filter(isOff).map(({ name, calibratedAt }) => [name, offState(calibratedAt)]));
  const gates = new Set(values.flatMap(({ name }) => switchesOf(name).slice(1)));
  return values.flatMap((value): ParameterValue[] => {
    const { name } = value;
    if (!isSwitch(name)) {
      const state = switchesOf(name).flatMap((each) => off.get(each) ?? [])[0];
      return [state === undefined ? value : asPast(value, state)];
    }
    const state = off.get(name);
    if (state === undefined || gates.has(name)) return [];
    const title =
      name === PART_SWITCH ? 'Everything' : `${name.slice(0, -gateSwitch('').length).toUpperCase()} Gate`;
    return [{ ...value, ...NO_NUMBER, ...state, title, lastGood: null }];
  });
}

/** Of the values of a part that are disabled those that say why: the others only follow from the part's switch. */
export function tellingOf(values: readonly ParameterValue[]): readonly ParameterValue[] {
  const whole = values.filter(({ name }) => name === PART_SWITCH);
  return whole.length > 0 ? whole : values;
}
