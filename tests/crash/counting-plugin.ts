import { answered, Databases, definePlugin, RouteTables, route, TurnStages, withEffects } from "@parley/core";
import { createTally } from "./tally.ts";

const counted = createTally("counted");

/** Counts the answers of each session with an effect. */
export default definePlugin({
  id: "counting",
  requires: [Databases],
  register({ contribute }) {
    contribute(TurnStages, () => ({
      id: "counting.answers",
      phase: "context" as const,
      run: async (turn) => withEffects(turn, { writes: [counted.write(turn.session.id)] }),
    }));
    contribute(RouteTables, (from) => [
      route({
        method: "GET",
        path: "/api/counted",
        scope: "read",
        summary: "How many answers each session had",
        data: answered.mapOf(answered.count),
        run: () => counted.read(from),
      }),
    ]);
  },
  start: (context) => counted.open(context),
});
