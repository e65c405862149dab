import {
  Clock,
  Databases,
  definePlugin,
  Files,
  PUBLIC_BASE_URL,
  RecordLifecycle,
  type RecordPart,
  type Resolver,
  RouteTables,
  Sessions,
  Settings,
  serviceKey,
  windowOf,
} from "@parley/core";
import { createPublications, type Publications } from "./publications.ts";
import { createReading, type Reading, WRONG_WITHIN_MS } from "./reading.ts";
import { qrRoutes, type RouteParts, sharingRoutes } from "./routes.ts";
import { SHARING_MIGRATIONS } from "./tables.ts";

const Own = serviceKey<Publications>("sharing.publications");
const OwnReading = serviceKey<Reading>("sharing.reading");

/** Conversations that anybody may read who has their link, and QR codes. */
export default definePlugin({
  id: "sharing",
  requires: [Databases, Sessions, Settings],
  register({ provide, contribute, log }) {
    provide(Own, (from) =>
      createPublications({
        database: () => from.get(Databases).main,
        sessions: () => from.get(Sessions),
        files: () => from.find(Files),
        clock: from.get(Clock),
        failed: (error) => log.warn("views of published conversations were not counted", { error }),
      }),
    );
    provide(OwnReading, (from) =>
      createReading({
        publications: from.get(Own),
        files: () => from.find(Files),
        clock: from.get(Clock),
        wrong: windowOf(from, "shared-pages", WRONG_WITHIN_MS),
      }),
    );
    contribute(RouteTables, (from) => [...sharingRoutes(partsFrom(from)), ...qrRoutes(partsFrom(from))]);
    contribute(
      RecordLifecycle,
      (): RecordPart => ({
        id: "sharing.of-person",
        of: "person",
        tables: [{ table: "publications", isShared: true }],
      }),
    );
    contribute(RecordLifecycle, (from) => from.get(Own).part);
  },
  async start({ get, defer }) {
    await get(Databases).main.migrate("sharing", SHARING_MIGRATIONS);
    const own = get(Own);
    defer(async () => own[Symbol.asyncDispose]());
  },
});

function partsFrom(from: Resolver): RouteParts {
  return {
    publications: from.get(Own),
    reading: from.get(OwnReading),
    sessions: () => from.get(Sessions),
    baseUrl: () => from.get(Settings).get(PUBLIC_BASE_URL),
  };
}
