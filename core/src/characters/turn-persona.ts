import type { Persona } from "../services/characters/personas.ts";
import { type TurnData, turnData } from "../turn/turn-data.ts";

/** The persona of the person whom a turn answers, set before the prompt is collected. */
export const TURN_PERSONA: TurnData<Persona> = turnData<Persona>("persona");
