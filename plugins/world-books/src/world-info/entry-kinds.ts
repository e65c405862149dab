import type { Lore } from "../activation/lore.ts";

const PLACEHOLDER = /\{\{|<(?:user|char|bot)>/i;

/** Returns true when the search tables cannot find all that activates an entry under the rules of World Info. */
export function isSpecial(lore: Lore): boolean {
  const { decorators, sources, sticky } = lore.info;
  const isLasting = sticky > 0 || decorators.keep_activate_after_match === true;
  return (
    isLasting || decorators.activate === true || decorators.constant === true || isSearchedAlone(lore, sources.length)
  );
}

function isSearchedAlone(lore: Lore, sourceCount: number): boolean {
  return sourceCount > 0 || (!lore.isRegex && hasPlaceholder(lore));
}

/** Returns true when a keyword of the entry contains a placeholder such as `{{char}}`. */
export function hasPlaceholder({ keywords, secondary }: Lore): boolean {
  return keywords.some((one) => PLACEHOLDER.test(one)) || secondary.some((one) => PLACEHOLDER.test(one));
}

/** Returns true when the activation of an entry depends on earlier ones, so that these are counted. */
export function hasMemory({ cooldown, maxInjections, info }: Lore): boolean {
  const { keep_activate_after_match, dont_activate_after_match } = info.decorators;
  const isTimed = info.sticky > 0 || info.cooldown > 0;
  return (
    cooldown > 0 || maxInjections > 0 || isTimed || (keep_activate_after_match ?? dont_activate_after_match) === true
  );
}
