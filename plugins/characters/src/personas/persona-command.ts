import { type ChatCommand, type Localized, type Sessions, senderAddress } from "@parley/core";
import { charactersTexts } from "../texts.ts";
import type { ListedPersona, PersonaRecords } from "./persona-records.ts";

/** Words that choose no persona. */
const NONE: ReadonlySet<string> = new Set(["none", "无"]);

/**
 * Creates the command that lists the personas of the sender, and chooses the one of the conversation. Administrators of a channel
 * may choose any persona.
 */
export function createPersonaCommand(
  records: Pick<PersonaRecords, "listFor">,
  sessions: () => Pick<Sessions, "usePersona">,
): ChatCommand {
  return {
    name: "/persona",
    usage: { en: "/persona [name | none]", zh: "/persona [名称 | 无]" },
    help: { en: "Lists your personas, or chooses the one used here", zh: "显示您的用户设定，或选择此处使用的设定" },
    category: "session",
    adminOnly: false,
    isGroupAdminOnly: true,
    async run(name, { session, inbound }): Promise<Localized> {
      if (NONE.has(name.toLowerCase())) {
        await sessions().usePersona(session.id, null);
        return charactersTexts.localized("command_persona_none");
      }
      const all = await records.listFor(senderAddress(inbound), inbound.sender.isAdmin);
      if (name === "") return toList(all, session.persona_id ?? null);
      const chosen = findByName(all, name);
      if (!chosen) return charactersTexts.localized("command_persona_unknown", { name });
      await sessions().usePersona(session.id, chosen.id);
      return charactersTexts.localized("command_persona_set", { name: chosen.name });
    },
  };
}

function findByName(all: readonly ListedPersona[], name: string): ListedPersona | undefined {
  const wanted = name.toLowerCase();
  return all.find((one) => one.name === name) ?? all.find((one) => one.name.toLowerCase() === wanted);
}

function toList(all: readonly ListedPersona[], current: string | null): Localized {
  if (all.length === 0) return charactersTexts.localized("command_persona_empty");
  const others = all.map(({ name }) => `\n- ${name}`).join("");
  const chosen = all.find(({ id }) => id === current);
  return chosen
    ? charactersTexts.localized("command_personas", { name: chosen.name, others })
    : charactersTexts.localized("command_personas_none", { others });
}
