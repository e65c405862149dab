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
} from "@parley/core";
import { openSharedWindow } from "@parley/core/limits";
import { createPublications, type Publications } from "./publications.ts";
import { createPublicationReader, FAILED_PASSWORD_WINDOW_MS, type PublicationReader } from "./reader.ts";
import { createQrRoutes, createSharingRoutes, type RouteDeps } from "./routes.ts";
import { SHARING_MIGRATIONS } from "./tables.ts";

const Own = serviceKey<Publications>("sharing.publications");
const OwnReader = serviceKey<PublicationReader>("sharing.reading");

/** Publishes conversations for anyone who has their link, and creates QR codes. */
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
        onError: (error) => log.warn("views of published conversations were not counted", { error }),
      }),
    );
    provide(OwnReader, (from) =>
      createPublicationReader({
        publications: from.get(Own),
        files: () => from.find(Files),
        clock: from.get(Clock),
        failedPasswords: openSharedWindow(from, "shared-pages", FAILED_PASSWORD_WINDOW_MS),
      }),
    );
    contribute(RouteTables, (from) => createSharingRoutes(toRouteDeps(from)));
    contribute(RouteTables, (from) => createQrRoutes(toRouteDeps(from)));
    contribute(
      RecordLifecycle,
      (): RecordPart => ({
        id: "sharing.of-person",
        of: "person",
        tables: [{ table: "publications", isShared: true }],
      }),
    );
    contribute(RecordLifecycle, (from) => from.get(Own).sessionPart);
  },
  async start({ get, defer }) {
    await get(Databases).main.migrate("sharing", SHARING_MIGRATIONS);
    const own = get(Own);
    defer(async () => own[Symbol.asyncDispose]());
  },
});

function toRouteDeps(from: Resolver): RouteDeps {
  return {
    publications: from.get(Own),
    reading: from.get(OwnReader),
    sessions: () => from.get(Sessions),
    baseUrl: () => from.get(Settings).get(PUBLIC_BASE_URL),
  };
}
