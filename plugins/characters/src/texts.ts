import { defineTexts } from "@parley/core";
import * as english from "./locales/en.ts";
import * as chinese from "./locales/zh.ts";

/** Texts about characters, their states and people, in each language. */
export const charactersTexts = defineTexts("characters", { en: english.en, zh: chinese.zh });

/** Texts about cards, presets, portraits and the personality. Programs and stored errors know their keys as `personality.<key>`. */
export const cardTexts = defineTexts("personality", { en: english.cards, zh: chinese.cards });
