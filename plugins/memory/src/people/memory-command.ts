import { type ChatCommand, dayOf, type Localized, type Memory, type Turn } from "@parley/core";
import { resolveTimeZone, type TimeZoneDeps } from "../extraction/extraction-job.ts";
import { memoryTexts } from "../texts.ts";
import type { PersonMemories, Talker } from "./person-memories.ts";

const MAX_LISTED = 30;
const getUsage = () => memoryTexts.localized("command_usage");

/** Creates the command to list, correct, forget and export one's own memories, without a model and on every channel. */
export function createMemoryCommand(own: PersonMemories, deps: TimeZoneDeps): ChatCommand {
  const findByNumber = async (talker: Talker, number: string) => (await own.list(talker))[Number(number) - 1];
  const formatList = (found: readonly Memory[], zone: string) => {
    const lines = found
      .slice(0, MAX_LISTED)
      .map(({ content, said_at }, at) => `${at + 1}. [${dayOf(Date.parse(said_at), zone)}] ${content}`);
    const more = found.length > MAX_LISTED ? [`… ${found.length - MAX_LISTED}`] : [];
    return [...lines, ...more].join("\n");
  };
  const forget = async (talker: Talker, what: string, zone: string): Promise<string | Localized> => {
    if (/^\d+$/.test(what)) {
      const found = await findByNumber(talker, what);
      if (!found) return memoryTexts.localized("command_no_number", { number: what });
      const [gone] = await own.forget(talker, [found.id]);
      return memoryTexts.localized("command_forgotten", { content: gone?.content ?? "" });
    }
    // Memories are not deleted by words alone: the matches are listed with their numbers first.
    const all = await own.list(talker);
    const fits = new Set((await own.list(talker, { text: what })).map(({ id }) => id));
    const lines = all.flatMap((one, at) =>
      fits.has(one.id) ? [`${at + 1}. [${dayOf(Date.parse(one.said_at), zone)}] ${one.content}`] : [],
    );
    if (lines.length === 0) return memoryTexts.localized("command_no_match", { words: what });
    return memoryTexts.localized("command_matches", { list: lines.join("\n") });
  };
  return {
    name: "/memory",
    aliases: ["/记忆"],
    usage: getUsage(),
    help: {
      en: "What the bot remembers about you: view, correct, forget, export",
      zh: "机器人关于你的记忆：查看、更正、忘记、导出",
    },
    category: "memory",
    adminOnly: false,
    async run(rest, turn: Turn) {
      const talker = { inbound: turn.inbound, sessionId: turn.session.id };
      const zone = resolveTimeZone(deps, turn.session);
      const [word = "", ...others] = rest.split(/\s+/);
      const what = others.join(" ");
      switch (word.toLowerCase()) {
        case "": {
          const found = await own.list(talker);
          return found.length === 0 ? memoryTexts.localized("command_nothing") : formatList(found, zone);
        }
        case "forget":
        case "忘记":
          return what === "" ? getUsage() : forget(talker, what, zone);
        case "correct":
        case "更正": {
          const [number = "", ...words] = others;
          if (words.length === 0) return getUsage();
          const found = await findByNumber(talker, number);
          if (!found) return memoryTexts.localized("command_no_number", { number });
          const { content } = await own.correct(talker, found.id, words.join(" "));
          return memoryTexts.localized("command_corrected", { content });
        }
        case "export":
        case "导出":
          return JSON.stringify({ type: "memory_export", memories: (await own.list(talker)).map(toExport) }, null, 1);
        default:
          return getUsage();
      }
    },
  };
}

function toExport({ title, content, kind, type, said_at, expires_at, tags }: Memory) {
  return { title, content, kind, type, said_at, expires_at, tags };
}
