import {
  type Implemented,
  type ToolImplementation,
  type ToolImplementations,
  toFieldProblems,
  toValidationError,
} from "@parley/core";
import { type Implementation, implementation } from "../schema.ts";
import { toolsTexts } from "../texts.ts";
import type { CustomTools } from "./custom-tools.ts";

/** Creates the runner of implementations for callers other than tools, such as skills that send a request. */
export function createToolImplementations(
  custom: Pick<CustomTools, "createArgumentCheck" | "run">,
): ToolImplementations {
  const read = (given: ToolImplementation): Implementation => {
    const { value, error } = implementation.validate(given, { errors: { label: false } });
    if (error) throw toValidationError(toFieldProblems(error, "implementation"), "implementation");
    const whole = value as Implementation;
    if ((whole.type as string) === "builtin")
      throw toolsTexts.error("bad_request", "kind", {}, { field: "implementation.type" });
    return whole;
  };
  const checkOf = ({ parameters, implementation: given }: Implemented) =>
    custom.createArgumentCheck({ parameters, implementation: read(given) });
  return {
    async checked(what) {
      await checkOf(what);
      return { ...read(what.implementation) };
    },
    async run(what, args, signal) {
      const problem = (await checkOf(what))(args);
      if (problem !== undefined) throw toolsTexts.error("bad_request", "unfit", { problem }, { field: "arguments" });
      return custom.run({ implementation: read(what.implementation) }, args, signal);
    },
  };
}
