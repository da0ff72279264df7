/** What can be assigned to in bc. */

import type { Machine } from "./bc_machine";
import { add, type Decimal, ONE, toInteger, whole, ZERO } from "./bc_number";

/** Something that can be assigned to: its key (an array's index) is found once, for reading and writing. */
export interface Place {
  key(machine: Machine): number;
  get(machine: Machine, key: number): Decimal;
  set(machine: Machine, key: number, value: Decimal): void;
}

export const STEPS = [["++", ONE], ["--", whole(-1)]] as const;
const alone = (): number => 0;

export function stepped(machine: Machine, place: Place, by: Decimal): Decimal {
  const key = place.key(machine);
  place.set(machine, key, add(place.get(machine, key), by));
  return place.get(machine, key);
}

const SUBSCRIPT_MOST = 2 ** 24;

function subscript(machine: Machine, name: string, value: Decimal): number {
  const number = Number(toInteger(value));
  return number < 0 || number > SUBSCRIPT_MOST ? machine.fault(`Array ${name} subscript out of bounds.`) : number;
}

export const LAST: Place = { key: alone, get: (machine) => machine.last, set: (machine, _key, value) => (machine.last = value) };

/** One of bc's own variables. */
export function specialPlace(name: "scale" | "ibase" | "obase"): Place {
  return { key: alone, get: (machine) => whole(machine[name]), set: (machine, _key, value) => machine.setSpecial(name, value) };
}

export function variablePlace(name: string): Place {
  return { key: alone, get: (machine) => machine.variables.get(name) ?? ZERO, set: (machine, _key, value) => machine.variables.set(name, value) };
}

export function elementPlace(name: string, index: (machine: Machine) => Decimal): Place {
  return {
    key: (machine) => subscript(machine, name, index(machine)),
    get: (machine, key) => machine.array(name).get(key) ?? ZERO,
    set: (machine, key, value) => machine.array(name).set(key, value),
  };
}
