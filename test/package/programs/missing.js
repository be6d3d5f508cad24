// Imports each module of the package, and says what is wrong where one cannot be used without a peer.
import { toWarc } from "dragline/warc";

const messages = {};
for (const name of process.argv.slice(2)) {
  await import(`dragline/${name}`).catch((error) => {
    messages[name] = error.message;
  });
}
const writer = toWarc("never.warc.gz").getWriter();
await writer.closed.catch((error) => {
  messages.warc = error.message;
});
console.log(JSON.stringify(messages));
