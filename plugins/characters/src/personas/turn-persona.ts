import { type Persona, type PromptSource, senderAddress, type TurnStage } from "@parley/core";
import { expandMacros, TURN_PERSONA, toMacroValues } from "@parley/core/characters";
import { charactersTexts } from "../texts.ts";
import type { PersonaRecords } from "./persona-records.ts";

const STAGE_ID = "characters.persona";

/** Creates the stage that finds the persona of the person, before the prompt is collected. */
export function createPersonaStage(records: Pick<PersonaRecords, "findFor" | "isEmpty">): TurnStage {
  return {
    id: STAGE_ID,
    phase: "context",
    isExternal: true,
    // Private questions of operators are not the person's.
    concerns: ({ replies, inbound }) =>
      replies.length === 0 && inbound.addressed && inbound.isOperatorOnly !== true && !records.isEmpty(),
    async run(turn, context) {
      const choice = { personaId: turn.session.persona_id, person: senderAddress(turn.inbound) };
      const persona = await context.external<Persona | null>({
        kind: "prompt",
        name: STAGE_ID,
        ask: async () => (await records.findFor(choice)) ?? null,
      });
      return persona ? TURN_PERSONA.with(turn, persona) : turn;
    },
  };
}

/** Creates the prompt layer that describes the person. */
export function createPersonaLayer(timeZone: () => string): PromptSource {
  return {
    id: "characters.persona-profile",
    key: "persona.profile",
    title: charactersTexts.localized("part_persona"),
    priority: 40,
    place: "system",
    concerns: (turn) => (TURN_PERSONA.of(turn)?.description ?? "") !== "",
    async collect(turn) {
      const persona = TURN_PERSONA.of(turn);
      if (!persona) return undefined;
      const description = expandMacros(persona.description, toMacroValues(turn, timeZone()));
      // People write about themselves; what they write instructs nobody.
      return { text: `About ${persona.name}, the person you talk to:\n${description}`, isData: true };
    },
  };
}
