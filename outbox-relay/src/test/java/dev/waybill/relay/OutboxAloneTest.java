package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Holds;
import dev.waybill.migrations.Feature;
import dev.waybill.outbox.OutboxMessage;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A relay with the tables of the outbox and no others. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class OutboxAloneTest {
    @Test
    void a_relay_publishes_holds_and_moves_without_other_features(TestDatabase database) {
        var outbox = new OutboxFixture(database, Feature.OUTBOX);
        var broker = new RecordingPublisher();
        broker.refuse("poison");
        outbox.append("s", "m1", "poison", "m2");
        outbox.dsl.transaction(tx -> outbox.outbox.append(
                tx.dsl(),
                OutboxMessage.to(OutboxFixture.DESTINATION)
                        .id("due")
                        .text("body")
                        .notBefore(Instant.parse("2100-01-01T00:00:00Z"))
                        .build()));
        outbox.execute("update $schema.outbox_scheduled set due_at = '2020-01-01'");
        new Scheduling(
                        new ScheduledTable(outbox.dsl, outbox.schema, 100),
                        List.of(OutboxFixture.DESTINATION),
                        destination -> {},
                        new SplittableRandom(1))
                .step();
        new EventRing(outbox.dsl, outbox.schema).turn();
        var relay = outbox.relay(broker).started();
        while (relay.run().moved()) {}

        Holds holds = Holds.ofOutbox(database.dataSource(), outbox.schema);
        assertThat(holds.list())
                .singleElement()
                .satisfies(hold -> holds.release(hold.key(), new AuditContext("ada", "test")));
        assertThat(outbox.rowsIn("outbox_scheduled")).isZero();
        assertThat(outbox.rowsIn("operator_action")).isEqualTo(1);
        assertThat(outbox.dsl
                        .fetch("select alarm from " + outbox.schema.table("relay_alarm"))
                        .getValues(0, String.class))
                .doesNotContain("parked");
    }
}
