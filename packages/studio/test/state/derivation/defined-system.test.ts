// A system that was defined outside the package, with its setting: controls and links are made from its description.

import "../../../../core/test/systems/arc-parking.js";
import { expect, test } from "vitest";
import { readAddress, START, writeAddress } from "../../../src/state/address/address.js";
import { settingControls } from "../../../src/state/derivation/setting-controls.js";
import { makeSystem } from "../../../src/worker/derivation/system.js";

test("its setting has a control", () => {
  expect(settingControls("arc-parking", {})).toEqual([
    { name: "room", title: "Words parked at once", value: 9, numbers: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
  ]);
  expect(settingControls("arc-parking", { room: 2, degree: 3 })[0]!.value).toBe(2);
  expect(settingControls("arc-hybrid", { room: 2 })).toEqual([]);
});

test("its setting travels in links, and into the system", () => {
  const system = { name: "arc-parking", root: "last" as const, singleRoot: undefined, settings: { room: 2 } };
  const hash = writeAddress({ ...START, view: "step", system });
  expect(hash).toBe("#step?sys=arc-parking&root=last&room=2");
  expect(readAddress(hash).system).toEqual(system);
  expect(readAddress("#step?sys=arc-parking&room=10").system.settings).toEqual({});
  const made = makeSystem({ name: "arc-parking", root: "last", singleRoot: true, settings: { room: 2, degree: 3 } });
  expect(made).toMatchObject({ room: 2 });
});
