import { type RouteTable, route } from "@parley/core";
import { bondValues, moodValues } from "@parley/core/characters";
import type { CharacterRecords } from "./records/character-records.ts";
import {
  initializeBody,
  initializeData,
  latestTurnData,
  relationshipData,
  scopeQuery,
  stateData,
  statusData,
  targetQuery,
} from "./records/schema.ts";
import type { LatestTurns } from "./state/latest-turns.ts";
import type { RuntimeStatus } from "./state/runtime-status.ts";
import type { StateService } from "./state/state-service.ts";

const characterPath = "/api/characters/{character_id}";

export interface CharacterRoutesDeps {
  readonly records: CharacterRecords;
  readonly stateService: StateService;
  readonly latest: LatestTurns;
  readonly runtime: RuntimeStatus;
}

/** Creates the routes besides CRUD of characters. */
export function createCharacterRoutes({ records, stateService, latest, runtime }: CharacterRoutesDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: `${characterPath}/state`,
      scope: "read",
      summary: "get the character's state in a conversation",
      query: scopeQuery,
      data: stateData,
      run: ({ params, query }) => stateService.state(params.character_id, query),
    }),
    route({
      method: "PUT",
      path: `${characterPath}/state`,
      scope: "write",
      summary: "change the character's state in a conversation",
      query: scopeQuery,
      body: moodValues,
      data: stateData,
      run: ({ params, query, body, ...request }) => stateService.setState(params.character_id, query, body, request),
    }),
    route({
      method: "GET",
      path: `${characterPath}/relationships`,
      scope: "read",
      summary: "get the character's relationship with a person",
      query: targetQuery,
      data: relationshipData,
      run: ({ params, query, caller }) => stateService.relationship(params.character_id, query, caller),
    }),
    route({
      method: "PUT",
      path: `${characterPath}/relationships`,
      scope: "write",
      summary: "change the character's relationship with a person",
      query: targetQuery,
      body: bondValues,
      data: relationshipData,
      run: ({ params, query, body, ...request }) =>
        stateService.setRelationship(params.character_id, query, body, request),
    }),
    route({
      method: "GET",
      path: `${characterPath}/debug/latest-turn`,
      scope: "read",
      summary: "get the character's reaction to the last message, with its reasons",
      query: scopeQuery,
      data: latestTurnData,
      async run({ params, query }) {
        const { id } = await records.get(params.character_id);
        return { turn: latest.get(id, (await stateService.resolveScope(query))?.scopeId) };
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
      summary: "get the status of the characters' engine",
      data: statusData,
      run: () => runtime.status(),
    }),
  ];
}
