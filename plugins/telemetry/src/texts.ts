import { defineTexts } from "@parley/core";
import { logs } from "./locales/logs.ts";

defineTexts("telemetry", { en: {}, zh: {}, logs });
