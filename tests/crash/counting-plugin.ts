import {
  answered,
  Databases,
  definePlugin,
  fixedStatement,
  type Migration,
  RouteTables,
  route,
  TurnStages,
  withEffects,
} from "@parley/core";

interface CountTables {
  readonly counted: { readonly session_id: string; readonly answers: number };
}

const MIGRATIONS: readonly Migration[] = [
  {
    id: "001-counted",
    async up(db) {
      await db.schema
        .createTable("counted")
        .addColumn("session_id", "text", (column) => column.primaryKey())
        .addColumn("answers", "integer", (column) => column.notNull())
        .execute();
    },
  },
];
const COUNT = `insert into counted (session_id, answers) values (?, 1)
  on conflict (session_id) do update set answers = counted.answers + 1`;

/** Counts the answers of each session with an effect: nothing derives its id, so a second time would show. */
export default definePlugin({
  id: "counting",
  requires: [Databases],
  register({ contribute }) {
    contribute(TurnStages, () => ({
      id: "counting.answers",
      phase: "context" as const,
      run: async (turn) => withEffects(turn, { writes: [{ query: fixedStatement(COUNT, [turn.session.id]) }] }),
    }));
    contribute(RouteTables, (from) => [
      route({
        method: "GET",
        path: "/api/counted",
        scope: "read",
        summary: "How many answers each session had",
        data: answered.mapOf(answered.count),
        async run() {
          const rows = await from.get(Databases).main.tables<CountTables>().selectFrom("counted").selectAll().execute();
          return Object.fromEntries(rows.map((row) => [row.session_id, row.answers]));
        },
      }),
    ]);
  },
  async start({ get }) {
    await get(Databases).main.migrate("counting", MIGRATIONS);
  },
});
