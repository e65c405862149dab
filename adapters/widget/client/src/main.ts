import type { WidgetConfig } from "../../src/sockets/protocol.ts";
import { createChatStorage } from "./storage.ts";
import { createTranslate } from "./texts.ts";
import { mountWidget } from "./view.ts";

/** Reads which chat the script element asks for, and puts it on the page; a page that may not show it stays as it is. */
async function start(script: HTMLScriptElement): Promise<void> {
  const channelId = script.dataset.channel ?? "";
  const base = new URL(".", script.src).href.replace(/\/$/, "");
  const response = await fetch(`${base}/api/widget/${encodeURIComponent(channelId)}`, { credentials: "omit" });
  const { success, data, error } = (await response.json()) as { success: boolean; data: WidgetConfig; error?: string };
  if (!success) throw new Error(error);
  const language = script.dataset.language || document.documentElement.lang || navigator.language;
  await pageIsReady();
  mountWidget({
    base,
    channelId,
    config: data,
    storage: createChatStorage(base, channelId),
    language,
    t: createTranslate(language),
  });
}

async function pageIsReady(): Promise<void> {
  if (document.readyState !== "loading") return;
  await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement) {
  start(script).catch((error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: whoever builds the page finds the reason there.
    console.error("Parley: the chat cannot be shown on this page", error);
  });
}
