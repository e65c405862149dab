import { MAX_LIMIT_QUERY, parley, type Shapes } from "../../shared/api/client.ts";

export type Personality = Shapes["Personality"];
export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly builtin: boolean;
}

const PERSONALITY_PATH = "/api/personality";

export const personality = {
  get: () => parley.get(PERSONALITY_PATH),
  change: (body: Readonly<Record<string, unknown>>, ifMatch?: number) =>
    parley.put(PERSONALITY_PATH, { body, ifMatch }),
  applyPreset: (preset_id: string) => parley.put(PERSONALITY_PATH, { body: { preset_id } }),
  async listPresets(): Promise<readonly Preset[]> {
    const [builtIn, custom] = await Promise.all([
      parley.get(`${PERSONALITY_PATH}/presets`, { query: MAX_LIMIT_QUERY }),
      parley.get(`${PERSONALITY_PATH}/custom-presets`, { query: MAX_LIMIT_QUERY }),
    ]);
    return [...builtIn.items, ...custom.items].map(({ id, name, builtin = false }) => ({ id, name, builtin }));
  },
};
