import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin world-books, in each language. */
export const worldBooksTexts = defineTexts("world_books", { en, zh, logs });
