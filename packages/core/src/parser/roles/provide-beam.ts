// The labeller with all that it may need; without a beam provide.ts is enough.
import { check, type Expectation, wholeNumber } from "../../checks/options.js";
import { OBJECT } from "../../checks/shapes.js";
import { RoleLabeller } from "./provide.js";
import { RoleBeam } from "./role-beam.js";
import { provideRoleBeam } from "./role-labeller.js";

const UNIT: Expectation = {
  expected: "a number above 0",
  accepts: (value) => Number.isFinite(value) && (value as number) > 0,
};

provideRoleBeam((walk, beam) => {
  check("beam of the roles", beam, OBJECT);
  check("width of the roles' beam", beam.width, wholeNumber(2));
  check("unit of the roles' beam", beam.unit, UNIT);
  return new RoleBeam(walk, beam.width, beam.unit);
});

export { RoleLabeller };
