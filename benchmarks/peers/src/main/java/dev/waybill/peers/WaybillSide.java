package dev.waybill.peers;

import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Waybill with its defaults. */
final class WaybillSide implements Side {
    private final DataSource pool;
    private final Outbox outbox = Outbox.create();
    private Relay relay;

    WaybillSide(DataSource pool) {
        this.pool = pool;
        Migrations.of(pool, SchemaName.DEFAULT).apply(Feature.OUTBOX);
    }

    @Override
    public String name() {
        return "waybill";
    }

    @Override
    public void append(Connection tx, String id, String key, byte[] body) {
        outbox.append(tx, OutboxMessage.to("orders").id(id).session(key).body(body, "application/octet-stream").build());
    }

    @Override
    public void start(Consumer<String> published) {
        relay = Relay.builder(pool).destination("orders").publisher(new Counting(published)).start();
    }

    @Override
    public void committed() {
        relay.wake("orders");
    }

    @Override
    public void close() {
        if (relay != null) {
            relay.close();
        }
    }

    private record Counting(Consumer<String> published) implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            shipment.rows().forEach(row -> published.accept(row.messageId()));
            return CompletableFuture.completedFuture(PublishResult.accepted(shipment.rows().size()));
        }

        @Override
        public void close() {}
    }
}
