import { bondValues, moodValues, type RouteTable, route } from "@parley/core";
import type { CharacterRecords } from "./character-records.ts";
import type { LatestTurns } from "./latest-turns.ts";
import type { Runtime } from "./runtime.ts";
import {
  bondData,
  initializeBody,
  initializeData,
  latestTurnData,
  scopeQuery,
  stateData,
  statusData,
  targetQuery,
} from "./schema.ts";
import type { Standing } from "./standing.ts";

const one = "/api/characters/{character_id}";

export interface RouteParts {
  readonly records: CharacterRecords;
  readonly standing: Standing;
  readonly latest: LatestTurns;
  readonly runtime: Runtime;
}

/** The rows besides those of the record itself. */
export function characterRoutes({ records, standing, latest, runtime }: RouteParts): RouteTable {
  return [
    route({
      method: "GET",
      path: `${one}/state`,
      scope: "read",
      summary: "how the character feels in a conversation",
      query: scopeQuery,
      data: stateData,
      run: ({ params, query }) => standing.state(params.character_id, query),
    }),
    route({
      method: "PUT",
      path: `${one}/state`,
      scope: "write",
      summary: "change how the character feels in a conversation",
      query: scopeQuery,
      body: moodValues,
      data: stateData,
      run: ({ params, query, body, ...request }) => standing.setState(params.character_id, query, body, request),
    }),
    route({
      method: "GET",
      path: `${one}/relationships`,
      scope: "read",
      summary: "how the character stands to a person",
      query: targetQuery,
      data: bondData,
      run: ({ params, query, caller }) => standing.bond(params.character_id, query, caller),
    }),
    route({
      method: "PUT",
      path: `${one}/relationships`,
      scope: "write",
      summary: "change how the character stands to a person",
      query: targetQuery,
      body: bondValues,
      data: bondData,
      run: ({ params, query, body, ...request }) => standing.setBond(params.character_id, query, body, request),
    }),
    route({
      method: "GET",
      path: `${one}/debug/latest-turn`,
      scope: "read",
      summary: "how the character took the last message, and why",
      query: scopeQuery,
      data: latestTurnData,
      async run({ params, query }) {
        const { id } = await records.get(params.character_id);
        return { turn: latest.of(id, (await standing.scopeOf(query))?.scopeId) };
      },
    }),
    route({
      method: "POST",
      path: "/api/characters/runtime/initialize",
      scope: "write",
      summary: "get the characters ready",
      body: initializeBody,
      data: initializeData,
      run: ({ body }) => runtime.initialize(body),
    }),
    route({
      method: "GET",
      path: "/api/characters/runtime/status",
      scope: "read",
      summary: "what the characters' engine does",
      data: statusData,
      run: () => runtime.status(),
    }),
  ];
}
