/** Added to the prompt of a model that cannot call tools: it must neither invent values nor claim changes. */
export const WITHOUT_TOOLS = `# No tools
You cannot call tools in this conversation, so you can look up nothing and change nothing. Say so first, in the language of
the user. State no value that is not in this conversation, claim no change, and give what you can in words.`;
