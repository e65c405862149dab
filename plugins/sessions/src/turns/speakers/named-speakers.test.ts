import { expect, test } from "vitest";
import { findAddressed, type NamedSpeaker } from "./named-speakers.ts";

const anna: NamedSpeaker = { id: "a", name: "Anna Berg" };
const ben: NamedSpeaker = { id: "b", name: "The Captain", nickname: "Ben" };
const mei: NamedSpeaker = { id: "m", name: "小梅" };
const dora: NamedSpeaker = { id: "d", name: "Dora Berg" };

test.each([
  ["Ben, and then Anna: what do you say?", ["b", "a"]],
  ["Ben and Anna, where were you?", ["b", "a"]],
  ["What do you say, Anna and Ben?", ["a", "b"]],
  ["Ben, what is this? And you, Anna?", ["b", "a"]],
  ["Ben! Anna! Ben!", ["b", "a"]],
  ["小梅和Anna，你们怎么看？", ["m", "a"]],
  ["小梅、Ben：早", ["m", "b"]],
  ["Hi Ben, hello Anna", ["b", "a"]],
  ["Ben, what do you think of Anna?", ["b"]],
  ["I saw Ben and Anna. Dora, where were you?", ["d"]],
  ["What does Anna think of Ben?", ["a"]],
  ["Dora, not Anna", ["d"]],
  ["ANNA BERG!", ["a"]],
  ["the captain sails", ["b"]],
  ["the weather", []],
  ["Annabel and Benny", []],
  ["请小梅先说", ["m"]],
  ["Berg", []],
  ["", []],
])("“%s” speaks to %j", (text, wanted) => {
  expect(findAddressed(text, [anna, ben, mei, dora])).toEqual(wanted);
});
