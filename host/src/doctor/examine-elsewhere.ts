import type { Check } from "@parley/core";
import { type Finding, ok, told } from "./finding.ts";

const REACHED = { en: "what is kept elsewhere can be reached", zh: "存放在别处的内容可以访问" };

/** What plugins say of what they keep outside the data folder, while no service works. */
export async function examineElsewhere(checks: readonly Check[]): Promise<readonly Finding[]> {
  const asked = checks.map(async ({ id, elsewhere }) => {
    if (!elsewhere) return [];
    const wrong = (await elsewhere()).map(told);
    return wrong.length > 0 ? wrong : [ok(id, REACHED)];
  });
  return (await Promise.all(asked)).flat();
}
