// What a KV namespace is to workerd, in memory.
const values = new Map();

export default {
  async fetch(request) {
    const key = new URL(request.url).pathname;
    if (request.method === "PUT") values.set(key, await request.text());
    const value = values.get(key);
    return value === undefined ? new Response("", { status: 404 }) : new Response(value);
  },
};
