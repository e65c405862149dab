import { expect, test } from "vitest";
import { deletePlugin, insertListed, insertPlugin, replacePackage } from "./config-edits.ts";

test("a package is added at the end of [plugins], and everything else stays as it was written", () => {
  const text = "; mine\n[plugins]\n; one a line\nother = other-package\n\n[web]\nport = 1 ; why\n";
  expect(insertPlugin(text, "acme", "acme-adapter")).toBe(
    "; mine\n[plugins]\n; one a line\nother = other-package\nacme = acme-adapter\n\n[web]\nport = 1 ; why\n",
  );
});

test("a file without [plugins], or an empty one, gets the section", () => {
  expect(insertPlugin("", "acme", "acme-adapter")).toBe("[plugins]\nacme = acme-adapter\n");
  expect(insertPlugin("[web]\nport = 1\n", "acme", "a")).toBe("[web]\nport = 1\n\n[plugins]\nacme = a\n");
});

test("line endings and comments are preserved", () => {
  expect(insertPlugin("\uFEFF[plugins]\r\na = b\r\n", "c", "d")).toBe("\uFEFF[plugins]\r\na = b\r\nc = d\r\n");
  expect(insertPlugin(";[plugins]\n", "c", "d")).toBe(";[plugins]\n\n[plugins]\nc = d\n");
});

test("a package that is already listed is replaced in its line only", () => {
  const text = "[plugins]\r\n; rows\r\n storage = a\r\nx = off\r\n[plugin.x]\r\nstorage = deep\r\n";
  expect(replacePackage(text, "storage", "b")).toBe(text.replace(" storage = a", "storage = b"));
  expect(replacePackage("[plugins]\n[storage]\nstorage = c\n", "storage", "b")).toBe(
    "[plugins]\nstorage = b\n[storage]\nstorage = c\n",
  );
  expect(replacePackage("", "storage", "b")).toBe("[plugins]\nstorage = b\n");
});

test("the settings of a removed package become comments, and everything else stays as it was written", () => {
  const text =
    "[plugins]\r\n; acme = old\r\nacme = a\r\nacme-too = b\r\n\r\n[plugin.acme]\r\n; why\r\nkey = 1\r\n\r\n[acme]\r\nacme = c\r\n";
  expect(deletePlugin(text, "acme")).toBe(
    text.replace("\r\nacme = a", "").replace("[plugin.acme]", "; [plugin.acme]").replace("key = 1", "; key = 1"),
  );
  expect(deletePlugin("[plugins]\na.b = c\naxb = d\n", "a.b")).toBe("[plugins]\naxb = d\n");
});

test("a library is added to the setting that lists it, once, and everything else stays as it was written", () => {
  const add = (text: string) => insertListed(text, "chat-sdk", "packages", "@chat-adapter/slack");
  expect(add("")).toBe("[plugin.chat-sdk]\npackages = @chat-adapter/slack\n");
  expect(add("[web]\nport = 1")).toBe("[web]\nport = 1\n\n[plugin.chat-sdk]\npackages = @chat-adapter/slack\n");
  expect(add("[plugin.chat-sdk]\r\n; mine\r\n[web]\r\n")).toBe(
    "[plugin.chat-sdk]\r\npackages = @chat-adapter/slack\r\n; mine\r\n[web]\r\n",
  );
  const listed = "[plugin.chat-sdk]\npackages = @chat-adapter/discord ; mine\n[web]\npackages = x\n";
  const both = listed.replace("discord ;", "discord, @chat-adapter/slack ;");
  expect(add(listed)).toBe(both);
  expect(add(both)).toBe(both);
  expect(add("[plugin.chat-sdk]\npackages =\n")).toBe("[plugin.chat-sdk]\npackages =@chat-adapter/slack\n");
});
