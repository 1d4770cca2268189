// A client of the TypeScript SDK: `typescript_sdk.mjs SDK TRANSPORT CALLS TARGET...`, where SDK is the folder of its
// modules and TARGET a URL or a command. Prints the results of the calls as a JSON list.
const [sdk, transport, calls, ...target] = process.argv.slice(2);
const part = (name) => import(`${sdk}/client/${name}.js`);
const { Client } = await part("index");

async function connection() {
  if (transport === "stdio") {
    const { StdioClientTransport } = await part("stdio");
    return new StdioClientTransport({ command: target[0], args: target.slice(1) });
  }
  if (transport === "http") {
    const { StreamableHTTPClientTransport } = await part("streamableHttp");
    return new StreamableHTTPClientTransport(new URL(target[0]));
  }
  const { SSEClientTransport } = await part("sse");
  return new SSEClientTransport(new URL(target[0]));
}

const client = new Client({ name: "test", version: "1" });
await client.connect(await connection());
const said = [];
for (const [name, args] of JSON.parse(calls)) {
  const result = await client.callTool({ name, arguments: args });
  said.push(result.content);
}
console.log(JSON.stringify(said));
await client.close();
