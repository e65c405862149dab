import { defineTexts } from "@parley/core";
import { logs } from "./locales/logs.ts";

defineTexts("storage", { en: {}, zh: {}, logs });
