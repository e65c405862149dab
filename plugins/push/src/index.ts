import { join } from "node:path";
import {
  Accounts,
  Clock,
  ConsoleAreas,
  Databases,
  definePlugin,
  Egress,
  Environment,
  JobKinds,
  Jobs,
  LiveEvents,
  type Logger,
  Paths,
  Presence,
  RecordLifecycle,
  type RecordPart,
  type Resolver,
  RouteTables,
  Secrets,
  Sessions,
  SettingDefinitions,
  Settings,
  Signals,
  serviceKey,
  TurnStages,
} from "@parley/core";
import { createNoticeStore } from "./notices.ts";
import { createApprovalListener, createNotifyStage } from "./notify.ts";
import { createPushService } from "./push-service.ts";
import { createPushRoutes } from "./routes.ts";
import { createSendJob } from "./send-job.ts";
import { HIDE_CONTENT, PLATFORM_SESSIONS, PRIVATE_ENDPOINTS } from "./settings.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { PUSH_MIGRATIONS } from "./tables.ts";
import { loadVapidPair, type VapidPair } from "./vapid.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("push.own");

/** Web Push: notifies browsers of replies while the page is not visible. */
export default definePlugin({
  id: "push",
  requires: [Accounts, Databases, Secrets, Sessions, Settings],
  register({ log, provide, contribute }) {
    provide(Own, (from) => assemble(from, log));
    for (const one of [HIDE_CONTENT, PLATFORM_SESSIONS, PRIVATE_ENDPOINTS]) contribute(SettingDefinitions, () => one);
    contribute(RouteTables, (from) => createPushRoutes(from.get(Own)));
    contribute(TurnStages, (from) => createNotifyStage(from.get(Own)));
    contribute(JobKinds, (from) => createSendJob({ ...from.get(Own), jobs: () => from.get(Jobs) }));
    contribute(RecordLifecycle, (from) => ({
      id: "push.of-session",
      of: "session" as const,
      async removed(id) {
        const { subscriptions, notices } = from.get(Own);
        return [subscriptions.removeBySessionWrite(id), notices.removeSessionWrite(id)];
      },
    }));
    contribute(
      RecordLifecycle,
      (): RecordPart => ({ id: "push.of-person", of: "person", tables: [{ table: "push_notices", isShared: true }] }),
    );
    contribute(ConsoleAreas, () => ({
      id: "notifications",
      group: "system" as const,
      title: { en: "Notifications", zh: "通知" },
      icon: "bell" as const,
      view: { kind: "page" as const, page: "notifications" },
    }));
  },
  async start({ get, log, defer }) {
    const own = get(Own);
    await get(Databases).main.migrate("push", PUSH_MIGRATIONS);
    await own.subscriptions.followLogins((id) => get(Accounts).inForce(id));
    try {
      own.pair();
    } catch (error) {
      log.warn("notifications cannot be sent", { error });
    }
    defer(get(LiveEvents).subscribe(createApprovalListener(own)));
    defer(get(Accounts).onRevoked((credentialId) => onSignedOut(own, credentialId)));
  },
});

function onSignedOut({ database, subscriptions, log }: Own, credentialId: string): void {
  database()
    .write([subscriptions.removeByLoginWrite(credentialId)])
    .catch((error: unknown) => log.warn("the subscriptions of an ended login could not be removed", { error }));
}

function assemble(from: Resolver, log: Logger) {
  const clock = from.get(Clock);
  const settings = from.get(Settings);
  const egress = from.get(Egress);
  const database = () => from.get(Databases).main;
  const mayReachPrivate = () => settings.get(PRIVATE_ENDPOINTS);
  let known: VapidPair | undefined;
  const pair = () => {
    known ??= loadVapidPair(join(from.get(Paths).data, "keys", "vapid.json"));
    return known;
  };
  return {
    pair,
    clock,
    database,
    log,
    notices: createNoticeStore(database, clock),
    subscriptions: createSubscriptions({
      database,
      secrets: () => from.get(Secrets),
      egress,
      clock,
      mayReachPrivate,
      isShared: () => from.find(Signals)?.isShared === true,
    }),
    send: createPushService({ egress, pair, environment: from.get(Environment), clock, mayReachPrivate }),
    sessions: () => from.get(Sessions),
    presence: () => from.find(Presence),
    jobs: () => from.find(Jobs),
    hasPlatforms: () => settings.get(PLATFORM_SESSIONS),
    isContentHidden: () => settings.get(HIDE_CONTENT),
  };
}
