import { ChatCommands, definePlugin, Joi, Tools, tool } from "@parley/core";

interface AcmeConfig {
  readonly greeting: string;
}

export default definePlugin<AcmeConfig>({
  id: "acme",
  config: Joi.object<AcmeConfig, true>({
    greeting: Joi.string().trim().min(1).max(100).default("Hello").description("How people are greeted"),
  }),
  register({ config, contribute }) {
    const greet = (name: string) => `${config.greeting}, ${name}!`;
    contribute(ChatCommands, () => ({
      name: "/acme",
      usage: "/acme [<name>]",
      help: "Greets somebody",
      category: "play",
      adminOnly: false,
      run: async (rest) => greet(rest.trim() || "world"),
    }));
    contribute(Tools, () =>
      tool<{ readonly name: string }>({
        name: "acme_greet",
        purpose: "Greets somebody by name.",
        args: Joi.object({ name: Joi.string().max(100).required() }),
        scope: "gateway.read",
        risk: "read",
        audience: ["ai", "mcp"],
        run: async ({ name }) => ({ text: greet(name) }),
      }),
    );
  },
});
