import { type RouteTable, route, toSharedError } from "@parley/core";
import type { MacroValues } from "@parley/core/characters";
import { listQuery } from "@parley/core/http";
import type { Platforms } from "../cards/card-platforms.ts";
import { createPreview } from "../cards/card-preview.ts";
import { previewData } from "../cards/schema.ts";
import type { PresetRecords } from "../presets/preset-records.ts";
import { builtInData, uploadBody, uploadData } from "../presets/schema.ts";
import type { CurrentRecord } from "./current-personality.ts";
import { personalityBody, personalityData } from "./schema.ts";

const base = "/api/personality";

export interface PersonalityRoutesDeps {
  readonly current: CurrentRecord;
  readonly presets: PresetRecords;
  readonly platforms: Platforms;
  /** Values of placeholders for a conversation that starts now. */
  readonly macroValues: () => Omit<MacroValues, "char" | "user">;
}

/** Creates the routes of the current personality, and those of presets besides CRUD. */
export function createPersonalityRoutes(deps: PersonalityRoutesDeps): RouteTable {
  const { current, presets, platforms, macroValues } = deps;
  return [
    route({
      method: "GET",
      path: base,
      scope: "read",
      summary: "the personality in force",
      data: personalityData,
      run: () => current.current(),
    }),
    route({
      method: "PUT",
      path: base,
      scope: "write",
      summary: "change the personality in force",
      body: personalityBody,
      data: personalityData,
      run({ body, ifMatch }) {
        if (Object.keys(body).length === 0) throw toSharedError("bad_request", "nothing_to_update", {});
        return current.change(body, ifMatch);
      },
    }),
    route({
      method: "POST",
      path: `${base}/preview`,
      scope: "read",
      summary: "preview the prompt of a card",
      body: personalityBody,
      data: previewData,
      run: ({ body: { preset_id: _preset, ...fields }, caller }) =>
        createPreview(fields, { ...macroValues(), user: caller.username || "the user" }),
    }),
    route({
      method: "GET",
      path: `${base}/presets`,
      scope: "read",
      summary: "list the built-in presets",
      query: listQuery(),
      data: builtInData,
      run: ({ query }) => presets.builtIn(query),
    }),
    route({
      method: "POST",
      path: `${base}/custom-presets/{preset_id}/upload-to-platform`,
      scope: "admin",
      summary: "send a preset to a platform",
      body: uploadBody,
      data: uploadData,
      timeoutMs: false,
      run: ({ params, body, signal }) => platforms.upload(params.preset_id, body, signal),
    }),
  ];
}
