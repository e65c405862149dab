import { ALL, parley, type Shapes } from "../../shared/api/client.ts";

export type Personality = Shapes["Personality"];
/** Where a personality may be taken from. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly builtin: boolean;
}

const path = "/api/personality";

export const personality = {
  get: () => parley.get(path),
  change: (body: Readonly<Record<string, unknown>>, ifMatch?: number) =>
    parley.put(path, { body, ...(ifMatch !== undefined && { ifMatch }) }),
  take: (preset_id: string) => parley.put(path, { body: { preset_id } }),
  async presets(): Promise<readonly Preset[]> {
    const [builtIn, custom] = await Promise.all([
      parley.get(`${path}/presets`, { query: ALL }),
      parley.get(`${path}/custom-presets`, { query: ALL }),
    ]);
    return [...builtIn.items, ...custom.items].map(({ id, name, builtin = false }) => ({ id, name, builtin }));
  },
};
