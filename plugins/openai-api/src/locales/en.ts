/** English texts of plugin openai-api. */
export const en = {
  no_model: "The model “{name}” does not exist. GET /v1/models lists the models you can use.",
  no_method: "This address does not take {method} requests.",
  several_answers: "n: only one answer can be generated for a request",
  no_conversation: "This key has no conversation “{id}”.",
  other_model: "The conversation belongs to the model “{model}”.",
  no_user_message: "The last message must be from the user.",
  tools_with_user:
    "Tools of the client work only without user: in a stored conversation the service uses its own tools.",
  unsupported_part: "Content of type “{type}” is not supported; text and image_url are.",
  no_picture: "A picture must be PNG, JPEG, GIF or WebP.",
  bad_address: "A picture needs a data: or https: address.",
  picture_failed: "A picture could not be loaded: {why}",
  too_many_pictures: "A request can have {most, plural, one {# picture} other {# pictures}}.",
  no_call: "The tool message refers to a call that is not in the messages.",
  bad_arguments: "The arguments of a tool call are not valid JSON.",
} as const;
