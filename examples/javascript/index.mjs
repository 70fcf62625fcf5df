// A ledger: SERVICE_BUS='Endpoint=...' DATABASE=postgresql://... node index.mjs
import { setTimeout as pause } from "node:timers/promises";
import { ServiceBusClient } from "@azure/service-bus";
import pg from "pg";
import { handleSession, idOf } from "./inbox.mjs";

const SESSIONS_AT_ONCE = 4;
const pool = new pg.Pool({ connectionString: process.env.DATABASE, max: SESSIONS_AT_ONCE });
pool.on("error", (error) => console.error(`idle connection lost: ${error.message}`));
const bus = new ServiceBusClient(process.env.SERVICE_BUS);

/** The service's own work. All its effects go through tx. */
async function book(tx, message) {
  const { cents } = JSON.parse(message.body);
  const insert = "insert into booking (wallet, message, cents) values ($1, $2, $3)";
  await tx.query(insert, [message.sessionId, idOf(message), cents]);
}

async function work() {
  for (;;) {
    let session;
    try {
      // Bodies stay bytes: the client would make a number of the text "1e3".
      session = await bus.acceptNextSession("wallet-tx", { skipParsingBodyAsJson: true });
      await handleSession(session, pool, "ledger", book);
    } catch (error) {
      // No session has a message: the next call waits again.
      if (error.code === "ServiceTimeout") continue;
      console.error(error.message);
      await pause(1000);
    } finally {
      await session?.close().catch((error) => console.error(`session not closed: ${error.message}`));
    }
  }
}

for (let i = 0; i < SESSIONS_AT_ONCE; i++) {
  work();
}
