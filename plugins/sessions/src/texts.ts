import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin sessions, in each language. */
export const sessionsTexts = defineTexts("sessions", { en, zh });
