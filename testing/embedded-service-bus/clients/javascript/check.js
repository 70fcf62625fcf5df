// Checks a broker that runs with ../Config.json: node check.js CONNECTION_STRING ADMINISTRATION_PORT
import assert from "node:assert/strict";
import { ServiceBusAdministrationClient, ServiceBusClient } from "@azure/service-bus";

const [connection, administrationPort] = process.argv.slice(2);
const client = new ServiceBusClient(connection);
// The administration client insists on HTTPS and on the default port, as Java's does.
const admin = new ServiceBusAdministrationClient(connection);
admin.pipeline.addPolicy({
  name: "lead to the broker",
  sendRequest(request, next) {
    request.url = request.url.replace(/^https:\/\/[^/]+/, `http://127.0.0.1:${administrationPort}`);
    request.allowInsecureConnection = true;
    return next(request);
  },
});
const wait = { maxWaitTimeInMs: 5000 };
const cases = [];
const check = (name, run) => cases.push({ name, run });

async function one(receiver) {
  const [message] = await receiver.receiveMessages(1, wait);
  assert.ok(message, "no message came");
  return message;
}

async function send(queue, ...messages) {
  const sender = client.createSender(queue);
  await sender.sendMessages(messages);
  await sender.close();
}

check("quick start: send without an id, receive, complete, close", async () => {
  await send("orders", { body: "hello" });
  const receiver = client.createReceiver("orders");
  const message = await one(receiver);
  assert.equal(message.body, "hello");
  assert.match(message.messageId, /^[0-9a-f]{32}$/);
  await receiver.completeMessage(message);
  await receiver.close();
});

check("abandon, defer, receive by number, dead-letter", async () => {
  await send("orders", { body: "a" });
  const receiver = client.createReceiver("orders");
  await receiver.abandonMessage(await one(receiver), { tries: 1 });
  const again = await one(receiver);
  assert.equal(again.deliveryCount, 1);
  assert.equal(again.applicationProperties.tries, 1);
  await receiver.deferMessage(again);
  const [deferred] = await receiver.receiveDeferredMessages(again.sequenceNumber);
  await receiver.deadLetterMessage(deferred, { deadLetterReason: "no good" });
  const dead = client.createReceiver("orders", { subQueueType: "deadLetter" });
  const letter = await one(dead);
  assert.equal(letter.deadLetterReason, "no good");
  await dead.completeMessage(letter);
  await dead.close();
  await receiver.close();
});

check("a batch, peek, receive and delete", async () => {
  const sender = client.createSender("orders");
  const batch = await sender.createMessageBatch();
  for (let i = 0; i < 20; i++) {
    assert.ok(batch.tryAddMessage({ body: i }));
  }
  await sender.sendMessages(batch);
  const receiver = client.createReceiver("orders", { receiveMode: "receiveAndDelete" });
  assert.equal((await receiver.peekMessages(5)).length, 5);
  let received = 0;
  while (received < 20) {
    const some = await receiver.receiveMessages(20 - received, wait);
    assert.ok(some.length > 0, "fewer messages came than were sent");
    received += some.length;
  }
  await receiver.close();
  await sender.close();
});

check("messages asked for without waiting leave the receiver usable", async () => {
  const receiver = client.createReceiver("orders");
  for (let i = 0; i < 20; i++) {
    await send("orders", { body: i });
    const message = await one(receiver);
    await receiver.completeMessage(message);
    assert.equal((await receiver.receiveMessages(1, { maxWaitTimeInMs: 1 })).length, 0);
  }
  assert.equal(receiver.isClosed, false);
  await receiver.close();
});

check("schedule and cancel", async () => {
  const sender = client.createSender("orders");
  const [number] = await sender.scheduleMessages({ body: "later" }, new Date(Date.now() + 3600_000));
  await sender.cancelScheduledMessages(number);
  await sender.close();
});

check("subscribe", async () => {
  await send("orders", { body: 1 }, { body: 2 }, { body: 3 });
  const receiver = client.createReceiver("orders");
  const bodies = [];
  await new Promise((resolve, reject) => {
    receiver.subscribe({
      processMessage: async (message) => {
        bodies.push(message.body);
        if (bodies.length === 3) {
          resolve();
        }
      },
      processError: async (args) => reject(args.error),
    });
  });
  await receiver.close();
  assert.deepEqual(bodies.sort(), [1, 2, 3]);
});

check("sessions: next, state, order, one that is locked", async () => {
  await send("wallet-tx", { body: 1, sessionId: "w1" }, { body: 2, sessionId: "w1" });
  const session = await client.acceptNextSession("wallet-tx");
  assert.equal(session.sessionId, "w1");
  await session.setSessionState("half way");
  assert.equal(String(await session.getSessionState()), "half way");
  await assert.rejects(client.acceptSession("wallet-tx", "w1"), { code: "SessionCannotBeLocked" });
  for (const expected of [1, 2]) {
    const message = await one(session);
    assert.equal(message.body, expected);
    await session.completeMessage(message);
  }
  await session.setSessionState(null);
  await session.close();
});

check("a message without a session id is refused with the service's words", async () => {
  await assert.rejects(send("wallet-tx", { body: 1 }), /it cannot be sent to the entity/);
});

check("topics and rules", async () => {
  await admin.createSubscription("events", "big");
  await admin.deleteRule("events", "big", "$Default");
  const rule = await admin.createRule("events", "big", "amount", {
    sqlExpression: "amount > @least",
    sqlParameters: { "@least": 100 },
  });
  assert.equal(rule.filter.sqlParameters["@least"], 100);
  for await (const listed of admin.listRules("events", "big")) {
    assert.equal(listed.name, "amount");
  }
  await send("events", { body: "small", applicationProperties: { amount: 1 } });
  await send("events", { body: "big", applicationProperties: { amount: 101 } });
  const receiver = client.createReceiver("events", "big", { receiveMode: "receiveAndDelete" });
  assert.equal((await one(receiver)).body, "big");
  await receiver.close();
  await admin.deleteSubscription("events", "big");
});

check("runtime properties of queue, topic and subscription", async () => {
  await admin.createQueue("counted");
  await send("counted", { body: 1 });
  assert.equal((await admin.getQueueRuntimeProperties("counted")).activeMessageCount, 1);
  await admin.deleteQueue("counted");
  assert.equal((await admin.getTopicRuntimeProperties("events")).subscriptionCount, 1);
  const subscription = await admin.getSubscriptionRuntimeProperties("events", "all");
  assert.ok(subscription.activeMessageCount >= 2);
});

check("queues are created, changed, listed and deleted", async () => {
  await admin.createQueue("made", { maxDeliveryCount: 7, forwardTo: "orders" });
  const queue = await admin.getQueue("made");
  assert.equal(queue.maxDeliveryCount, 7);
  assert.match(queue.forwardTo, /\/orders$/);
  assert.equal(queue.maxMessageSizeInKilobytes, 256);
  queue.maxDeliveryCount = 8;
  assert.equal((await admin.updateQueue(queue)).maxDeliveryCount, 8);
  const names = [];
  for await (const listed of admin.listQueues()) {
    names.push(listed.name);
  }
  assert.deepEqual(names.sort(), ["made", "orders", "wallet-tx"]);
  await assert.rejects(admin.createQueue("astray", { forwardTo: "missing" }), { statusCode: 400 });
  await admin.deleteQueue("made");
  assert.equal(await admin.queueExists("made"), false);
});

check("a receiver where messages are passed on is refused", async () => {
  await admin.createQueue("onward", { forwardTo: "orders" });
  const receiver = client.createReceiver("onward");
  await assert.rejects(receiver.receiveMessages(1, { maxWaitTimeInMs: 100 }), /auto-forwarding enabled/);
  await receiver.close();
  await admin.deleteQueue("onward");
});

let failed = 0;
for (const { name, run } of cases) {
  try {
    await run();
    console.log(`| JavaScript | ${name} | same |`);
  } catch (error) {
    failed++;
    console.log(`| JavaScript | ${name} | different: ${String(error.message).split("\n")[0]} |`);
  }
}
await client.close();
process.exit(failed === 0 ? 0 : 1);
