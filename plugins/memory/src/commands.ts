import { AppError, type ChatCommand, dayOf, type Memory, type Settings, type Turn } from "@parley/core";
import { timeZoneOf } from "./find-job.ts";
import type { PersonsMemories, Talker } from "./own-memories.ts";

const MOST = 30;
const HELP = `/memory · /memory forget <number or words> · /memory correct <number> <text> · /memory export`;

/** What people type to see, correct, forget and take away what is remembered of them: without a model, on every channel. */
export function memoryCommand(own: PersonsMemories, settings: () => Settings): ChatCommand {
  const numbered = async (talker: Talker, number: string) => {
    const found = (await own.list(talker))[Number(number) - 1];
    if (!found) throw new AppError("not_found", `there is no memory with the number ${number}`);
    return found;
  };
  const listed = (found: readonly Memory[], zone: string) => {
    const lines = found
      .slice(0, MOST)
      .map(({ content, said_at }, at) => `${at + 1}. [${dayOf(Date.parse(said_at), zone)}] ${content}`);
    const more = found.length > MOST ? [`… ${found.length - MOST}`] : [];
    return [...lines, ...more].join("\n");
  };
  const forget = async (talker: Talker, what: string, zone: string) => {
    if (/^\d+$/.test(what)) {
      const [gone] = await own.forget(talker, [(await numbered(talker, what)).id]);
      return `Forgotten: ${gone?.content}`;
    }
    // By words nothing goes unseen: it is shown with its numbers first.
    const all = await own.list(talker);
    const fits = new Set((await own.list(talker, { text: what })).map(({ id }) => id));
    const lines = all.flatMap((one, at) =>
      fits.has(one.id) ? [`${at + 1}. [${dayOf(Date.parse(one.said_at), zone)}] ${one.content}`] : [],
    );
    if (lines.length === 0) return `Nothing like "${what}" is remembered of you.`;
    return `${lines.join("\n")}\n/memory forget <number>`;
  };
  return {
    name: "/memory",
    aliases: ["/记忆"],
    usage: HELP,
    help: "What the bot remembers of you: see, correct, forget, export / 查看、更正、忘记、导出关于你的记忆",
    category: "memory",
    adminOnly: false,
    async run(rest, turn: Turn) {
      const talker = { inbound: turn.inbound, sessionId: turn.session.id };
      const zone = timeZoneOf(turn.session, settings());
      const [word = "", ...others] = rest.split(/\s+/);
      const what = others.join(" ");
      switch (word.toLowerCase()) {
        case "": {
          const found = await own.list(talker);
          return found.length === 0 ? "Nothing is remembered of you here." : listed(found, zone);
        }
        case "forget":
        case "忘记":
          return what === "" ? HELP : forget(talker, what, zone);
        case "correct":
        case "更正": {
          const [number = "", ...words] = others;
          if (words.length === 0) return HELP;
          const { content } = await own.correct(talker, (await numbered(talker, number)).id, words.join(" "));
          return `Remembered: ${content}`;
        }
        case "export":
        case "导出":
          return JSON.stringify({ type: "memory_export", memories: (await own.list(talker)).map(taken) }, null, 1);
        default:
          return HELP;
      }
    },
  };
}

function taken({ title, content, kind, type, said_at, expires_at, tags }: Memory) {
  return { title, content, kind, type, said_at, expires_at, tags };
}
