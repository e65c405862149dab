import { AppError, type Implemented, type ToolImplementation, type ToolImplementations } from "@parley/core";
import type { CustomTools } from "./custom-tools.ts";
import { type Implementation, implementation } from "./schema.ts";

/** Implementations for others than tools: skills that send a request. */
export function implementationsOf(custom: Pick<CustomTools, "checked" | "run">): ToolImplementations {
  const read = (given: ToolImplementation): Implementation => {
    const { value, error } = implementation.validate(given, { errors: { label: false } });
    if (error) {
      const [{ path = [], message = "cannot be used" } = {}] = error.details;
      throw new AppError("bad_request", `${["implementation", ...path].join(".")}: ${message}`);
    }
    const whole = value as Implementation;
    if ((whole.type as string) === "builtin")
      throw new AppError("bad_request", "implementation.type: must be http or static");
    return whole;
  };
  const checkOf = ({ parameters, implementation: given }: Implemented) =>
    custom.checked({ parameters, implementation: read(given) });
  return {
    async checked(what) {
      await checkOf(what);
      return { ...read(what.implementation) };
    },
    async run(what, args, signal) {
      const problem = (await checkOf(what))(args);
      if (problem !== undefined) throw new AppError("bad_request", `arguments: ${problem}`);
      return custom.run({ implementation: read(what.implementation) }, args, signal);
    },
  };
}
