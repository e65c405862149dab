import { expect, test } from "vitest";
import { findNamed, type NamedSpeaker } from "./named-speakers.ts";

const anna: NamedSpeaker = { id: "a", name: "Anna Berg" };
const ben: NamedSpeaker = { id: "b", name: "The Captain", nickname: "Ben" };
const mei: NamedSpeaker = { id: "m", name: "小梅" };
const dora: NamedSpeaker = { id: "d", name: "Dora Berg" };

test.each([
  ["Ben, and then Anna: what do you say?", ["b", "a"]],
  ["ANNA BERG!", ["a"]],
  ["the captain sails", ["b"]],
  ["the weather", []],
  ["Annabel and Benny", []],
  ["请小梅先说", ["m"]],
  ["Berg", []],
  ["Dora, not Anna", ["d", "a"]],
  ["", []],
])("the text “%s” names %j", (text, wanted) => {
  expect(findNamed(text, [anna, ben, mei, dora])).toEqual(wanted);
});
