package dev.waybill.test;

import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;

/** A JVM of its own: its end, and what it has started, cannot be seen from inside. */
final class KitProcess {
    static final int SERVER_RUNS = 3;

    private KitProcess() {}

    /** Ends by itself; only what works in the background is told, as the extension does after each test. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("unused")) {
            KitDatabase.forget(new Object());
            if (KitServer.running() != null) {
                System.exit(SERVER_RUNS);
            }
            return;
        }
        SchemaName schema = SchemaName.DEFAULT;
        KitDatabase database = KitDatabase.copied(
                new Object(),
                schema,
                dataSource -> Migrations.of(dataSource, schema).apply(Feature.all()));
        EmbeddedServiceBus bus = EmbeddedServiceBus.builder().queue("mails").start();
        var waybill = new TestWaybill(database, schema, bus, Outbox.create());
        waybill.transaction(tx -> waybill.outbox()
                .append(tx, OutboxMessage.to("mails").id("m").text("x").build()));
        waybill.publish();
        TestConsumer consumer = waybill.consumer("c", "mails", (tx, message) -> Verdict.done());
        consumer.handleAll().hasIds("m");
        waybill.startRelay("mails");
        consumer.start();
        waybill.endOfTest();
    }
}
