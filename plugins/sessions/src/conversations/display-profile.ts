import type { CharacterFace, Session } from "@parley/core";

/** Display fields that a session takes from its character while they are empty. */
type DisplayProfile = Pick<Session, "sender_name" | "sender_avatar" | "sender_portrait" | "scenario" | "first_message">;
type ProfileField = keyof DisplayProfile;

const CHARACTER_FIELD_BY_PROFILE_FIELD: { readonly [Field in ProfileField]: keyof CharacterFace } = {
  sender_name: "name",
  sender_avatar: "avatar",
  sender_portrait: "portrait",
  scenario: "scenario",
  first_message: "first_message",
};
const entries = Object.entries(CHARACTER_FIELD_BY_PROFILE_FIELD) as readonly (readonly [
  ProfileField,
  keyof CharacterFace,
])[];

/** A profile whose fields all follow the character. */
export const EMPTY_PROFILE: DisplayProfile = {
  sender_name: "",
  sender_avatar: "",
  sender_portrait: "",
  scenario: "",
  first_message: "",
};

/** Returns the session with the character's current values in empty display fields. */
export function applyCharacterProfile(session: Session, face: CharacterFace | undefined): Session {
  if (!face) return session;
  const values = entries.map(([field, of]) => [field, session[field] || face[of]]);
  return { ...session, ...Object.fromEntries(values) };
}

/** Returns the session as another of its characters speaks in it: with its name and pictures, and the session's own scenario. */
export function applySpeaker(session: Session, first: CharacterFace | undefined, speaker: CharacterFace): Session {
  const { scenario } = stripCharacterProfile(session, first);
  return applyCharacterProfile({ ...session, ...EMPTY_PROFILE, scenario, character_id: speaker.id }, speaker);
}

/** Returns the fields to store: values equal to the character's become empty, so that they follow it. */
export function stripCharacterProfile<Fields extends Partial<Session>>(
  fields: Fields,
  face: CharacterFace | undefined,
): Fields {
  if (!face) return fields;
  const inherited = entries.filter(([field, of]) => fields[field] !== undefined && fields[field] === face[of]);
  return { ...fields, ...Object.fromEntries(inherited.map(([field]) => [field, ""])) };
}
