import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { zh } from "./locales/zh.ts";

export const skillsTexts = defineTexts("skills", { en, zh });
