import { expect, it } from "vitest";
import { assignToolNames } from "./tool-names.ts";

const at = (serverId: string, toolName: string) => ({ serverId, toolName });
const names = (...addresses: ReturnType<typeof at>[]) => [...assignToolNames(addresses).keys()];

it("keeps a name that every model accepts", () => {
  expect(names(at("weather", "now"))).toEqual(["mcp__weather__now"]);
});

it("shortens a long name in the way the contract defines", () => {
  const long = at("weather-eu", "get_hourly_forecast_for_location_with_units_and_language");
  expect(names(long)).toEqual(["mcp__weather-eu__get_hourly_forecast_for_location_with__d8a39117"]);
  expect(names(long)[0]?.length).toBe(64);
});

it("distinguishes names that become equal, whatever their order", () => {
  const [one, other] = [at("a", "x.y"), at("a", "x y")];
  const given = assignToolNames([one, other]);
  expect(given.size).toBe(2);
  expect([...given.keys()].every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
  expect(names(other, one)).toEqual(names(one, other));
  // Two entries whose names run into each other.
  expect(assignToolNames([at("a", "b__c"), at("a__b", "c")]).size).toBe(2);
});

it("sorts names and maps them back to the tool", () => {
  const given = assignToolNames([at("b", "2"), at("a", "ü"), at("a", "1")]);
  expect([...given.keys()]).toEqual([...given.keys()].sort());
  expect([...given.values()]).toContainEqual(at("a", "ü"));
});
