import { expect, test } from "vitest";
import { extractLocally } from "./local-facts.ts";

const of = (text: string) => extractLocally(text).map(({ content, fact }) => [content, fact]);

test.each([
  ["My name is Ann.", [["Is called Ann", "name"]]],
  ["Hi! I live in Berlin and work a lot", [["Lives in Berlin", "home"]]],
  ["I've just moved to Kyoto.", [["Lives in Kyoto", "home"]]],
  ["I really love green tea!", [["Likes green tea", "taste:green tea"]]],
  ["I can't stand green tea.", [["Dislikes green tea", "taste:green tea"]]],
  ["My favourite colour is blue", [["Favourite colour: blue", "favourite:colour"]]],
  ["I'm allergic to peanuts", [["Is allergic to peanuts", "allergy:peanut"]]],
  ["my dog is called Rex", [["Has a dog called Rex", "pet:dog:rex"]]],
  [
    "I work as a nurse. I'm 34 years old.",
    [
      ["Works as or at a nurse", "work"],
      ["Is 34 years old", "age"],
    ],
  ],
  ["Please remember that the key is under the mat", [["the key is under the mat", null]]],
  ["Im allergic to dust", [["Is allergic to dust", "allergy:dust"]]],
  ["I go by Max", [["Is called Max", "name"]]],
  ["I've been living in Prague for three years", [["Lives in Prague", "home"]]],
  ["I relocated to Denver", [["Lives in Denver", "home"]]],
  ["I have two dogs, Rex and Bella", [["Has two dogs Rex and Bella", "pets:dog"]]],
  ["I have two dogs, called Rex and Bella", [["Has two dogs called Rex and Bella", "pets:dog"]]],
  ["叫我阿强就好", [["名叫阿强", "name"]]],
  ["我从北京搬到深圳了", [["住在深圳", "home"]]],
  ["我叫小林，住在别处", [["名叫小林", "name"]]],
  ["我住在柏林。", [["住在柏林", "home"]]],
  ["我搬到京都了", [["住在京都", "home"]]],
  ["我很喜欢猫", [["喜欢猫", "taste:猫"]]],
  ["我讨厌猫", [["不喜欢猫", "taste:猫"]]],
  ["我对花生过敏", [["对花生过敏", "allergy:花生过敏"]]],
  ["我女儿叫小雨。", [["女儿叫小雨", "relative:女儿:小雨"]]],
  ["Yesterday I went to Lyon with my sister", [["Yesterday I went to Lyon with my sister", null]]],
  ["昨天我去了京都", [["昨天我去了京都", null]]],
])("%s", (text, found) => {
  expect(of(text)).toEqual(found);
});

test.each([
  "I'm from time to time sad",
  "I have two dogs, one and only",
  "Ich bin im Allgemeinen allergic to nothing",
  "Do you think I live in Berlin?",
  "If I lived in Berlin I would walk more",
  "*I live in a castle*",
  'He said "I live in Rome"',
  "> I live in Rome",
  "我以前住在柏林",
  "你知道我住在哪里吗",
  "hello",
  "good job",
  "The weather is fine yesterday",
])("no fact is found in %s", (text) => {
  expect(of(text)).toEqual([]);
});

test("a message of any length is scanned quickly, and yields at most eight facts", () => {
  const long = "I like a1, I like a2. ".repeat(5_000) + "我喜欢".repeat(20_000);
  const begun = performance.now();
  expect(extractLocally(long).length).toBeLessThanOrEqual(8);
  expect(performance.now() - begun).toBeLessThan(1_500);
});
