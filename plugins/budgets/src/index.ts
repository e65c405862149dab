import { randomUUID } from "node:crypto";
import {
  addRecords,
  addResource,
  Budgets,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Gateway,
  type Logger,
  Models,
  People,
  RecordLifecycle,
  RecordStore,
  type Resolver,
  RouteTables,
  Sessions,
  Settings,
  serviceKey,
  TIME_ZONE,
  TransferSections,
  Upkeeps,
} from "@parley/core";
import { resourceSection } from "@parley/core/transfer";
import { createBudgetRecords } from "./budget-records.ts";
import { budgets } from "./budget-resource.ts";
import { createLedger } from "./ledger/ledger.ts";
import { BUDGET_MIGRATIONS } from "./ledger/tables.ts";
import { createPersonPart } from "./person-part.ts";
import { createReservations } from "./reservations.ts";
import { createBudgetRoutes } from "./routes.ts";
import { budgetsTexts } from "./texts.ts";

const DAY_MS = 86_400_000;
/** The same as for rows of token usage. */
const RETENTION_DAYS = 400;

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("budgets.own");

const AREA: ConsoleArea = {
  id: "budgets",
  group: "safety",
  title: { en: "Budgets", zh: "预算" },
  icon: "chart",
  order: 20,
  scope: "admin",
  view: { kind: "page", page: "budgets" },
};

/** Limits tokens and money for people, conversations, characters, channels and credentials. */
export default definePlugin({
  id: "budgets",
  requires: [RecordStore, Databases, Settings],
  register(context) {
    const { log, provide, contribute } = context;
    provide(Own, (from) => assemble(from, log));
    provide(Budgets, (from) => from.get(Own).reservations);
    addRecords(context, budgets);
    addResource(context, budgets, (from) => from.get(Own).records);
    contribute(RouteTables, (from) => createBudgetRoutes(from.get(Own).routes));
    contribute(ConsoleAreas, () => AREA);
    contribute(RecordLifecycle, (from) => createPersonPart(() => from.get(RecordStore).cached(budgets)));
    contribute(TransferSections, (from) =>
      resourceSection({ id: "budgets", title: budgets.title.many }, budgets, () => from.get(Own).records),
    );
    contribute(Upkeeps, (from) => ({
      name: "budgets.prune",
      title: { en: "Remove old spending of budgets", zh: "清理预算的旧用量" },
      everyMs: DAY_MS,
      async run({ log: report }) {
        const before = new Date(from.get(Clock).now() - RETENTION_DAYS * DAY_MS).toISOString();
        report(budgetsTexts.message("pruned", { count: await from.get(Own).ledger.removeOld(before) }));
      },
    }));
  },
  async start({ get, defer }) {
    const { main, isShared } = get(Databases);
    await main.migrate("budgets", BUDGET_MIGRATIONS);
    const { ledger, reservations } = get(Own);
    // With one process all reservations are of one that has ended.
    if (!isShared) await ledger.releaseAll();
    await get(RecordStore).cached(budgets).load();
    defer(async () => reservations[Symbol.asyncDispose]());
  },
});

/** Creates the services of the plugin. */
function assemble(from: Resolver, log: Logger) {
  const clock = from.get(Clock);
  const stored = () => from.get(RecordStore).cached(budgets);
  const ledger = createLedger({ database: () => from.get(Databases).main, clock });
  const timeZone = () => from.get(Settings).get(TIME_ZONE);
  const periods = { now: clock.now, timeZone };
  return {
    ledger,
    reservations: createReservations({
      ...periods,
      ledger,
      budgets: () => stored().values(),
      sessions: () => from.find(Sessions),
      people: () => from.find(People),
      gateway: () => from.find(Gateway),
      log,
      holder: randomUUID(),
    }),
    records: createBudgetRecords({ stored, models: () => from.get(Models), ledger }),
    routes: { ...periods, get: (id: string) => stored().get(id), ledger },
  };
}
